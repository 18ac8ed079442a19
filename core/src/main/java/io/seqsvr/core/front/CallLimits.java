package io.seqsvr.core.front;

/**
 * Bounds of what a caller has under way.
 *
 * @param framesInFlight frames that one owner has not answered yet, at least 1; one more of each namespace and verb of
 *     which it has none, up to 8
 * @param callsPerFrame places in one frame, at least 1
 * @param openCalls calls that have not ended, at least 1; no more are taken
 * @param openPerNamespace the same of one namespace, so that those of others find room; from 1 to {@code openCalls}.
 *     Half as many more to owners that answer
 * @param patienceNanos how long an attempt is waited for before its calls go out in another one, at least 1
 */
public record CallLimits(
        int framesInFlight, int callsPerFrame, int openCalls, int openPerNamespace, long patienceNanos) {
    /** Checks the bounds. */
    public CallLimits {
        requireAtLeastOne("framesInFlight", framesInFlight);
        requireAtLeastOne("callsPerFrame", callsPerFrame);
        requireAtLeastOne("openCalls", openCalls);
        requireAtLeastOne("openPerNamespace", openPerNamespace);
        if (openPerNamespace > openCalls) {
            throw new IllegalArgumentException(
                    "openPerNamespace is " + openPerNamespace + "; it must not be above openCalls, " + openCalls);
        }
        requireAtLeastOne("patienceNanos", patienceNanos);
    }

    /** The same without a bound of its own for a namespace. */
    public CallLimits(int framesInFlight, int callsPerFrame, int openCalls, long patienceNanos) {
        this(framesInFlight, callsPerFrame, openCalls, openCalls, patienceNanos);
    }

    private static void requireAtLeastOne(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be at least 1");
        }
    }
}
