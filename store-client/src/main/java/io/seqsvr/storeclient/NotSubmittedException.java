package io.seqsvr.storeclient;

/** A command that did not reach the log: nothing happened, and the same command may be tried again. */
public final class NotSubmittedException extends Exception {
    private static final long serialVersionUID = 1L;

    NotSubmittedException(String message) {
        super(message, null, false, false);
    }
}
