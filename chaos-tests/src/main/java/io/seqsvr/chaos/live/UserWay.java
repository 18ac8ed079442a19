package io.seqsvr.chaos.live;

import java.util.function.UnaryOperator;

/**
 * One user who asks one way, through the routers for example: for how long nobody gave it a number there. What other
 * ways bring says nothing of this one. Guarded by itself.
 */
final class UserWay {
    private static final long NEVER = Long.MIN_VALUE;
    /** Epoch of what names none. */
    static final long UNTOLD = 0;

    private final long uid;
    private final FaultLog faults;
    private final Silences silences = new Silences();
    private int open;
    private long epoch = UNTOLD;
    private long waitingSinceNanos = NEVER;
    /** Since then. */
    private Failures failures = Failures.NONE;
    /** Of the calls that got what they asked for, when the latest had begun. */
    private long servedSinceNanos = NEVER;

    UserWay(long uid, FaultLog faults) {
        this.uid = uid;
        this.faults = faults;
    }

    /** A call begins. */
    void begin(long nowNanos) {
        if (waitingSinceNanos == NEVER) {
            waitSince(nowNanos);
        }
        open++;
    }

    /**
     * One was told what the last number is, and got none: whoever gives none may well tell that, so it goes on waiting
     * if it waited before this call began.
     */
    void told(long begunNanos) {
        open--;
        if (open == 0 && waitingSinceNanos == begunNanos && failures.calls() == 0) {
            waitSince(NEVER);
        }
    }

    /** One ended without an answer. */
    void failed(UnaryOperator<Failures> how) {
        failures = how.apply(failures);
        open--;
    }

    /**
     * One got what it asked for.
     *
     * @param under the epoch that the answer names, or {@link #UNTOLD}
     */
    void answered(long begunNanos, long nowNanos, long under) {
        silences.add(silence(nowNanos, under));
        epoch = Math.max(epoch, under);
        servedSinceNanos = Math.max(servedSinceNanos, begunNanos);
        open--;
        waitSince(open == 0 ? NEVER : nowNanos);
    }

    private void waitSince(long nanos) {
        waitingSinceNanos = nanos;
        failures = Failures.NONE;
    }

    private Silences.Silence silence(long nowNanos, long under) {
        return Silences.Silence.of(
                uid,
                waitingSinceNanos,
                nowNanos,
                // Shorter ones are too many to ask.
                nowNanos - waitingSinceNanos < Silences.WORTH_A_LINE.toNanos()
                        ? 0
                        : faults.pausedNanos(waitingSinceNanos, nowNanos),
                faults.explainsWait(waitingSinceNanos, nowNanos),
                failures,
                new Epochs(epoch, under));
    }

    /** What it saw before counts no more. */
    void forget(long nowNanos) {
        silences.clear();
        if (waitingSinceNanos != NEVER) {
            waitSince(nowNanos);
        }
    }

    /** Whether a call that began then or later got what it asked for. */
    boolean isServedSince(long nanos) {
        return servedSinceNanos != NEVER && servedSinceNanos >= nanos;
    }

    /** Adds what it saw up to now; who still waits has waited until now. */
    void addTo(Silences all, long nowNanos) {
        all.addAll(silences);
        if (waitingSinceNanos != NEVER) {
            all.add(silence(nowNanos, UNTOLD));
        }
    }
}
