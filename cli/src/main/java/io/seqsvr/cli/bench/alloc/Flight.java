package io.seqsvr.cli.bench.alloc;

/** A frame that may be under way: whom its calls are about, and what those had received. Used again and again. */
final class Flight {
    private static final int NUMBER_BITS = 16;

    private final int[] places;
    private final long[] seen;
    private long correlation;
    private long due;

    /**
     * A frame that is not under way.
     *
     * @param number which, below 2^16; the lower bits of its correlation ids
     */
    Flight(int number, int calls) {
        places = new int[calls];
        seen = new long[calls];
        correlation = number;
    }

    /** The number of the flight with that correlation id. */
    static int number(long correlation) {
        return (int) (correlation & ((1 << NUMBER_BITS) - 1));
    }

    /** It leaves: with a correlation id that it never had. */
    void leave(long dueNanos) {
        correlation += 1L << NUMBER_BITS;
        due = dueNanos;
    }

    /**
     * Draws the user of each call. One loop for each array of the users: each entry of these comes from memory, and
     * only in a short loop do many of them come at once.
     */
    void draw(Users users, long[] uids) {
        for (int i = 0; i < places.length; i++) {
            places[i] = users.draw();
        }
        for (int i = 0; i < places.length; i++) {
            uids[i] = users.uid(places[i]);
        }
        var checker = users.checker();
        for (int i = 0; i < places.length; i++) {
            seen[i] = checker.seen(places[i]);
        }
    }

    /** All calls were answered, the i-th by {@code numbers[i]}. */
    void received(long[] numbers, Checker checker) {
        for (int i = 0; i < places.length; i++) {
            if (i % Checker.AT_ONCE == 0) {
                checker.fetch(places, i, Math.min(places.length, i + Checker.AT_ONCE));
            }
            checker.received(places[i], numbers[i], seen[i]);
        }
    }

    /** A call was answered. */
    void received(int call, long number, Checker checker) {
        checker.received(places[call], number, seen[call]);
    }

    /** How many calls it bears. */
    int calls() {
        return places.length;
    }

    /** That of the frame under way, or of the last one. */
    long correlation() {
        return correlation;
    }

    /** When it was due. */
    long due() {
        return due;
    }
}
