package io.seqsvr.core.store;

/** Whether the owner of an epoch gave it back while its session was open, and what it knew of the counters then. */
public sealed interface ReleaseMark {
    /** The owner has not given the segment back. */
    ReleaseMark NONE = new None();
    /** Given back by an owner whose counters are gone, or whose {@code high} a later floor made void. */
    ReleaseMark WITHOUT_HIGH = new WithoutHigh();

    /** See {@link #NONE}. */
    record None() implements ReleaseMark {}

    /** See {@link #WITHOUT_HIGH}. */
    record WithoutHigh() implements ReleaseMark {}

    /**
     * Given back with exact counters.
     *
     * @param high the greatest cur_seq of the sealed segment; the next epoch starts there
     */
    record WithHigh(long high) implements ReleaseMark {}
}
