package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.store.StoreCommand;
import java.util.Optional;

/**
 * A clean stop, step by step: StoreSvr gives the session nothing more; what it had been given before is claimed;
 * everything is sealed, stored and released; then the session is closed. Until the seal everything is served as ever.
 *
 * <p>Invariant: nothing is sealed before StoreSvr has confirmed that nothing more comes. Else what is released comes
 * right back with the next plan, and the closing session takes it along without a word about its counters.
 */
final class Stopping {
    private static final long AGAIN_NANOS = 50_000_000;

    private final AllocatorOutbox out;
    private Phase phase = Phase.NOT;
    private Optional<ClockReading> failedAt = Optional.empty();

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

    void begin() {
        if (phase == Phase.NOT) {
            phase = Phase.WANTED;
        }
    }

    boolean begun() {
        return phase != Phase.NOT;
    }

    /** StoreSvr gives the session nothing more; there may be something that it gave before. */
    void announced() {
        phase = Phase.CLAIMING;
    }

    void failed(ClockReading now) {
        phase = Phase.WANTED;
        failedAt = Optional.of(now);
    }

    /**
     * Takes the next step if it is time.
     *
     * @param complete whether everything that was given was claimed and loaded
     * @return whether the session is to be closed now
     */
    boolean step(long session, Ownership owned, boolean complete, ClockReading now) {
        if (phase == Phase.WANTED
                && failedAt.filter(at -> now.longestSince(at) < AGAIN_NANOS).isEmpty()) {
            phase = Phase.ANNOUNCING;
            out.send(new StoreCommand.Leave(session), now);
        } else if (phase == Phase.CLAIMING && complete) {
            phase = Phase.GIVING_BACK;
            owned.segments.all().forEach(segment -> owned.departures.leave(session, segment, now));
        }
        return phase == Phase.GIVING_BACK && owned.segments.size() == 0;
    }
}
