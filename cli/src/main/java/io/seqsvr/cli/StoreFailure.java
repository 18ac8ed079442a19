package io.seqsvr.cli;

import java.util.List;
import java.util.stream.Collectors;

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
     * It was sent, and no answer came, or none that tells.
     *
     * @param lookWith the command that shows whether it happened
     */
    static StoreFailure unknownOutcome(String reason, String lookWith) {
        return new StoreFailure(
                ExitCode.UNAVAILABLE,
                "the outcome is unknown: " + reason + "; look with '" + lookWith
                        + "', or repeat the command, which is harmless");
    }

    /**
     * Of several that were asked together, some began.
     *
     * @param began their names
     * @param failures of the others, one at least
     */
    static StoreFailure ofSome(List<String> began, List<StoreFailure> failures) {
        var all = failures.stream().map(StoreFailure::getMessage).collect(Collectors.joining("; "));
        boolean refused = failures.stream().allMatch(failure -> failure.exitCode == ExitCode.FAILED);
        return new StoreFailure(
                refused ? ExitCode.FAILED : ExitCode.UNAVAILABLE,
                began.isEmpty()
                        ? all
                        : all + "; " + String.join(", ", began) + " began, and what is on its way goes on");
    }

    int exitCode() {
        return exitCode;
    }
}
