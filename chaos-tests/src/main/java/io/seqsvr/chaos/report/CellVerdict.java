package io.seqsvr.chaos.report;

/** What a cell comes to. The first that one of its rounds calls for holds. */
public enum CellVerdict {
    /** A promise was broken in one of its rounds. */
    VIOLATED,
    /** In one of its rounds a user waited for longer than was allowed, or bystanders noticed. */
    FAILED,
    /** One of its rounds proves nothing. */
    VOID,
    /** It was tried, and every round of it passed. */
    PASS,
    /** No run could try it. */
    SKIPPED
}
