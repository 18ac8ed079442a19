package io.seqsvr.chaos.live;

import java.util.ArrayList;
import java.util.List;

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
     * @param sight at which sight of a hole this one, or what it is a rest of, was seen
     * @param cause why, as far as the answers around it tell; empty if its owner served on
     */
    private record Hole(long first, long last, long born, long sight, String cause) {
        private Hole rest(long from, long to) {
            return new Hole(from, to, born, sight, cause);
        }
    }

    private List<Hole> holes = new ArrayList<>();
    private long sights;
    private long lastSettled;
    /** How many gaps were laid to calls without an answer: each of these explains one, however late it took numbers. */
    private long explained;

    /** Numbers were passed over. */
    void open(long first, long last, long born, String cause) {
        sights++;
        holes.add(new Hole(first, last, born, sights, cause));
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
     * @param lost how many calls have ended without an answer
     */
    void settle(long oldestOpen, long lost, Gaps gaps) {
        if (holes.isEmpty()) {
            return;
        }
        var left = new ArrayList<Hole>();
        for (var hole : holes) {
            if (hole.born() < oldestOpen) {
                add(hole, lost, gaps);
            } else {
                left.add(hole);
            }
        }
        holes = left;
    }

    /** A gap that was cut in pieces by late answers counts once, however many numbers it has left. */
    private void add(Hole hole, long lost, Gaps gaps) {
        gaps.add(cause(hole, lost), hole.sight() > lastSettled ? 1 : 0, hole.last() - hole.first() + 1);
        lastSettled = Math.max(lastSettled, hole.sight());
    }

    private String cause(Hole hole, long lost) {
        if (!hole.cause().isEmpty()) {
            return hole.cause();
        }
        if (explained >= lost) {
            return Gaps.UNEXPLAINED;
        }
        explained++;
        return Gaps.WITHOUT_ANSWER;
    }
}
