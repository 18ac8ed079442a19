package io.seqsvr.chaos.proxy;

/** A "no" to what was asked of the proxy; the message says why, and what to do. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    private Refusal(int status, String message) {
        super(message);
        this.status = status;
    }

    /** What was asked is wrong in itself. */
    static Refusal bad(String message) {
        return new Refusal(400, message);
    }

    /** There is no such proxy or toxic. */
    static Refusal notFound(String message) {
        return new Refusal(404, message);
    }

    /** The path is known, and not for this verb. */
    static Refusal wrongVerb(String message) {
        return new Refusal(405, message);
    }

    /** There is one of this name. */
    static Refusal taken(String message) {
        return new Refusal(409, message);
    }

    /** The machine does not let it. */
    static Refusal failed(String message) {
        return new Refusal(500, message);
    }

    /** Not for browsers: a page could ask a proxy of the machine that shows it. */
    static Refusal forbidden(String message) {
        return new Refusal(403, message);
    }

    /** The status that HTTP has for it. */
    public int status() {
        return status;
    }
}
