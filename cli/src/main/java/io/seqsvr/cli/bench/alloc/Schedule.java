package io.seqsvr.cli.bench.alloc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When requests of one connection are due: at once whenever there is room, or at a fixed rate whether or not earlier
 * ones were answered. A request that leaves late counts from when it was due, so a server that stalls is not spared the
 * requests which it kept waiting. One thread takes requests; any may say when they begin anew or end, and look.
 */
final class Schedule {
    private final double betweenNanos;
    private volatile long start;
    /** Only who takes requests writes it. */
    private final AtomicLong taken = new AtomicLong();

    private volatile long newStart;
    private volatile boolean anew;
    private volatile long end;
    private volatile boolean ends;

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
     * What is late now is due no more: while both sides are cold they fall behind, and would make up for it long
     * afterwards. What falls due from now on is due, also if nobody looks before it is late.
     */
    void beginAnew(long now) {
        newStart = now;
        anew = true;
    }

    /** Nothing more falls due from a time on; what was due before that still is. */
    void endAt(long endNanos) {
        end = endNanos;
        ends = true;
    }

    /** Requests that were due before the end, and were not taken; 0 if it has none. */
    long left() {
        if (!ends || isClosed()) {
            return 0;
        }
        long left = end - next();
        return left <= 0 ? 0 : (long) Math.ceil(left / betweenNanos);
    }

    /** When the next request is due, which may be in the past. */
    long next() {
        // What was taken before it begins anew does not count; that nobody has looked since does not matter.
        return anew ? newStart : due(start, taken.getAcquire());
    }

    private long due(long from, long before) {
        return from + (long) (before * betweenNanos);
    }

    /** Whether a request is due. */
    boolean isDue(long now) {
        if (anew) {
            start = newStart;
            taken.setPlain(0);
            anew = false;
        }
        if (isClosed()) {
            return !ends;
        }
        long next = due(start, taken.getPlain());
        return now - next >= 0 && !(ends && next - end >= 0);
    }

    /**
     * Takes the next request, and tells when it was due. Who sees by {@link #left} that it was taken sees all that its
     * thread did before: count it as under way first.
     */
    long take(long now) {
        if (isClosed()) {
            return now;
        }
        long before = taken.getPlain();
        taken.setRelease(before + 1);
        return due(start, before);
    }
}
