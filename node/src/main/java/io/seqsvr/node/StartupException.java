package io.seqsvr.node;

/** A node cannot start: one sentence for people that says what was wrong, with which value, and what to do. */
public final class StartupException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says why. */
    public StartupException(String message) {
        super(message);
    }
}
