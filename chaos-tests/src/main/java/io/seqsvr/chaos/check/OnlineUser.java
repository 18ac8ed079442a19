package io.seqsvr.chaos.check;

import java.util.Optional;
import java.util.TreeMap;

/**
 * What {@link OnlineChecker} knows of one user.
 *
 * <p>Invariant: {@code ranges} holds the ranges whose last sequence exceeds the floor of the oldest operation under
 * way; they are disjoint until the first breach, so that the order of their first sequences is that of their last ones.
 */
final class OnlineUser {
    private final long uid;
    private final TreeMap<Long, Integer> floorsUnderWay = new TreeMap<>();
    private final TreeMap<Long, Long> ranges = new TreeMap<>();
    private long floor;

    OnlineUser(long uid) {
        this.uid = uid;
    }

    synchronized long begin() {
        floorsUnderWay.merge(floor, 1, Integer::sum);
        return floor;
    }

    synchronized Optional<OnlineChecker.Breach> end(long floorAtBegin, long first, long last) {
        leave(floorAtBegin);
        var breach = judge(floorAtBegin, first, last);
        floor = Math.max(floor, last);
        ranges.merge(first, last, Math::max);
        forget();
        return breach;
    }

    synchronized void abandon(long floorAtBegin) {
        leave(floorAtBegin);
        forget();
    }

    synchronized int remembered() {
        return ranges.size();
    }

    private Optional<OnlineChecker.Breach> judge(long floorAtBegin, long first, long last) {
        if (first <= floorAtBegin) {
            return Optional.of(new OnlineChecker.Breach(Rule.ORDERED, uid, first, last, floorAtBegin));
        }
        var nearest = ranges.floorEntry(last);
        if (nearest != null && nearest.getValue() >= first) {
            return Optional.of(new OnlineChecker.Breach(Rule.UNIQUE, uid, first, last, nearest.getValue()));
        }
        return Optional.empty();
    }

    private void leave(long floorAtBegin) {
        if (!floorsUnderWay.containsKey(floorAtBegin)) {
            throw new IllegalStateException("no operation of user " + Long.toUnsignedString(uid)
                    + " is under way that began at floor " + floorAtBegin);
        }
        floorsUnderWay.computeIfPresent(floorAtBegin, (key, count) -> count == 1 ? null : count - 1);
    }

    private void forget() {
        long needed = floorsUnderWay.isEmpty() ? floor : floorsUnderWay.firstKey();
        while (!ranges.isEmpty() && ranges.firstEntry().getValue() <= needed) {
            ranges.pollFirstEntry();
        }
    }
}
