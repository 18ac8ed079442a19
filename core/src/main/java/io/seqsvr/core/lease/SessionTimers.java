package io.seqsvr.core.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The granter's timers: how long each session has gone without an applied renewal, as the Raft leader of one term
 * counts it.
 *
 * <p>Invariant: a session is due only if {@link LeaseTerms#granterNanos()} has passed, on the clock that counted least,
 * since this leader applied the renewal that the timer names, or since this leader became ready if that was later.
 * Clocks that disagree start the timer anew: for the granter, longer is safe. Timers do not outlive a term.
 */
public final class SessionTimers {
    private final Map<Long, Timer> timers = new TreeMap<>();
    private @Nullable LeaseTerms terms;

    /**
     * A session whose timer ran out.
     *
     * @param session the session
     * @param renewalSeen stamp of the renewal from which the timer ran
     */
    public record Due(long session, long renewalSeen) {}

    private static final class Timer {
        final long renewal;
        ClockReading startedAt;
        boolean reported;

        Timer(long renewal, ClockReading startedAt) {
            this.renewal = renewal;
            this.startedAt = startedAt;
        }
    }

    /**
     * This peer leads, and has applied an entry of its own term: every session gets a full timer.
     *
     * @param leaseTerms terms of the cluster
     * @param renewals open sessions with the stamp of their last renewal
     */
    public void startTerm(LeaseTerms leaseTerms, Map<Long, Long> renewals, ClockReading now) {
        terms = leaseTerms;
        timers.clear();
        renewals.forEach((session, renewal) -> timers.put(session, new Timer(renewal, now)));
    }

    /** This peer leads no longer. */
    public void stopTerm() {
        terms = null;
        timers.clear();
    }

    /** A renewal, or the opening, of a session was applied. Without effect while this peer does not lead. */
    public void renewed(long session, long renewal, ClockReading now) {
        if (terms != null) {
            timers.put(session, new Timer(renewal, now));
        }
    }

    /** The session ended. */
    public void ended(long session) {
        timers.remove(session);
    }

    /** Sessions whose timer ran out and that were not reported yet. */
    public List<Due> due(ClockReading now) {
        var due = new ArrayList<Due>();
        timers.forEach((session, timer) -> {
            if (!timer.reported && remaining(timer, now) == 0) {
                timer.reported = true;
                due.add(new Due(session, timer.renewal));
            }
        });
        return due;
    }

    /** The proposal to expire a session failed or its outcome is unknown: report it again. */
    public void reportAgain(Due failed) {
        var timer = timers.get(failed.session());
        if (timer != null && timer.renewal == failed.renewalSeen()) {
            timer.reported = false;
        }
    }

    /** Nanoseconds until the session is due if it does not renew; 0 if it is due or unknown. */
    public long remainingNanos(long session, ClockReading now) {
        var timer = timers.get(session);
        return timer == null ? 0 : remaining(timer, now);
    }

    private long remaining(Timer timer, ClockReading now) {
        if (terms == null) {
            return Long.MAX_VALUE;
        }
        if (now.disagreesSince(timer.startedAt)) {
            timer.startedAt = now;
        }
        return Math.max(0, terms.granterNanos() - now.shortestSince(timer.startedAt));
    }
}
