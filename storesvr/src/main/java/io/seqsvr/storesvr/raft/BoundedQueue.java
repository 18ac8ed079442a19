package io.seqsvr.storesvr.raft;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** What waits, in the order in which it came: so many, and so many bytes, at most. Not safe for several threads. */
final class BoundedQueue<T> {
    private final int most;
    private final long mostBytes;
    private final ToIntFunction<T> sizes;
    private final Deque<T> queue = new ArrayDeque<>();
    private long bytes;

    /**
     * Nothing yet.
     *
     * @param sizes how many bytes each takes
     */
    BoundedQueue(int most, long mostBytes, ToIntFunction<T> sizes) {
        this.most = most;
        this.mostBytes = mostBytes;
        this.sizes = sizes;
    }

    /** Puts one at the end; where nothing waits there is room in any case. Returns whether there was. */
    boolean add(T next) {
        int size = sizes.applyAsInt(next);
        boolean room = queue.isEmpty() || (queue.size() < most && bytes + size <= mostBytes);
        if (room) {
            queue.add(next);
            bytes += size;
        }
        return room;
    }

    @Nullable
    T peek() {
        return queue.peek();
    }

    /** Takes the first one away. */
    void removeFirst() {
        bytes -= sizes.applyAsInt(queue.remove());
    }

    /** Takes those of which this holds, the first so many at most. */
    List<T> take(int atMost, Predicate<T> which) {
        var taken = new ArrayList<T>();
        for (var waiting = queue.iterator(); taken.size() < atMost && waiting.hasNext(); ) {
            var next = waiting.next();
            if (which.test(next)) {
                waiting.remove();
                bytes -= sizes.applyAsInt(next);
                taken.add(next);
            }
        }
        return taken;
    }

    void forEach(Consumer<T> seen) {
        queue.forEach(seen);
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    long bytes() {
        return bytes;
    }

    long mostBytes() {
        return mostBytes;
    }
}
