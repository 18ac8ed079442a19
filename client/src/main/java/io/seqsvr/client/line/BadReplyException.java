package io.seqsvr.client.line;

/** Bytes that are no reply to what was sent. */
public final class BadReplyException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The message says what was wrong, for people. */
    public BadReplyException(String message) {
        super(message, null, false, false);
    }
}
