package io.seqsvr.core.front;

/** What one connection, or one namespace, takes of a room for open calls. Made once, for one {@link Calls}. */
public final class OpenShare {
    int open;

    /** Nothing yet. */
    public OpenShare() {}
}
