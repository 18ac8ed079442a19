package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import java.util.Arrays;
import java.util.Optional;

/** The ranges of each user that were received, however late, and whatever the order of their calls was. */
final class Received {
    /** Ranges of a user that are compared with each new one. */
    private static final int REMEMBERED = 128;

    private final long[] firsts;
    private final long[] lasts;
    /** The greatest of these of each user, and of those that were forgotten: what is above it overlaps none. */
    private final long[] greatest;

    /** The greatest of those that were forgotten, of each user: what is not above it may be one of these. */
    private final long[] forgotten;

    private final int[] remembered;
    private final long[] sequences;
    private final boolean[] counted;
    private long[] greatestAtMark;
    private long[] sequencesAtMark;
    private long unjudged;

    Received(int users) {
        this.firsts = new long[users * REMEMBERED];
        this.lasts = new long[users * REMEMBERED];
        this.greatest = new long[users];
        this.forgotten = new long[users];
        this.remembered = new int[users];
        this.sequences = new long[users];
        this.counted = new boolean[users];
        this.greatestAtMark = new long[users];
        this.sequencesAtMark = new long[users];
    }

    /**
     * Takes one in; of another answer, whether it may have used up a number.
     *
     * @return what had been received before, if it is some of the same
     */
    Optional<String> takeIn(int user, Answer answer) {
        if (answer instanceof Answer.Range range) {
            return takeIn(user, range);
        }
        if (answer instanceof Answer.Refused refused && refused.refusal() == Refusal.DEADLINE_PASSED) {
            counted[user] = false;
        }
        return Optional.empty();
    }

    private Optional<String> takeIn(int user, Answer.Range range) {
        var same = Optional.<String>empty();
        int base = user * REMEMBERED;
        for (int place = base; place < base + REMEMBERED && range.first() <= greatest[user]; place++) {
            if (range.first() <= lasts[place] && range.last() >= firsts[place]) {
                same = Optional.of(firsts[place] + " to " + lasts[place]);
            }
        }
        if (same.isEmpty() && range.first() <= forgotten[user]) {
            unjudged++;
        }
        int place = base + remembered[user]++ % REMEMBERED;
        forgotten[user] = Math.max(forgotten[user], lasts[place]);
        firsts[place] = range.first();
        lasts[place] = range.last();
        greatest[user] = Math.max(greatest[user], range.last());
        sequences[user] += range.last() - range.first() + 1;
        return same;
    }

    /**
     * From now on it is counted what is missing of each user of whom something was received since the last mark: where
     * others stand is not known, as numbers that were lost are above all that was received. Nor of whom a call waits
     * for longer than its caller says that it does: that may use up a number, whoever the owner is.
     */
    void mark() {
        for (int user = 0; user < counted.length; user++) {
            counted[user] = sequences[user] > sequencesAtMark[user];
        }
        greatestAtMark = Arrays.copyOf(greatest, greatest.length);
        sequencesAtMark = Arrays.copyOf(sequences, sequences.length);
    }

    /** Whether it is counted what is missing of a user. */
    boolean isCounted(int user) {
        return counted[user];
    }

    /** How many of a user's sequences above those of the mark nobody has received, if no request is under way. */
    long missing(int user) {
        long come = sequences[user] - sequencesAtMark[user];
        return counted[user] ? greatest[user] - greatestAtMark[user] - come : 0;
    }

    /** Ranges that came so late that those which they could be the same as were forgotten. */
    long unjudged() {
        return unjudged;
    }
}
