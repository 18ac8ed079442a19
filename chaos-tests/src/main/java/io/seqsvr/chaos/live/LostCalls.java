package io.seqsvr.chaos.live;

import io.seqsvr.chaos.process.LoadPlan;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Calls of one user that ended without an answer, and tries of those that a router made again: each may have taken
 * numbers that nobody got, and so explains one gap. Not safe for several threads.
 */
final class LostCalls {
    /** More than end in the time of one fault. */
    private static final int REMEMBERED = 64;

    private long lost;
    private long spent;
    /** When calls ended because somebody's time was up, the oldest first. */
    private final Deque<Long> givenUp = new ArrayDeque<>();

    /** One ended: its connection broke, or it was refused. */
    void ended() {
        lost++;
    }

    /** Somebody had waited for it, or for a try of it, for as long as may be. */
    void givenUp(long nowNanos) {
        lost++;
        if (givenUp.size() == REMEMBERED) {
            givenUp.removeFirst();
        }
        givenUp.addLast(nowNanos);
    }

    /** Whether one is left that explains a gap while the same owner served, however late it took its numbers. */
    boolean explain() {
        if (spent >= lost) {
            return false;
        }
        spent++;
        return true;
    }

    /**
     * Whether so many numbers, left out where owners changed, are those of calls that were given up since then. Only
     * of these: an owner that hands over answers what it has taken before it closes a connection, but nobody can answer
     * who no longer listens.
     */
    boolean explainAcrossOwners(long numbers, long sinceNanos) {
        long calls = (numbers + LoadPlan.MOST_AT_ONCE - 1) / LoadPlan.MOST_AT_ONCE;
        long recent = givenUp.stream().filter(at -> at - sinceNanos >= 0).count();
        if (calls > Math.min(recent, lost - spent)) {
            return false;
        }
        spent += calls;
        for (long call = 0; call < calls; call++) {
            givenUp.removeLast();
        }
        return true;
    }
}
