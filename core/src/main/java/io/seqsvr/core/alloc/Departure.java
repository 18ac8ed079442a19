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
    final int pages;
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
        this.to = to;
        this.since = since;
    }

    /** Whether somebody asked for it. */
    boolean isTouched() {
        return pages > 0;
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
