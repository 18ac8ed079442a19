package io.seqsvr.chaos.sim;

import java.util.Arrays;

/**
 * What each sending of a call for sequences of one user may have taken, so that an EXACT reading of what nobody took is
 * seen.
 *
 * <p>{@code LeanChecker} counts every call that brought its caller nothing as one that may have taken a sequence, for
 * ever: a checker that stands beside callers knows no better. The simulator sees where each sending ends, so it counts
 * these, and by what ended them:
 *
 * <ul>
 *   <li>A reading or a lift takes nothing. Nor does what was lost on its way to an owner.
 *   <li>Sequences that left an owner are known, whether or not anybody received them: a reading shows the last of them.
 *   <li>A sending that was refused may have used up a sequence, but did so before its refusal left, as nothing brings a
 *       sending twice. Let B be a sending that leaves after that and is answered. Then what was used up lies below a
 *       range B, and not above a reading B: who reads it as EXACT has counted it, that owner and all after it go on
 *       from there, and one before it answers nobody any more. So the first such B bounds it for good.
 *   <li>A sending that never ended may have taken one sequence, at any time.
 * </ul>
 *
 * <p>All of them lie above what had been received when the sending left. Each EXACT reading that no range explains
 * needs a sending of its own. The smallest reading takes the refused sending with the smallest bound that reaches it,
 * or else one that never ended: so as many are served as can be.
 *
 * <p>Of ranges and of readings only the newest are kept. No reading below those that were forgotten is judged, and a
 * refused sending is forgotten when all that it could explain is among these.
 */
final class SendingsOfUser {
    /** Ranges, and readings: more than leave an owner while a reading is on its way. */
    private static final int KEPT = 256;

    private static final int INITIAL = 8;
    private static final long NO_BOUND = Long.MAX_VALUE;

    /** What had been received when they left, of those that have not ended; in the order in which they left. */
    private long[] open = new long[INITIAL];

    private int openSize;

    /** Of those that were refused and may explain a reading, in the order in which they were. */
    private long[] above = new long[INITIAL];
    /** What had been received by then. */
    private long[] refusedAt = new long[INITIAL];

    private long[] bounds = new long[INITIAL];
    private int refusedSize;

    /** The last sequences of the newest ranges that left, in a ring. */
    private final long[] lasts = new long[KEPT];

    private int left;

    /** What was read as EXACT and ends no range that has left so far, the smallest first. */
    private long[] unexplained = new long[INITIAL];

    private int unexplainedSize;
    /** No reading below it is judged any more. */
    private long judgedFrom;

    private long unjudged;

    /** One leaves; {@code floor} is what has been received by now. */
    void sent(long floor) {
        open = withRoom(open, openSize);
        open[openSize++] = floor;
    }

    /** One that left above {@code floor} reaches nobody. */
    void lost(long floor) {
        for (int i = openSize - 1; i >= 0; i--) {
            if (open[i] == floor) {
                openSize--;
                System.arraycopy(open, i + 1, open, i, openSize - i);
                return;
            }
        }
        throw new IllegalStateException("nothing is on its way that left above " + floor);
    }

    /** An owner answers one that left above {@code floor} with sequences up to {@code last}. */
    void handedOut(long floor, long last) {
        lost(floor);
        int place = left++ % KEPT;
        judgeFrom(lasts[place] + (lasts[place] > 0 ? 1 : 0));
        lasts[place] = last;
        int known = Arrays.binarySearch(unexplained, 0, unexplainedSize, last);
        if (known >= 0) {
            removeUnexplained(known);
        }
    }

    /** An owner refuses one that left above {@code floor}; {@code received} is what has been received by now. */
    void refused(long floor, long received) {
        lost(floor);
        above = withRoom(above, refusedSize);
        refusedAt = withRoom(refusedAt, refusedSize);
        bounds = withRoom(bounds, refusedSize);
        above[refusedSize] = floor;
        refusedAt[refusedSize] = received;
        bounds[refusedSize++] = NO_BOUND;
    }

    /**
     * A sending of any kind that left above {@code floor} was answered.
     *
     * @param most what was taken before that lies at or below it
     */
    void answered(long floor, long most) {
        for (int i = refusedSize - 1; i >= 0 && bounds[i] == NO_BOUND; i--) {
            // More had been received when it left than when the other was refused: so it left later.
            if (refusedAt[i] < floor) {
                bounds[i] = most;
            }
        }
        for (int i = refusedSize - 1; i >= 0; i--) {
            if (bounds[i] <= above[i] || bounds[i] < judgedFrom) {
                removeRefused(i);
            }
        }
    }

    /** Somebody reads a sequence above 0 as EXACT. */
    void read(long seq) {
        if (seq < judgedFrom) {
            unjudged++;
            return;
        }
        for (int back = 1; back <= Math.min(left, KEPT); back++) {
            if (lasts[(left - back) % KEPT] == seq) {
                return;
            }
        }
        int place = Arrays.binarySearch(unexplained, 0, unexplainedSize, seq);
        if (place < 0) {
            unexplained = withRoom(unexplained, unexplainedSize);
            int at = -place - 1;
            System.arraycopy(unexplained, at, unexplained, at + 1, unexplainedSize - at);
            unexplained[at] = seq;
            unexplainedSize++;
        }
        if (unexplainedSize > KEPT) {
            judgeFrom(unexplained[0] + 1);
        }
    }

    /** A sequence that was read as EXACT although nobody can have taken it, 0 if there is none. */
    long takenByNobody() {
        if (unexplainedSize == 0) {
            return 0;
        }
        var used = new boolean[refusedSize];
        int openUsed = 0;
        for (int i = 0; i < unexplainedSize; i++) {
            long seq = unexplained[i];
            int refusal = refusalFor(seq, used);
            if (refusal >= 0) {
                used[refusal] = true;
            } else if (openUsed < openBelow(seq)) {
                openUsed++;
            } else {
                return seq;
            }
        }
        return 0;
    }

    /** How many readings came too late to be judged. */
    long unjudged() {
        return unjudged;
    }

    private int openBelow(long seq) {
        int below = 0;
        while (below < openSize && open[below] < seq) {
            below++;
        }
        return below;
    }

    /** The refused sending with the smallest bound that can have taken it, of equal ones the first; -1 for none. */
    private int refusalFor(long seq, boolean[] used) {
        int found = -1;
        for (int i = 0; i < refusedSize; i++) {
            boolean can = !used[i] && above[i] < seq && seq <= bounds[i];
            if (can && (found < 0 || bounds[i] < bounds[found])) {
                found = i;
            }
        }
        return found;
    }

    private void judgeFrom(long seq) {
        judgedFrom = Math.max(judgedFrom, seq);
        while (unexplainedSize > 0 && unexplained[0] < judgedFrom) {
            int refusal = refusalFor(unexplained[0], new boolean[refusedSize]);
            if (refusal >= 0) {
                removeRefused(refusal);
            }
            removeUnexplained(0);
        }
    }

    private void removeUnexplained(int place) {
        unexplainedSize--;
        System.arraycopy(unexplained, place + 1, unexplained, place, unexplainedSize - place);
    }

    private void removeRefused(int place) {
        refusedSize--;
        System.arraycopy(above, place + 1, above, place, refusedSize - place);
        System.arraycopy(refusedAt, place + 1, refusedAt, place, refusedSize - place);
        System.arraycopy(bounds, place + 1, bounds, place, refusedSize - place);
    }

    private static long[] withRoom(long[] column, int used) {
        return used < column.length ? column : Arrays.copyOf(column, 2 * column.length);
    }
}
