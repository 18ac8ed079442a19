package io.seqsvr.chaos.report;

/** What a round comes to, the worst first. */
public enum RoundVerdict {
    /** A promise was broken in it. */
    VIOLATED,
    /** A user waited for longer than was allowed, or bystanders noticed. */
    MISSED,
    /** It proves nothing: a fault did not show, for example. */
    VOID,
    /** Every promise was kept, and nobody waited too long. */
    PASS
}
