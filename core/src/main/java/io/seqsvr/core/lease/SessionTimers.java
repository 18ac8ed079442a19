package io.seqsvr.core.lease;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import java.util.ArrayList;
import java.util.List;

/**
 * The granter's timers: how long each session has gone without an applied renewal, as the Raft leader of one term
 * counts it.
 *
 * <p>Invariant: a session is due only if {@link LeaseTerms#granterNanos()} of its own terms has passed, on the clock
 * that counted least, since this leader applied the renewal that the timer names, or since this leader became ready if
 * that was later. Clocks that disagree start the timer anew: for the granter, longer is safe. Timers do not outlive a
 * term.
 */
public final class SessionTimers {
    /** Who stands still for longer leads no more when it goes on, if there is anybody else who could. */
    private static final long STANDSTILL_NANOS = 1_000_000_000;

    private final Guards guards;
    private final BySession<Timer> timers = new BySession<>();
    private boolean leading;

    /**
     * A session whose timer ran out.
     *
     * @param session the session
     * @param renewalSeen stamp of the renewal from which the timer ran
     */
    public record Due(long session, long renewalSeen) {}

    /**
     * What a timer needs to know of a session.
     *
     * @param session the session
     * @param renewal stamp of its last applied renewal
     * @param terms what its holder was told
     */
    public record Granted(long session, long renewal, LeaseTerms terms) {}

    private static final class Timer {
        final long session;
        final LeaseTerms terms;
        final long renewal;
        ClockReading startedAt;
        /** By short spans. */
        long leftOutNanos;

        boolean reported;

        Timer(Granted granted, ClockReading startedAt) {
            this.session = granted.session();
            this.terms = granted.terms();
            this.renewal = granted.renewal();
            this.startedAt = startedAt;
        }

        void leaveOut(long nanos, ClockReading now) {
            long left = nanos;
            if (nanos < STANDSTILL_NANOS) {
                left = Math.min(nanos, terms.granterNanos() - leftOutNanos);
                leftOutNanos += left;
            }
            startedAt = now.shortestSince(startedAt) > left ? startedAt.plus(left) : now;
        }
    }

    /** Timers of a peer that does not lead. */
    public SessionTimers() {
        this(Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public SessionTimers(Guards guards) {
        this.guards = guards;
    }

    /**
     * This peer leads, and has applied an entry of its own term: every session gets a full timer.
     *
     * @param open every open session
     */
    public void startTerm(List<Granted> open, ClockReading now) {
        leading = true;
        if (guards.on(Guard.TIMERS_END_WITH_THE_TERM)) {
            timers.clear();
        }
        for (var granted : open) {
            var full = guards.on(Guard.FULL_TIMER_IN_A_NEW_TERM);
            var startedAt = full ? now : now.plus(-granted.terms().granterNanos());
            if (guards.on(Guard.TIMERS_END_WITH_THE_TERM)) {
                start(granted, startedAt);
            } else if (timers.get(granted.session()) == null) {
                start(granted, startedAt);
            }
        }
    }

    /** This peer leads no longer. */
    public void stopTerm() {
        leading = false;
        if (guards.on(Guard.TIMERS_END_WITH_THE_TERM)) {
            timers.clear();
        }
    }

    /** A renewal, or the opening, of a session was applied. Without effect while this peer does not lead. */
    public void renewed(Granted granted, ClockReading now) {
        if (leading) {
            start(granted, now);
        }
    }

    private void start(Granted granted, ClockReading startedAt) {
        timers.put(granted.session(), new Timer(granted, startedAt));
    }

    /** The session ended. */
    public void ended(long session) {
        timers.remove(session);
    }

    /**
     * So much time before now counts for no session: nobody looked at renewals that came meanwhile. For the granter,
     * longer is safe. Short spans that follow each other make a timer twice as long at most: a leader that goes on so
     * keeps its place, and the dead are to be taken over from all the same.
     */
    public void leaveOut(long nanos, ClockReading now) {
        timers.values().forEach(timer -> timer.leaveOut(nanos, now));
    }

    /** Sessions whose timer ran out and that were not reported yet. */
    public List<Due> due(ClockReading now) {
        if (!leading) {
            return List.of();
        }
        List<Due> due = List.of();
        for (var timer : timers.values()) {
            if (!timer.reported && remaining(timer, now) == 0) {
                timer.reported = true;
                due = due.isEmpty() ? new ArrayList<>() : due;
                due.add(new Due(timer.session, timer.renewal));
            }
        }
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
        return timer == null || !leading ? 0 : remaining(timer, now);
    }

    private long remaining(Timer timer, ClockReading now) {
        if (guards.on(Guard.GRANTER_STARTS_ANEW_WHEN_CLOCKS_DISAGREE) && now.disagreesSince(timer.startedAt)) {
            timer.startedAt = now;
        }
        boolean slowest = guards.on(Guard.GRANTER_COUNTS_THE_SLOWEST_CLOCK);
        long passed = slowest ? now.shortestSince(timer.startedAt) : now.longestSince(timer.startedAt);
        boolean drift = guards.on(Guard.GRANTER_WAITS_FOR_THE_DRIFT);
        return Math.max(0, (drift ? timer.terms.granterNanos() : timer.terms.ttlNanos()) - passed);
    }
}
