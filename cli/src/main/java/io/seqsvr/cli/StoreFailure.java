package io.seqsvr.cli;

/** Why a command to StoreSvr came to nothing, or to nothing that is known; one sentence for people. */
final class StoreFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private StoreFailure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /** It was answered with a no. */
    static StoreFailure refused(String reason) {
        return new StoreFailure(ExitCode.FAILED, reason);
    }

    /** Nobody could answer; nothing was changed. */
    static StoreFailure unavailable(String reason) {
        return new StoreFailure(ExitCode.UNAVAILABLE, reason);
    }

    /**
     * It was sent, and no answer came.
     *
     * @param lookWith the command that shows whether it happened
     */
    static StoreFailure unknownOutcome(String reason, String lookWith) {
        return new StoreFailure(
                ExitCode.UNAVAILABLE,
                "the outcome is unknown: " + reason + "; look with '" + lookWith
                        + "', or repeat the command, which is harmless");
    }

    int exitCode() {
        return exitCode;
    }
}
