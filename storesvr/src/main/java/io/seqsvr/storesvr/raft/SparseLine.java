package io.seqsvr.storesvr.raft;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** A line of the log for something that may happen many times a second: it is said once a minute at most. */
final class SparseLine {
    private static final long SAID_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private long times;
    private long saidAtNanos = System.nanoTime() - SAID_AGAIN_NANOS;

    /**
     * It has happened.
     *
     * @param line says it, and how often it has happened so far
     */
    synchronized void say(LongConsumer line) {
        times++;
        long now = System.nanoTime();
        if (now - saidAtNanos >= SAID_AGAIN_NANOS) {
            saidAtNanos = now;
            line.accept(times);
        }
    }

    /** How often it has happened so far. */
    synchronized long times() {
        return times;
    }
}
