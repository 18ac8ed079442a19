package io.seqsvr.chaos.report;

/** What a run comes to, the worst first. */
public enum RunVerdict {
    /** A promise was broken. */
    VIOLATED,
    /**
     * Every promise was kept, but a user waited too long, too many calls of bystanders failed, or an owner left numbers
     * out while it served.
     */
    MISSED,
    /** Nothing was wrong, but too little happened to have seen it. */
    INCONCLUSIVE,
    /** Every promise was kept, and a breach would have shown. */
    PASS
}
