package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;

/** One segment on its way out: how far it is, and to whom it goes. */
final class Departure {
    enum Phase {
        COPYING,
        STORING,
        READY,
        GIVING_BACK,
        WAITING_TO_REPEAT
    }

    final LoadedSegment segment;
    /** Whether somebody had asked for it when it came into the queue. */
    final boolean touched;
    /** Touched pages when it set out: while it waits it is served, and may get many more. */
    int pages;
    /** Whether it counts among those that are on their way. */
    boolean sending;
    /** Whether its receiver was silent when it was its turn. */
    boolean triedAgain;
    /** Pieces that were sent. */
    int pieces;

    long to;
    Phase phase = Phase.COPYING;
    ClockReading since;

    /** Whether a HandOver of it was sent, refused or not. */
    boolean wasOffered;

    Departure(LoadedSegment segment, long to, ClockReading since) {
        this.segment = segment;
        this.pages = segment.counters().touchedPages();
        this.touched = pages > 0;
        this.to = to;
        this.since = since;
    }

    /** It is its turn, or may be. */
    void count() {
        pages = segment.counters().touchedPages();
    }

    /** What users go on changing is copied again, and at some time the rest follows the seal all the same. */
    boolean isToBeCopiedFurther() {
        boolean once = pieces * Departures.PAGES_AT_ONCE >= pages;
        boolean twice = pieces * Departures.PAGES_AT_ONCE >= 2 * pages;
        return !once || (!twice && segment.counters().changedPages() > Departures.PAGES_AT_ONCE);
    }

    PeerMessage nextPiece() {
        var counters = segment.counters();
        pieces++;
        return new PeerMessage.Pages(segment.id(), counters.epoch(), counters.copyChanged(Departures.PAGES_AT_ONCE));
    }

    boolean isOf(long epoch) {
        return segment.counters().epoch() == epoch;
    }
}
