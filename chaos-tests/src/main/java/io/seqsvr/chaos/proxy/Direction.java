package io.seqsvr.chaos.proxy;

import java.util.Locale;

/** Which way bytes go through a proxy; each toxic sits in one of them. */
public enum Direction {
    /** From the caller to the server. */
    UPSTREAM,
    /** From the server to the caller. */
    DOWNSTREAM;

    /** As the API writes it: in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
