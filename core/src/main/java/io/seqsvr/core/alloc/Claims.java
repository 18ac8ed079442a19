package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;

/**
 * How far a session's assignments were claimed, and whether there is more. One Claim at a time is under way.
 */
final class Claims {
    private final Guards guards;
    private final RetryPause pause = new RetryPause(RetryPause.FOR_SEGMENTS_NANOS);
    private long through;
    private long newestSeen;
    private boolean anyway;
    private boolean underWay;

    Claims(Guards guards) {
        this.guards = guards;
    }

    /** A watch shows that assignments of this version exist. */
    void shown(long version) {
        if (guards.on(Guard.WATCH_TELLS_ASSIGNMENTS)) {
            newestSeen = Math.max(newestSeen, version);
        }
    }

    /** The answer to a renewal tells so. */
    void told(long version) {
        if (guards.on(Guard.RENEWAL_TELLS_ASSIGNMENTS)) {
            newestSeen = Math.max(newestSeen, version);
        }
    }

    /** Claim again although no newer version was seen. */
    void again() {
        anyway = true;
    }

    boolean wanted() {
        return anyway || newestSeen > through;
    }

    /** Whether everything that was seen was claimed. */
    boolean complete() {
        return !underWay && !wanted();
    }

    boolean mayStart(ClockReading now) {
        return !underWay && wanted() && !pause.isOn(now);
    }

    /** A Claim goes out. Returns its {@code since}. */
    long start() {
        underWay = true;
        anyway = false;
        return through;
    }

    /** The Claim was answered. */
    void answered(long answeredThrough, boolean more) {
        underWay = false;
        pause.clear();
        through = Math.max(through, answeredThrough);
        anyway |= more;
    }

    /** The Claim had no outcome. */
    void failed(ClockReading now) {
        underWay = false;
        anyway = true;
        pause.failed(now);
    }

    /** The session is over. */
    void clear() {
        through = 0;
        newestSeen = 0;
        anyway = false;
        underWay = false;
        pause.clear();
    }
}
