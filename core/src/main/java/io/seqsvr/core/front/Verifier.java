package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import java.util.List;

/**
 * Remembers what a caller has been answered of its users, and notices an answer that steps back behind it. While the
 * rules hold there is none; should clocks, disks or people break one, this caller does not hand the wrong number on.
 *
 * <p>It remembers one user in each of its places, the one answered last: a caller of more users than places forgets
 * some, and would not notice a step back of theirs. It never takes a right answer for a wrong one.
 */
public final class Verifier {
    /** Of one that remembers nobody. */
    public static final Verifier NONE = new Verifier(0);

    private static final int USER = 0;
    private static final int NAMESPACE = 1;
    private static final int SEEN = 2;
    /** Longs of a place, so that it lies in one line of a cache. */
    private static final int STRIDE = 4;
    /** Places that are read at once: enough to hide memory, few enough to stay in the first cache. */
    private static final int AT_ONCE = 128;

    private final long[] places;
    private final int mask;
    private final int[] expected = new int[AT_ONCE];
    private int expecting;
    /** Kept so that the compiler cannot leave the reading out. */
    @SuppressWarnings("UnusedVariable")
    private long read;

    /**
     * Remembers nobody yet.
     *
     * @param users how many it remembers, at most 2^24, rounded up to a power of two; each costs 32 bytes. 0: none
     */
    public Verifier(int users) {
        if (users < 0 || users > 1 << 24) {
            throw new IllegalArgumentException("users is " + users + "; it must be from 0 to " + (1 << 24));
        }
        int size = users <= 1 ? users : Integer.highestOneBit(users - 1) << 1;
        this.places = new long[size * STRIDE];
        this.mask = size - 1;
    }

    /**
     * A user will be asked about, or answered, as soon as others were named as well: what is remembered of them comes
     * from memory at once, where one after the other would be waited for (as in {@link
     * io.seqsvr.core.segment.CounterPrefetch}).
     */
    void expect(int namespaceId, long uid) {
        if (mask < 0) {
            return;
        }
        expected[expecting++] = place(namespaceId, uid);
        if (expecting == AT_ONCE) {
            fetch();
        }
    }

    /** The same of all users of a reply. */
    void expect(int namespaceId, List<Answer> answers) {
        if (mask < 0) {
            return;
        }
        for (var answer : answers) {
            if (answer instanceof Answer.Range range) {
                expect(namespaceId, range.uid());
            }
        }
        fetch();
    }

    /** Nobody else is to be expected for now. */
    void fetch() {
        if (expecting == 0) {
            // The one that remembers nobody is everybody's, and is never written.
            return;
        }
        long sum = 0;
        for (int i = 0; i < expecting; i++) {
            sum += places[expected[i] + USER];
        }
        read = sum;
        expecting = 0;
    }

    /** The greatest sequence that is known to be behind the user, 0 if nothing is remembered. */
    long seen(int namespaceId, long uid) {
        if (mask < 0) {
            return 0;
        }
        int place = place(namespaceId, uid);
        return places[place + USER] == uid && places[place + NAMESPACE] == namespaceId ? places[place + SEEN] : 0;
    }

    /** What becomes of an answer that does not stand where it must. */
    static Answer.Refused stepsBack(Answer answer, long seen) {
        return new Answer.Refused(Refusal.NOT_OWNER, answer + " steps back: the caller had seen " + seen + " before");
    }

    /**
     * Whether an answer stands where it must.
     *
     * @param seen what was known when the call was first sent
     */
    static boolean goesForward(Answer answer, long seen) {
        if (answer instanceof Answer.Range range) {
            return range.first() > seen;
        }
        return answer instanceof Answer.Reading reading
                ? reading.seq() >= seen
                : !(answer instanceof Answer.Lifted lifted) || lifted.seq() >= seen;
    }

    /** A call was answered. A bound tells nothing of what the user has got, so it is not remembered. */
    void answered(int namespaceId, Answer answer) {
        if (mask < 0) {
            return;
        }
        if (answer instanceof Answer.Range range) {
            remember(namespaceId, range.uid(), range.last());
        } else if (answer instanceof Answer.Lifted lifted) {
            remember(namespaceId, lifted.uid(), lifted.seq());
        } else if (answer instanceof Answer.Reading reading && reading.exact()) {
            remember(namespaceId, reading.uid(), reading.seq());
        }
    }

    private void remember(int namespaceId, long uid, long seq) {
        int place = place(namespaceId, uid);
        if (places[place + USER] != uid || places[place + NAMESPACE] != namespaceId) {
            places[place + USER] = uid;
            places[place + NAMESPACE] = namespaceId;
            places[place + SEEN] = seq;
        } else if (places[place + SEEN] < seq) {
            places[place + SEEN] = seq;
        }
    }

    private int place(int namespaceId, long uid) {
        long mixed = (uid + namespaceId) * 0x9e3779b97f4a7c15L;
        return ((int) (mixed >>> 32) & mask) * STRIDE;
    }
}
