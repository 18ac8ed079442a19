package io.seqsvr.chaos.check;

import java.util.Optional;

/**
 * The rules of {@link HistoryChecker} about one user, while the run goes on; for one thread at a time.
 *
 * <p>The floor is the greatest sequence that any reply has shown, so (R) is a comparison with the floor at invocation.
 * For (U) and (E) the oldest call under way says what must be kept. Whatever lies below its floor can collide with
 * no reply to come but one that breaks (R). So these are kept, from that floor on:
 *
 * <ul>
 *   <li>the ranges, and the readings that were no kept range's last; disjoint until the first breach, so that the order
 *       of the ranges' first sequences is that of their last ones;
 *   <li>the EXACT readings that no range explains so far, and the calls that have not been answered, by their floor: a
 *       call can have taken any sequence above its floor. An unexplained reading that falls out of the window stays so
 *       and uses up one of the calls that fell out before it.
 * </ul>
 *
 * <p>If this becomes more than the limit, the smallest is forgotten, and the calls with a floor below what is left
 * become stale: (R) is exact for them too; what else they collide with is looked for in what is left only.
 */
final class OnlineUser {
    private final long uid;
    private final int limit;
    private final CallsByFloor calls = new CallsByFloor();
    private final Spans ranges = new Spans();
    private final Spans readings = new Spans();
    private final Spans unexplained = new Spans();
    private long floor;
    /** Where the kept sequences begin if some had to be forgotten. */
    private long forgottenBelow;

    private long staleCalls;
    /** Calls below all kept floors that ended without an answer, less the readings that they explain. */
    private long spareCalls;

    private long unjudged;

    OnlineUser(long uid, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("a limit of " + limit + " ranges of a user: it must be at least 1");
        }
        this.uid = uid;
        this.limit = limit;
    }

    long floor() {
        return floor;
    }

    long begin() {
        calls.begin(floor);
        return floor;
    }

    Optional<Breach> end(long floorAtBegin, long first, long last) {
        if (first > last) {
            throw new IllegalArgumentException("user " + Long.toUnsignedString(uid) + " was answered from " + first
                    + " to " + last + ", which is no range of sequences");
        }
        leave(floorAtBegin);
        var breach = judge(floorAtBegin, first, last);
        floor = Math.max(floor, last);
        if (last >= forgottenBelow) {
            ranges.add(first, last);
        }
        int explained = unexplained.at(last);
        if (explained >= 0 && unexplained.first(explained) == last) {
            unexplained.remove(explained);
        }
        return settled(breach);
    }

    Optional<Breach> told(long floorAtBegin, long seq, boolean exact) {
        leave(floorAtBegin);
        var breach = judge(floorAtBegin, seq);
        floor = Math.max(floor, seq);
        if (seq >= forgottenBelow) {
            keep(seq, exact);
        }
        return settled(breach);
    }

    void abandon(long floorAtBegin) {
        if (floorAtBegin < forgottenBelow) {
            leave(floorAtBegin);
            spareCalls++;
        } else if (!calls.abandoned(floorAtBegin)) {
            throw noSuchCall(floorAtBegin);
        }
        forget();
    }

    int remembered() {
        return ranges.size();
    }

    /** How many replies were compared with a part only of what they could collide with. */
    long unjudged() {
        return unjudged;
    }

    private void leave(long floorAtBegin) {
        if (floorAtBegin >= forgottenBelow ? !calls.answered(floorAtBegin) : staleCalls == 0) {
            throw noSuchCall(floorAtBegin);
        }
        if (floorAtBegin < forgottenBelow) {
            staleCalls--;
        }
    }

    private IllegalStateException noSuchCall(long floorAtBegin) {
        return new IllegalStateException("no operation of user " + Long.toUnsignedString(uid)
                + " is under way that began at floor " + floorAtBegin);
    }

    private Optional<Breach> judge(long floorAtBegin, long first, long last) {
        if (first <= floorAtBegin) {
            return Optional.of(new Breach(Rule.ORDERED, uid, first, last, floorAtBegin));
        }
        int range = ranges.at(last);
        if (range >= 0 && ranges.last(range) >= first) {
            return Optional.of(new Breach(Rule.UNIQUE, uid, first, last, ranges.last(range)));
        }
        int reading = readings.at(last - 1);
        if (reading >= 0 && readings.first(reading) >= first) {
            return Optional.of(new Breach(Rule.CURRENT_SPLITS_NO_RANGE, uid, first, last, readings.first(reading)));
        }
        unjudged += first < forgottenBelow ? 1 : 0;
        return Optional.empty();
    }

    private Optional<Breach> judge(long floorAtBegin, long seq) {
        if (seq < floorAtBegin) {
            return Optional.of(new Breach(Rule.CURRENT_COVERS_WHAT_WAS_SEEN, uid, seq, seq, floorAtBegin));
        }
        int range = ranges.at(seq);
        if (range >= 0 && ranges.last(range) > seq) {
            return Optional.of(new Breach(Rule.CURRENT_SPLITS_NO_RANGE, uid, seq, seq, ranges.last(range)));
        }
        unjudged += seq < forgottenBelow ? 1 : 0;
        return Optional.empty();
    }

    private void keep(long seq, boolean exact) {
        int range = ranges.at(seq);
        if (range >= 0 && ranges.last(range) == seq) {
            return;
        }
        readings.add(seq, seq);
        if (exact && seq > 0) {
            unexplained.add(seq, seq);
        }
    }

    /** After a reply: the breach if there is one, or else that of a reading that nothing explains any more. */
    private Optional<Breach> settled(Optional<Breach> breach) {
        var settled = breach.isEmpty() && unexplained.size() > 0 ? explainReadings() : breach;
        forget();
        return settled;
    }

    private Optional<Breach> explainReadings() {
        long usable = spareCalls + staleCalls;
        int next = 0;
        for (int i = 0; i < unexplained.size(); i++) {
            long seq = unexplained.first(i);
            while (next < calls.size() && calls.floor(next) < seq) {
                usable += calls.underWay(next) + calls.ended(next);
                next++;
            }
            if (usable <= i) {
                unexplained.remove(i);
                return Optional.of(new Breach(Rule.EXACT_WAS_HANDED_OUT, uid, seq, seq, usable));
            }
        }
        return Optional.empty();
    }

    private void forget() {
        forgetBelow(staleCalls > 0 ? forgottenBelow : calls.oldest(floor));
        giveUpTheSmallest(ranges);
        giveUpTheSmallest(readings);
    }

    /** No reply to come can break a rule other than (R) against what ends below {@code needed}. */
    private void forgetBelow(long needed) {
        while (calls.size() > 0 && calls.floor(0) < needed) {
            spareCalls += calls.ended(0);
            calls.dropFirst();
        }
        spareCalls -= unexplained.dropBelow(needed);
        ranges.dropBelow(needed);
        readings.dropBelow(needed);
    }

    private void giveUpTheSmallest(Spans spans) {
        if (spans.size() <= limit) {
            return;
        }
        long kept = Math.max(forgottenBelow, spans.last(1));
        spans.dropFirst();
        while (calls.size() > 0 && calls.floor(0) < kept) {
            staleCalls += calls.underWay(0);
            spareCalls += calls.ended(0);
            calls.dropFirst();
        }
        unjudged += unexplained.dropBelow(kept);
        ranges.dropBelow(kept);
        readings.dropBelow(kept);
        forgottenBelow = kept;
    }
}
