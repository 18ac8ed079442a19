package io.seqsvr.storesvr;

import java.io.IOException;
import java.util.SplittableRandom;

/**
 * The number that a random test starts from: that of {@code -Dseqsvr.seed}, or else a new one.
 *
 * @param value the number
 * @param replay the command that runs the test with it again
 */
public record Seed(long value, String replay) {
    /** A story told by chance. */
    @FunctionalInterface
    public interface Story {
        /** Runs it. */
        void tell(SplittableRandom random) throws IOException;
    }

    /** Prints the number and how to run the test with it again. */
    public static Seed announcedFor(Class<?> test) {
        var given = System.getProperty("seqsvr.seed");
        long value = given == null ? System.nanoTime() : Long.parseLong(given);
        var seed = new Seed(
                value,
                "mvn -pl storesvr,store-client test -Dtest=" + test.getSimpleName()
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dseqsvr.seed=" + value);
        System.out.println("seed " + value + "; replay with " + seed.replay);
        return seed;
    }

    /** Runs a story; whatever fails in it bears the seed. */
    public void run(Story story) throws IOException {
        try {
            story.tell(new SplittableRandom(value));
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(failure.getMessage() + System.lineSeparator() + "replay with " + replay, failure);
        }
    }
}
