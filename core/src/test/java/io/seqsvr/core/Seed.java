package io.seqsvr.core;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The number that a random test starts from: that of {@code -Dseqsvr.seed}, or else a new one.
 *
 * @param value the number
 * @param replay the command that runs the test with it again
 */
public record Seed(long value, String replay) {
    public static Seed announcedFor(Class<?> test) {
        var given = System.getProperty("seqsvr.seed");
        long value = given == null ? System.nanoTime() : Long.parseLong(given);
        var seed = new Seed(value, "mvn -pl core test -Dtest=" + test.getSimpleName() + " -Dseqsvr.seed=" + value);
        System.out.println("seed " + value + "; replay with " + seed.replay);
        return seed;
    }

    /** Runs a story; whatever fails in it bears the seed. */
    public void run(Consumer<SplittableRandom> story) {
        try {
            story.accept(new SplittableRandom(value));
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(failure.getMessage() + System.lineSeparator() + "replay with " + replay, failure);
        }
    }
}
