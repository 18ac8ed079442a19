package io.seqsvr.cli.bench.alloc;

import java.util.Locale;
import java.util.SplittableRandom;

/** How often each user is called. */
public enum Skew {
    /** All equally often. */
    UNIFORM {
        @Override
        double weight(int user, int users) {
            return 1;
        }
    },
    /** The one in place {@code r} of the list so often as {@code 1 / r^0.99}. */
    ZIPF {
        @Override
        double weight(int user, int users) {
            return Math.pow(1 + scattered(user, users), -ZIPF_EXPONENT);
        }
    },
    /** Its logarithm is a normal distribution over the users, of deviation 2: few call much, most seldom. */
    LOGNORMAL {
        @Override
        double weight(int user, int users) {
            return Math.exp(LOGNORMAL_DEVIATION * new SplittableRandom(user).nextGaussian());
        }
    };

    private static final double ZIPF_EXPONENT = 0.99;
    private static final double LOGNORMAL_DEVIATION = 2;
    /** A prime above the number of users, so that it permutes them. */
    private static final long SCATTER = 2_654_435_761L;

    /** How often a user is called, compared to the others; the same in every run. */
    abstract double weight(int user, int users);

    /** The place of a user in the list of the busiest: those do not all lie in one segment. */
    private static int scattered(int user, int users) {
        return (int) (user * SCATTER % users);
    }

    /** As it stands on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
