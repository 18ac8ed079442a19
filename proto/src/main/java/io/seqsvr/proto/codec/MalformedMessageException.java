package io.seqsvr.proto.codec;

/** Bytes that are no message of the type that was expected. */
public final class MalformedMessageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A sentence about what was wrong; without a stack, as anybody may send such bytes. */
    MalformedMessageException(String message) {
        super(message, null, false, false);
    }

    /** What was wrong. */
    public String message() {
        var text = getMessage();
        return text == null ? "" : text;
    }
}
