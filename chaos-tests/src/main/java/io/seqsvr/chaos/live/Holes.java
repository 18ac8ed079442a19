package io.seqsvr.chaos.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The numbers of one user that no answer has shown although a greater one was. A hole may still be filled by a call
 * that was under way when it was seen; once none of these is left, it is a gap.
 */
final class Holes {
    /**
     * Numbers that were not seen.
     *
     * @param first the smallest
     * @param last the greatest
     * @param born number of the last call that had begun when the hole was seen
     * @param seenNanos when that was
     * @param sight at which sight of a hole this one, or what it is a rest of, was seen
     * @param change where its owner had changed; empty if it served on
     */
    private record Hole(long first, long last, long born, long seenNanos, long sight, Optional<Gaps.Change> change) {
        private Hole rest(long from, long to) {
            return new Hole(from, to, born, seenNanos, sight, change);
        }

        private long numbers() {
            return last - first + 1;
        }
    }

    private final long uid;
    private final LostCalls lost;
    private List<Hole> holes = new ArrayList<>();
    private long sights;
    private long lastSettled;

    Holes(long uid, LostCalls lost) {
        this.uid = uid;
        this.lost = lost;
    }

    /** Numbers were passed over. */
    void open(long first, long last, long born, long nowNanos, Optional<Gaps.Change> change) {
        sights++;
        holes.add(new Hole(first, last, born, nowNanos, sights, change));
    }

    /** Numbers below one that was shown before were answered after all. */
    void fill(long first, long last) {
        if (holes.isEmpty()) {
            return;
        }
        var rest = new ArrayList<Hole>();
        for (var hole : holes) {
            if (last < hole.first() || first > hole.last()) {
                rest.add(hole);
                continue;
            }
            if (first > hole.first()) {
                rest.add(hole.rest(hole.first(), first - 1));
            }
            if (last < hole.last()) {
                rest.add(hole.rest(last + 1, hole.last()));
            }
        }
        holes = rest;
    }

    /**
     * Makes gaps of the holes that nobody can fill any more.
     *
     * @param oldestOpen number of the oldest call under way; {@link Long#MAX_VALUE} if there is none
     */
    void settle(long oldestOpen, Gaps gaps) {
        if (holes.isEmpty()) {
            return;
        }
        var left = new ArrayList<Hole>();
        for (var hole : holes) {
            if (hole.born() < oldestOpen) {
                add(hole, gaps);
            } else {
                left.add(hole);
            }
        }
        holes = left;
    }

    /** A gap that was cut in pieces by late answers counts once, however many numbers it has left. */
    private void add(Hole hole, Gaps gaps) {
        var sum = new Gaps.Sum(hole.sight() > lastSettled ? 1 : 0, hole.numbers());
        lastSettled = Math.max(lastSettled, hole.sight());
        if (hole.change().isEmpty()) {
            if (lost.explain(hole.numbers(), hole.born(), hole.seenNanos())) {
                gaps.add(Gaps.WITHOUT_ANSWER, sum);
            } else {
                gaps.add(new Gaps.Unexplained(uid, hole.first(), hole.last(), hole.seenNanos()), sum);
            }
            return;
        }
        var change = hole.change().get();
        if (lost.explainAcrossOwners(hole.numbers(), hole.born(), change.sinceNanos())) {
            gaps.addGivenUp(change, sum);
        } else {
            gaps.add(change, sum);
        }
    }
}
