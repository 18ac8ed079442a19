package io.seqsvr.cli.broken.one;

import io.seqsvr.cli.broken.two.Back;

/** Leads to the other package. */
public final class There {
    /** The way to the other package. */
    public Back back() {
        return new Back();
    }
}
