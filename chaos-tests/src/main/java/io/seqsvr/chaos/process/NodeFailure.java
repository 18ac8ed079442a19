package io.seqsvr.chaos.process;

/** A local node that did not do what it was to do; the message says what, and bears the end of its log. */
public final class NodeFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Names the node and what it did not do. */
    public NodeFailure(String message) {
        super(message);
    }
}
