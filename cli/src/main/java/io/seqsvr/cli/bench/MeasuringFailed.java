package io.seqsvr.cli.bench;

/** Something could not be measured; the message says why, for people. */
public final class MeasuringFailed extends Exception {
    private static final long serialVersionUID = 1L;

    /** For this reason. */
    public MeasuringFailed(String message) {
        super(message);
    }
}
