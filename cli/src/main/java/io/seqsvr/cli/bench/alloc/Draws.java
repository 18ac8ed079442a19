package io.seqsvr.cli.bench.alloc;

/**
 * Users for calls that are made one by one: many are drawn at once, so that what is known of them comes from memory
 * together. Of one thread.
 */
final class Draws {
    /** Enough to hide memory, few enough to stay in the first cache. */
    private static final int AHEAD = 128;

    private final Users users;
    private final int[] places = new int[AHEAD];
    private int next = AHEAD;

    Draws(Users users) {
        this.users = users;
    }

    /** The place of the user of the next call. */
    int next() {
        if (next == AHEAD) {
            for (int i = 0; i < AHEAD; i++) {
                places[i] = users.draw();
            }
            users.checker().fetch(places, 0, AHEAD);
            next = 0;
        }
        return places[next++];
    }
}
