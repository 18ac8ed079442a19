package io.seqsvr.chaos.sim;

import io.seqsvr.core.lease.ClockReading;

/**
 * The clocks of one machine: a rate and an offset of their own, a monotonic clock that stops while the machine is
 * suspended, a wall clock that somebody sets.
 */
final class MachineClocks {
    private double rate;
    private long since;
    private long boot;
    private long suspended;
    private long wallOffset;

    MachineClocks(double rate, long offset) {
        this.rate = rate;
        this.boot = offset;
        this.wallOffset = 3 * offset;
    }

    /** What a hot path reads. */
    ClockReading read(long now) {
        advance(now);
        return new ClockReading(boot - suspended, boot + wallOffset);
    }

    /** What a tick reads. */
    ClockReading readAll(long now) {
        advance(now);
        return new ClockReading(boot - suspended, boot + wallOffset, boot);
    }

    private void advance(long now) {
        boot += Math.round((now - since) * rate);
        since = now;
    }

    /** From now on they run at another rate. */
    void setRate(long now, double newRate) {
        advance(now);
        rate = newRate;
    }

    /** Somebody sets the wall clock. */
    void stepWall(long nanos) {
        wallOffset += nanos;
    }

    /** The machine was suspended for this long, up to now: the monotonic clock stood still. */
    void suspend(long nanos) {
        suspended += Math.round(nanos * rate);
    }

    /** The same, and the wall clock was set back to what it showed before. */
    void suspendAndSetBack(long nanos) {
        suspend(nanos);
        stepWall(-Math.round(nanos * rate));
    }
}
