package io.seqsvr.allocsvr.role;

import io.seqsvr.core.lease.ClockReading;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spells in which StoreSvr does not answer an allocator's commands, or refuses them: a line where one begins, at once,
 * and a line where one is over, once nothing has failed for a while. Else there were two lines for every answer while
 * renewals are taken and raises are not.
 */
final class StoreSpells {
    private static final Logger LOG = LoggerFactory.getLogger(AllocatorLoop.class);

    /** Between two lines of one kind at least. */
    static final long QUIET_NANOS = 5_000_000_000L;

    private Optional<ClockReading> failed = Optional.empty();

    /** A command was refused, or has no answer. */
    void failed(ClockReading now, long session, String error) {
        if (begins(now)) {
            LOG.warn("event=store_unreachable session={} error=\"{}\"", session, error);
        }
    }

    /** A command was answered. */
    void answered(ClockReading now, long session) {
        if (ends(now)) {
            LOG.info("event=store_reachable session={}", session);
        }
    }

    /** A failure; returns whether a spell begins with it. */
    boolean begins(ClockReading now) {
        boolean begins = failed.isEmpty();
        failed = Optional.of(now);
        return begins;
    }

    /** An answer; returns whether a spell is over. */
    boolean ends(ClockReading now) {
        boolean ends =
                failed.filter(last -> now.monotonicSince(last) >= QUIET_NANOS).isPresent();
        if (ends) {
            failed = Optional.empty();
        }
        return ends;
    }
}
