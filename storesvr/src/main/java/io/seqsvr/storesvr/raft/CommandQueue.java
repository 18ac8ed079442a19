package io.seqsvr.storesvr.raft;

import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.Reply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Commands that wait for one reason, in the order in which they came: so many, and so many bytes, at most. */
final class CommandQueue {
    private final int most;
    private final long mostBytes;
    private final Deque<Waiting> commands = new ArrayDeque<>();
    private long bytes;

    /**
     * A command that waits.
     *
     * @param weight what it counts for in an entry
     * @param bytes what it takes here
     */
    record Waiting(Command command, int weight, int bytes, CompletableFuture<Reply> outcome) {}

    CommandQueue(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /** Puts a command at the end; one finds room in any case where nothing waits. Returns whether there was room. */
    boolean add(Waiting command) {
        boolean room = commands.isEmpty() || (commands.size() < most && bytes + command.bytes() <= mostBytes);
        if (room) {
            commands.add(command);
            bytes += command.bytes();
        }
        return room;
    }

    @Nullable
    Waiting peek() {
        return commands.peek();
    }

    /** Takes the first one away. */
    void removeFirst() {
        bytes -= commands.remove().bytes();
    }

    /** Takes those of which this holds, the first so many at most. */
    List<Waiting> take(int atMost, Predicate<Command> which) {
        var taken = new ArrayList<Waiting>();
        for (var waiting = commands.iterator(); taken.size() < atMost && waiting.hasNext(); ) {
            var next = waiting.next();
            if (which.test(next.command())) {
                waiting.remove();
                bytes -= next.bytes();
                taken.add(next);
            }
        }
        return taken;
    }

    void forEach(Consumer<Command> seen) {
        commands.forEach(waiting -> seen.accept(waiting.command()));
    }

    boolean isEmpty() {
        return commands.isEmpty();
    }

    int size() {
        return commands.size();
    }
}
