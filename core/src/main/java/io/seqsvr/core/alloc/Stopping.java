package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.store.StoreCommand;

/**
 * A clean stop, step by step: StoreSvr gives the session nothing more; what it had been given before is claimed;
 * everything is handed over to the other allocators, or, where there is none or it does not answer, sealed, stored and
 * released; then the session is closed, as soon as the receivers have the tables that they may wait for, or have had
 * the time. Until the seal everything is served as ever.
 *
 * <p>Invariant: nothing is sealed before StoreSvr has confirmed that nothing more comes. Else what is released comes
 * right back with the next plan, and the closing session takes it along without a word about its counters.
 */
final class Stopping {
    private final AllocatorOutbox out;
    private Phase phase = Phase.NOT;
    private boolean closes;
    private final RetryPause pause = new RetryPause(RetryPause.FOR_SEGMENTS_NANOS);

    private enum Phase {
        NOT,
        WANTED,
        ANNOUNCING,
        CLAIMING,
        GIVING_BACK
    }

    Stopping(AllocatorOutbox out) {
        this.out = out;
    }

    /** Everything is to go; the session stays open. */
    void drain() {
        if (phase == Phase.NOT) {
            phase = Phase.WANTED;
        }
    }

    /** Everything is to go, and then the session is to be closed. */
    void begin() {
        closes = true;
        drain();
    }

    /** Whether everything is to go. */
    boolean begun() {
        return phase != Phase.NOT;
    }

    /** Whether StoreSvr has confirmed that it gives nothing more, and segments go. */
    boolean givesAway() {
        return phase == Phase.GIVING_BACK;
    }

    /** StoreSvr gives the session nothing more; there may be something that it gave before. */
    void announced() {
        phase = Phase.CLAIMING;
    }

    void failed(ClockReading now) {
        phase = Phase.WANTED;
        pause.failed(now);
    }

    /**
     * Takes the next step if it is time.
     *
     * @param complete whether everything that was given was claimed and loaded
     * @return whether the session is to be closed now
     */
    boolean step(long session, Ownership owned, boolean complete, ClockReading now) {
        if (phase == Phase.WANTED && !pause.isOn(now)) {
            phase = Phase.ANNOUNCING;
            out.send(new StoreCommand.Leave(session), now);
        } else if (phase == Phase.CLAIMING && complete) {
            phase = Phase.GIVING_BACK;
            owned.giveAway(session, now);
        } else if (phase == Phase.GIVING_BACK) {
            owned.giveAwayWhatStayed(session, now);
        }
        return closes
                && phase == Phase.GIVING_BACK
                && owned.segments.size() == 0
                && !owned.departures.areTablesUnderWay();
    }
}
