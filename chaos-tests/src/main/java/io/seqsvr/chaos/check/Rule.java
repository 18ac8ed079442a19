package io.seqsvr.chaos.check;

/** What a pair of operations of one user must obey. */
public enum Rule {
    /** (U), guarantee G1: no two ranges share a sequence. */
    UNIQUE,
    /** (R), guarantee G2: a range lies above every range whose reply was there before its request was sent. */
    ORDERED,
    /** A told last sequence is not below any range whose reply was there before the question was sent. */
    CURRENT_COVERS_WHAT_WAS_SEEN,
    /** A range lies above every last sequence that was told before its request was sent. */
    NEXT_PASSES_CURRENT
}
