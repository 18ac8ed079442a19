package io.seqsvr.core.store;

/** What a process does that keeps a session. */
public enum SessionKind {
    /** Owns segments and hands out sequences. */
    ALLOCATOR,
    /** Plans who owns what; never owns anything itself. */
    ROUTER
}
