package io.seqsvr.cli.bench.alloc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * Holds every number that some users receive against what they had received before.
 *
 * <p>A number is {@code backward} if it is not above every number of its user that had been received here when the call
 * was sent; each such number is seen. It is a {@code duplicate} if it was received here before: seen as long as it is
 * among the 64 numbers below the user's greatest one, or is that one. One that comes later than that, out of order and
 * still above what was there when its call was sent, is taken for new; calls of one user must overtake each other by
 * more than 64 numbers for that. Numbers that other callers got are not known here.
 *
 * <p>One thread checks; others may ask for what was {@link #seen}, and get it or, if that changes just now, less.
 */
final class Checker {
    /** Users to {@link #fetch} at once: enough to hide memory, few enough to stay in the first cache. */
    static final int AT_ONCE = 128;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    /** For each user its greatest number, 0 before the first; and which of the 64 below were received, next first. */
    private final long[] state;

    /** Kept so that the compiler cannot leave the fetching out. */
    @SuppressWarnings("UnusedVariable")
    private long fetched;

    private final LongAdder backward = new LongAdder();
    private final LongAdder duplicates = new LongAdder();

    /** Knows of no number yet. */
    Checker(int users) {
        state = new long[Math.multiplyExact(2, users)];
    }

    /** The greatest number that a user has received, 0 before the first: to be asked before a call is sent. */
    long seen(int user) {
        return (long) LONGS.getOpaque(state, 2 * user);
    }

    /**
     * Brings what is known of some users from memory into the cache, all at once: one after the other they would be
     * waited for.
     */
    void fetch(int[] users, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += state[2 * users[i]];
        }
        fetched = sum;
    }

    /**
     * A user has received a number.
     *
     * @param seenWhenSent what {@link #seen} told before the call was sent
     */
    void received(int user, long number, long seenWhenSent) {
        long greatest = state[2 * user];
        if (number > greatest) {
            long above = number - greatest;
            long below = state[2 * user + 1];
            // Shifts by 64 and more would wrap. There is no number 0.
            if (greatest == 0 || above > Long.SIZE) {
                below = 0;
            } else {
                below = (above == Long.SIZE ? 0 : below << above) | (1L << (above - 1));
            }
            state[2 * user + 1] = below;
            LONGS.setOpaque(state, 2 * user, number);
        } else {
            late(user, number, seenWhenSent, greatest);
        }
    }

    private void late(int user, long number, long seenWhenSent, long greatest) {
        if (number <= seenWhenSent) {
            backward.increment();
        }
        long below = greatest - number - 1;
        if (number < 1 || below >= Long.SIZE) {
            return;
        }
        if (below < 0 || ((state[2 * user + 1] >>> below) & 1) != 0) {
            duplicates.increment();
        } else {
            state[2 * user + 1] |= 1L << below;
        }
    }

    /** Numbers so far that were not above what had been received before their call was sent. */
    long backward() {
        return backward.sum();
    }

    /** Numbers so far that had been received before. */
    long duplicates() {
        return duplicates.sum();
    }
}
