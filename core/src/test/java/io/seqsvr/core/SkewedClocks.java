package io.seqsvr.core;

import io.seqsvr.core.lease.ClockReading;
import java.util.SplittableRandom;

/**
 * The clocks of one machine in a random story: each runs at a rate of its own, and one of the two may fail. Both at
 * once is outside what a lease can stand: on some machines the monotonic clock stops, on the others the wall clock
 * steps.
 */
public final class SkewedClocks {
    private final double monotonicRate;
    private final double wallRate;
    private final boolean suspends;
    private double monotonic;
    private double wall;
    private long time;
    private long suspendedUntil;

    private SkewedClocks(double monotonicRate, double wallRate, boolean suspends) {
        this.monotonicRate = monotonicRate;
        this.wallRate = wallRate;
        this.suspends = suspends;
    }

    /** Rates from 1 to {@code mostRate}; often both at one end, the worst case for somebody. */
    public static SkewedClocks random(SplittableRandom random, double mostRate) {
        boolean suspends = random.nextBoolean();
        if (random.nextBoolean()) {
            double rate = random.nextBoolean() ? mostRate : 1;
            return new SkewedClocks(rate, rate, suspends);
        }
        return new SkewedClocks(random.nextDouble(1, mostRate), random.nextDouble(1, mostRate), suspends);
    }

    /** What the clocks show at a time, which never goes back. */
    public ClockReading at(long timeNanos) {
        wall += (timeNanos - time) * wallRate;
        monotonic += Math.max(0, timeNanos - Math.max(time, suspendedUntil)) * monotonicRate;
        time = timeNanos;
        return new ClockReading((long) monotonic, (long) wall);
    }

    /** Something happens to the clocks: a suspend of up to 1.5 s, or a step of up to half a second either way. */
    public void fail(long timeNanos, SplittableRandom random) {
        at(timeNanos);
        if (suspends) {
            suspendedUntil = timeNanos + random.nextLong(1_500_000_000);
        } else {
            wall += random.nextDouble(-0.5, 0.5) * 1_000_000_000;
        }
    }

    /** Until when the machine is suspended; a time in the past if it is not. */
    public long suspendedUntil() {
        return suspendedUntil;
    }

    @Override
    public String toString() {
        return "rates " + monotonicRate + " and " + wallRate + (suspends ? ", suspends" : ", steps");
    }
}
