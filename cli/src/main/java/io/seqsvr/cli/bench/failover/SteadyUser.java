package io.seqsvr.cli.bench.failover;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What one user has seen: how long it had to wait, and which numbers it got. Calls overlap. Safe for many threads.
 *
 * <p>It waits from when the oldest call was due that was not answered yet; a call that failed still counts, until
 * another one is answered. So a pause is as long as the user felt it, whatever its deadlines.
 */
final class SteadyUser {
    /** When the calls under way were due, in the order in which they were. */
    private final Deque<Long> underWay = new ArrayDeque<>();

    private boolean waits;
    private long waitsSince;
    private long longest;
    private boolean served;
    private long servedDue;
    private long received;
    private long lowest = Long.MAX_VALUE;
    private long highest;
    private long epoch;
    private long ownerChanges;
    private long failures;

    /** A call is due, and about to be sent. */
    synchronized void asks(long dueNanos) {
        underWay.add(dueNanos);
        if (!waits) {
            waits = true;
            waitsSince = dueNanos;
        }
    }

    /** One was answered. */
    synchronized void served(long dueNanos, long now, long sequence, long underEpoch) {
        longest = Math.max(longest, now - waitsSince);
        servedDue = served ? Math.max(servedDue, dueNanos) : dueNanos;
        served = true;
        ends(dueNanos);
        waits = !underWay.isEmpty();
        waitsSince = waits ? underWay.getFirst() : 0;
        received++;
        lowest = Math.min(lowest, sequence);
        highest = Math.max(highest, sequence);
        ownerChanges += epoch > 0 && underEpoch > epoch ? 1 : 0;
        epoch = Math.max(epoch, underEpoch);
    }

    /** One was given up. */
    synchronized void failed(long dueNanos) {
        ends(dueNanos);
        failures++;
    }

    private void ends(long dueNanos) {
        underWay.removeFirstOccurrence(dueNanos);
    }

    /** Forgets what it has seen. None of its calls may be under way. */
    synchronized void forget() {
        if (isUnderWay()) {
            throw new IllegalStateException(underWay.size() + " calls of a user are under way");
        }
        waits = false;
        longest = 0;
        received = 0;
        lowest = Long.MAX_VALUE;
        highest = 0;
        ownerChanges = 0;
        failures = 0;
    }

    /** Forgets how long it had to wait; if it waits now, that began now. */
    synchronized void beginWindow(long now) {
        longest = 0;
        if (waits) {
            waitsSince = Math.max(waitsSince, now);
        }
    }

    /** The longest that it had to wait since then, and may still wait, in nanoseconds. */
    synchronized long longestWait(long now) {
        return waits ? Math.max(longest, now - waitsSince) : longest;
    }

    /** Whether a call was answered that was due at or after this moment. */
    synchronized boolean isServedSince(long nanos) {
        return served && servedDue - nanos >= 0;
    }

    /** Whether a call of its is under way. */
    synchronized boolean isUnderWay() {
        return !underWay.isEmpty();
    }

    /** Numbers between those that it got that it did not get. */
    synchronized long skipped() {
        return received == 0 ? 0 : highest - lowest + 1 - received;
    }

    /** How often its answers came from another owner than before. */
    synchronized long ownerChanges() {
        return ownerChanges;
    }

    /** How many of its calls were given up. */
    synchronized long failures() {
        return failures;
    }
}
