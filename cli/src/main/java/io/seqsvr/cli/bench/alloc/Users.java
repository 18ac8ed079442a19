package io.seqsvr.cli.bench.alloc;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The users that one connection calls, drawn anew for each call, and by nobody else: so its numbers are checked without
 * a lock. Their places run from 0.
 */
final class Users {
    private final int[] uids;
    private final double weight;
    private final Checker checker;
    private final SplittableRandom random;
    /** By Walker's method: a place, if what is drawn lies below its bound, and else the other one. */
    private final int @Nullable [] bounds;

    private final int @Nullable [] others;

    /**
     * Users with weights by a skew.
     *
     * @param uids which; not copied
     * @param all users of the run: 0 to all - 1
     */
    Users(int[] uids, Skew skew, int all, SplittableRandom random) {
        this.uids = uids;
        this.random = random;
        this.checker = new Checker(uids.length);
        if (skew == Skew.UNIFORM) {
            weight = uids.length;
            bounds = null;
            others = null;
        } else {
            var weights = new double[uids.length];
            double sum = 0;
            for (int i = 0; i < weights.length; i++) {
                weights[i] = skew.weight(uids[i], all);
                sum += weights[i];
            }
            weight = sum;
            bounds = new int[weights.length];
            others = new int[weights.length];
            fill(weights, sum, bounds, others);
        }
    }

    /** Every place gets as much as it may hold: its own weight, and the rest of one that has too much. */
    private static void fill(double[] weights, double sum, int[] bounds, int[] others) {
        int count = weights.length;
        var stack = new int[count];
        int small = 0;
        int large = count;
        for (int i = 0; i < count; i++) {
            weights[i] *= count / sum;
            stack[weights[i] < 1 ? small++ : --large] = i;
        }
        while (small > 0 && large < count) {
            int less = stack[--small];
            int more = stack[large];
            bounds[less] = (int) (long) (weights[less] * 0x1p32);
            others[less] = more;
            weights[more] -= 1 - weights[less];
            if (weights[more] < 1) {
                large++;
                stack[small++] = more;
            }
        }
        // What is left holds itself alone.
        while (small > 0) {
            int full = stack[--small];
            bounds[full] = -1;
            others[full] = full;
        }
        for (; large < count; large++) {
            bounds[stack[large]] = -1;
            others[stack[large]] = stack[large];
        }
    }

    /** How often these are called altogether, compared to the users of others. */
    double weight() {
        return weight;
    }

    /** How many there are. */
    int size() {
        return uids.length;
    }

    /** Whose numbers are held against each other. */
    Checker checker() {
        return checker;
    }

    /** The place of the user of the next call. */
    int draw() {
        long drawn = random.nextLong();
        int place = (int) (((drawn >>> 32) * uids.length) >>> 32);
        if (bounds == null || others == null) {
            return place;
        }
        return Integer.compareUnsigned((int) drawn, bounds[place]) < 0 ? place : others[place];
    }

    /** The uid at a place. */
    long uid(int place) {
        return uids[place];
    }
}
