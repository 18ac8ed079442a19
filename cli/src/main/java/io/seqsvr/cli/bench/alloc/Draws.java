package io.seqsvr.cli.bench.alloc;

/**
 * Users for calls that are made one by one: many are drawn at once, so that what is known of them comes from memory
 * together. Of one thread.
 */
final class Draws {
    private final Users users;
    private final int[] places = new int[Checker.AT_ONCE];
    private int next = Checker.AT_ONCE;

    Draws(Users users) {
        this.users = users;
    }

    /** The place of the user of the next call. */
    int next() {
        if (next == Checker.AT_ONCE) {
            for (int i = 0; i < Checker.AT_ONCE; i++) {
                places[i] = users.draw();
            }
            users.checker().fetch(places, 0, Checker.AT_ONCE);
            next = 0;
        }
        return places[next++];
    }
}
