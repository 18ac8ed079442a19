package io.seqsvr.chaos.proxy;

import java.net.InetSocketAddress;

/** Knows who is at the other end of a connection. Safe for use by many threads. */
public interface CallerNames {
    /** Somebody whom nobody has named. */
    String UNKNOWN = "unknown";

    /**
     * The name of the caller, or {@link #UNKNOWN}. May block.
     *
     * @param caller where the connection comes from
     * @param listener where it was accepted
     */
    String nameOf(InetSocketAddress caller, InetSocketAddress listener);

    /** Knows nobody. */
    static CallerNames none() {
        return (caller, listener) -> UNKNOWN;
    }
}
