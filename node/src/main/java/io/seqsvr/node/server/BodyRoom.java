package io.seqsvr.node.server;

/**
 * What the body of one request takes of the room for those that have not ended. The first chunk is kept without room
 * too, until that of another request needs the same: it may be all, as of nearly every single call, and is served
 * however much of others is unfinished.
 */
final class BodyRoom {
    private final UnfinishedBytes.Share room;
    private final Runnable lost;
    private int counted;
    private int uncounted;

    /**
     * Of a body of which nothing has come.
     *
     * @param room of the connection over which it comes
     * @param lost is run if what was kept without room cannot be kept any longer
     */
    BodyRoom(UnfinishedBytes.Share room, Runnable lost) {
        this.room = room;
        this.lost = lost;
    }

    /** Whether so many more bytes may be kept. */
    boolean keep(int bytes) {
        if (room.keep(uncounted + bytes)) {
            room.leaveBeyond(this);
            counted += uncounted + bytes;
            uncounted = 0;
            return true;
        }
        if (bytes == 0) {
            // As which some say that they have come to their end.
            return true;
        }
        if (counted > 0 || uncounted > 0) {
            return false;
        }
        uncounted = bytes;
        room.keepBeyond(this);
        return true;
    }

    /** Nothing is kept any more; repeating it is harmless. */
    void leave() {
        room.leaveBeyond(this);
        room.forget(counted);
        counted = 0;
        uncounted = 0;
    }

    /** Somebody else's first chunk is kept without room now. */
    void lose() {
        uncounted = 0;
        lost.run();
    }
}
