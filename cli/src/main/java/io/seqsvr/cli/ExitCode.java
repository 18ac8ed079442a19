package io.seqsvr.cli;

/** What the process says when it ends; documented in docs/operations.md. */
final class ExitCode {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int UNHEALTHY = 3;
    static final int UNAVAILABLE = 4;
    static final int SAFETY_VIOLATED = 10;
    static final int TARGET_MISSED = 11;
    static final int INCONCLUSIVE = 12;

    private ExitCode() {}
}
