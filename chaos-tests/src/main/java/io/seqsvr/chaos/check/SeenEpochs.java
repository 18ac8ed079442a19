package io.seqsvr.chaos.check;

/** The changes of owner that one user saw; for one thread at a time. */
final class SeenEpochs {
    private static final long NONE = Long.MAX_VALUE;

    private boolean answered;
    private long newest;
    /** When the last reply had come, and the last one under an epoch older than the newest. */
    private long lastReply;

    private long lastOldReply;
    /** From the last old reply to the first request of the newest epoch that was sent after it. */
    private long gap = NONE;

    private long changes;
    private long late;
    /** Of the changes before the last one. */
    private long straddlesBefore;

    private long smallestGapBefore = NONE;
    /** Changes that had been seen when it was marked. */
    private long marked;
    /** Of the changes since then, but for the last one. */
    private long straddlesSinceMarkBefore;

    void see(long invoked, long returned, long epoch) {
        if (!answered) {
            answered = true;
            newest = epoch;
        } else if (epoch > newest) {
            change(epoch);
        }
        if (epoch < newest) {
            late++;
            lastOldReply = Math.max(lastOldReply, returned);
            // All requests seen so far were sent before this reply came.
            gap = NONE;
        } else if (changes > 0 && invoked > lastOldReply) {
            gap = Math.min(gap, invoked - lastOldReply);
        }
        lastReply = Math.max(lastReply, returned);
    }

    private void change(long epoch) {
        straddlesBefore = straddles();
        straddlesSinceMarkBefore = straddlesSinceMark();
        smallestGapBefore = smallestGap();
        gap = NONE;
        newest = epoch;
        changes++;
        lastOldReply = lastReply;
    }

    long changes() {
        return changes;
    }

    long straddles() {
        return straddlesBefore + (gap == NONE ? 0 : 1);
    }

    void mark() {
        marked = changes;
        straddlesSinceMarkBefore = 0;
    }

    long straddlesSinceMark() {
        return straddlesSinceMarkBefore + (gap == NONE || changes == marked ? 0 : 1);
    }

    long smallestGap() {
        return Math.min(smallestGapBefore, gap);
    }

    long late() {
        return late;
    }
}
