package io.seqsvr.allocsvr.role;

/**
 * Room for the items of calls for many users that have not ended. One of them that waits keeps all the others of its
 * call, with their answers, and takes one place among those that wait: so these are counted besides.
 */
final class JointRoom {
    /** So many items are kept for each that may wait. */
    static final int TIMES_WAITING = 20;

    private final long most;
    private long kept;

    /**
     * Nothing is kept yet.
     *
     * @param mostWaiting requests that may wait
     */
    JointRoom(int mostWaiting) {
        this.most = (long) TIMES_WAITING * mostWaiting;
    }

    /** Whether a call of so many items may begin; if so, they count. One that is alone always may. */
    boolean take(int items) {
        if (kept > 0 && items > most - kept) {
            return false;
        }
        kept += items;
        return true;
    }

    /** A call of so many items has ended. */
    void leave(int items) {
        kept -= items;
    }

    /** What whoever finds no room is told. */
    String refusal() {
        return kept + " items of calls for many users are kept until the last of each has ended; at most " + most
                + " may be: ask for fewer at a time, or again soon";
    }
}
