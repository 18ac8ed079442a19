package io.seqsvr.cli.broken.two;

import io.seqsvr.cli.broken.one.There;

/** Leads back. */
public final class Back {
    /** The way back. */
    public There there() {
        return new There();
    }
}
