package io.seqsvr.chaos.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.function.Predicate;

/**
 * Calls of one user that ended without an answer, and tries of those that a router made again: each may have taken
 * numbers that nobody got, and so explains a gap, once and of so many numbers. Not safe for several threads.
 */
final class LostCalls {
    /** More than end in the time in which one may still explain a gap, but where connections are reset all the time. */
    private static final int REMEMBERED = 512;
    /** By then nobody serves any more what it got before it stood still. */
    private static final long EXPLAINS_FOR_NANOS = 60_000_000_000L;

    private final Deque<Lost> lost = new ArrayDeque<>();

    /**
     * One that may have taken numbers.
     *
     * @param call its number among the calls of its user
     * @param most how many numbers it can have taken
     * @param endedNanos when it ended
     * @param givenUp whether somebody had waited for it, or for a try of it, for as long as may be
     */
    private record Lost(long call, long most, long endedNanos, boolean givenUp) {}

    /** One ended: its connection broke, or it was refused. */
    void ended(long call, long most, long nowNanos) {
        add(new Lost(call, most, nowNanos, false));
    }

    /** Somebody's time was up. */
    void givenUp(long call, long most, long nowNanos) {
        add(new Lost(call, most, nowNanos, true));
    }

    private void add(Lost one) {
        if (one.most() == 0) {
            return;
        }
        if (lost.size() == REMEMBERED) {
            lost.removeFirst();
        }
        lost.addLast(one);
    }

    /**
     * Whether these numbers, left out while one owner served, may be those of calls that were lost.
     *
     * @param born number of the last call that had begun when they were missed
     * @param seenNanos when that was
     */
    boolean explain(long numbers, long born, long seenNanos) {
        return spend(numbers, one -> one.call() <= born && seenNanos - one.endedNanos() <= EXPLAINS_FOR_NANOS);
    }

    /**
     * The same of numbers that were left out where owners changed. Only given-up calls explain these: an owner that
     * hands over answers what it has taken before it closes a connection, but nobody can answer who no longer listens.
     *
     * @param sinceNanos when the call began that brought the last number of the owner before
     */
    boolean explainAcrossOwners(long numbers, long born, long sinceNanos) {
        return spend(numbers, one -> one.givenUp() && one.call() <= born && one.endedNanos() - sinceNanos >= 0);
    }

    private boolean spend(long numbers, Predicate<Lost> may) {
        var used = new ArrayList<Lost>();
        long covered = 0;
        for (var newest = lost.descendingIterator(); covered < numbers && newest.hasNext(); ) {
            var one = newest.next();
            if (may.test(one)) {
                used.add(one);
                covered += one.most();
            }
        }
        if (covered < numbers) {
            return false;
        }
        used.forEach(lost::removeLastOccurrence);
        return true;
    }
}
