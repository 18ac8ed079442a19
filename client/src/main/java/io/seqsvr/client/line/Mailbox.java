package io.seqsvr.client.line;

import java.util.ArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jctools.queues.MpscArrayQueue;

/**
 * What any thread puts down for one loop: a bounded queue, with one wake-up while the loop is not awake anyway.
 *
 * <p>Invariant: what was put down is taken once: by the loop, or, as soon as the box is closed or the loop is gone, by
 * whoever notices, as too late.
 */
final class Mailbox<T> {
    private final MpscArrayQueue<T> queue;
    /** Whose turn it is to read; not the queue itself, whose head all who put something down look at. */
    private final Object reading = new Object();

    private final int most;
    private final Executor loop;
    private final Runnable work;
    private final Consumer<T> tooLate;
    private final AtomicBoolean awake = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * An empty box.
     *
     * @param most how many wait in it at most, about: rounded up to a power of two
     * @param loop runs the work, and throws {@link RejectedExecutionException} when it is gone
     * @param work {@link #take takes} what waits; it need not take all
     * @param tooLate told of each that nobody took in time, on any thread
     */
    Mailbox(int most, Executor loop, Runnable work, Consumer<T> tooLate) {
        this.queue = new MpscArrayQueue<>(Math.max(2, most));
        this.most = most;
        this.loop = loop;
        this.work = work;
        this.tooLate = tooLate;
    }

    /** Puts one down, from any thread; returns whether there was room. */
    boolean put(T item) {
        if (!queue.offer(item)) {
            return false;
        }
        if (closed) {
            turnAway();
        } else {
            wake();
        }
        return true;
    }

    private void wake() {
        // A look first: most of those who come find the loop awake, and need not fight for the line in the cache.
        if (!awake.get() && awake.compareAndSet(false, true)) {
            try {
                loop.execute(this::wokenUp);
            } catch (RejectedExecutionException gone) {
                close();
            }
        }
    }

    private void wokenUp() {
        if (closed) {
            turnAway();
            return;
        }
        try {
            work.run();
        } finally {
            awake.set(false);
            if (!queue.isEmpty()) {
                wake();
            }
        }
    }

    /** Gives what waits, and comes meanwhile, to a taker, as much as fits into the box at most; only on the loop. */
    void take(Consumer<T> taker) {
        // A loop that is ending refuses work while it still does some: then somebody else may be turning away.
        synchronized (reading) {
            for (int i = 0; i < most; i++) {
                var item = queue.poll();
                if (item == null) {
                    return;
                }
                taker.accept(item);
            }
        }
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Nobody takes anything any more. */
    void close() {
        closed = true;
        turnAway();
    }

    /** The callers are told without the lock: one may wait for somebody who turns others away meanwhile. */
    private void turnAway() {
        var late = new ArrayList<T>();
        // A queue of this kind has one reader at a time.
        synchronized (reading) {
            for (var item = queue.poll(); item != null; item = queue.poll()) {
                late.add(item);
            }
        }
        Each.of(late, tooLate);
    }
}
