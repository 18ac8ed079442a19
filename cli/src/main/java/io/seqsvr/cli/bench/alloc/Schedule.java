package io.seqsvr.cli.bench.alloc;

/**
 * When requests of one connection are due: at once whenever there is room, or at a fixed rate whether or not earlier
 * ones were answered. A request that leaves late counts from when it was due, so a server that stalls is not spared the
 * requests which it kept waiting.
 */
final class Schedule {
    private final double betweenNanos;
    private long start;
    private long taken;
    private volatile boolean anew;

    private Schedule(double betweenNanos, long start) {
        this.betweenNanos = betweenNanos;
        this.start = start;
    }

    /** Always due. */
    static Schedule closed() {
        return new Schedule(0, 0);
    }

    /** One due at {@code start}, and then one each {@code betweenNanos}, above 0. */
    static Schedule every(double betweenNanos, long start) {
        return new Schedule(betweenNanos, start);
    }

    /** Whether it waits for no time. */
    boolean isClosed() {
        return betweenNanos == 0;
    }

    /**
     * What is late by now is due no more, from any thread: while both sides are cold they fall behind, and would make
     * up for it long afterwards.
     */
    void beginAnew() {
        anew = true;
    }

    private long next() {
        return start + (long) (taken * betweenNanos);
    }

    /** Whether a request is due. */
    boolean isDue(long now) {
        if (anew) {
            anew = false;
            start = now;
            taken = 0;
        }
        return betweenNanos == 0 || now - next() >= 0;
    }

    /** Takes the next request, and tells when it was due. */
    long take(long now) {
        if (betweenNanos == 0) {
            return now;
        }
        long due = next();
        taken++;
        return due;
    }
}
