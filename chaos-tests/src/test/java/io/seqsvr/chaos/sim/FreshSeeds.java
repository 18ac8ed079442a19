package io.seqsvr.chaos.sim;

/**
 * The seed from which a test of many seeds starts: that of {@code -Dseqsvr.seed} or else a new one.
 *
 * @param first the first seed
 * @param replay the command that runs the test from it again
 */
record FreshSeeds(long first, String replay) {
    /** Rounds and campaigns of one test start this far from each other. */
    private static final long APART = 1_000_000;

    static FreshSeeds announcedFor(Class<?> test) {
        var given = System.getProperty("seqsvr.seed");
        long first = given == null ? System.nanoTime() : Long.parseLong(given);
        var replay = "mvn -pl chaos-tests test -Dtest=" + test.getSimpleName() + " -Dseqsvr.seed=" + first;
        System.out.println("seeds from " + first + "; replay with " + replay);
        return new FreshSeeds(first, replay);
    }

    /** The first seed of a round; no two rounds share one. */
    long ofRound(int round) {
        return first + round * APART;
    }
}
