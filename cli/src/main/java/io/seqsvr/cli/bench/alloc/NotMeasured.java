package io.seqsvr.cli.bench.alloc;

/** Nothing can be measured; the message says why, for people. */
public final class NotMeasured extends Exception {
    private static final long serialVersionUID = 1L;

    NotMeasured(String message) {
        super(message, null, false, false);
    }
}
