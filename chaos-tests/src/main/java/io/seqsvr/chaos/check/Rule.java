package io.seqsvr.chaos.check;

/** What the operations of one user must obey: most of them in pairs, the last two each for itself. */
public enum Rule {
    /** (U), guarantee G1: no two ranges share a sequence. */
    UNIQUE,
    /** (R), guarantee G2: a range lies above every range whose reply was there before its request was sent. */
    ORDERED,
    /** A told last sequence is not below any range whose reply was there before the question was sent. */
    CURRENT_COVERS_WHAT_WAS_SEEN,
    /** A range lies above every last sequence that was told before its request was sent. */
    NEXT_PASSES_CURRENT,
    /** A told last sequence is not below one that was told before the question was sent. */
    CURRENT_NEVER_GOES_BACK,
    /** A told last sequence is no sequence of a range but its last: a range is handed out at once. */
    CURRENT_SPLITS_NO_RANGE,
    /** An EXACT last sequence was handed out: to a caller that got it, or by a call that brought its caller nothing. */
    EXACT_WAS_HANDED_OUT,
    /** An answer names the user who was asked for. */
    ANSWERS_WHO_ASKED
}
