package io.seqsvr.chaos.sim;

/** Units of virtual time. */
final class Nanos {
    static final long MICRO = 1_000;
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;
    static final long HOUR = 3_600 * SECOND;

    private Nanos() {}
}
