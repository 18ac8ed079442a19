package io.seqsvr.chaos.check;

import java.util.SplittableRandom;

/**
 * The number that a random test starts from: that of {@code -Dseqsvr.seed} or else a new one.
 *
 * @param value the number
 * @param replay the command that runs the test with it again
 */
record Seed(long value, String replay) {
    static Seed announcedFor(Class<?> test) {
        var given = System.getProperty("seqsvr.seed");
        long value = given == null ? System.nanoTime() : Long.parseLong(given);
        var seed =
                new Seed(value, "mvn -pl chaos-tests test -Dtest=" + test.getSimpleName() + " -Dseqsvr.seed=" + value);
        System.out.println("seed " + value + "; replay with " + seed.replay);
        return seed;
    }

    SplittableRandom random() {
        return new SplittableRandom(value);
    }

    /** The last words of a failing assertion. */
    String after(Object history) {
        return history + System.lineSeparator() + "replay with " + replay;
    }
}
