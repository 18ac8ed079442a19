package io.seqsvr.core.store;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.SessionTimers;
import java.util.List;
import java.util.Optional;

/**
 * What the Raft leader does by itself, as a role: it refuses what must not reach the log, runs the session timers, and
 * proposes the end of a session whose timer ran out. All of it is soft state of one term.
 *
 * <p>Invariant: nothing is granted and nobody is ended here; what has an effect goes through the log, and is answered
 * only after it was applied. So a leader that was deposed without noticing can do no harm.
 *
 * <p>The caller's duties: {@link #lead} once this peer leads and has applied an entry of its own term, {@link #follow}
 * when it leads no longer; {@link #applied} for each applied command that changed something, on every peer; propose
 * what {@link #tick} returns and tell of each proposal without outcome by {@link #unanswered}; {@link #renewed} for
 * each renewal that the log answered.
 */
public final class StoreLeader {
    private final Guards guards;
    private final SessionTimers timers;
    private final Hearing hearing = new Hearing();
    private boolean leading;

    /** A peer that does not lead yet. */
    public StoreLeader() {
        this(Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public StoreLeader(Guards guards) {
        this.guards = guards;
        this.timers = new SessionTimers(guards);
    }

    /** This peer leads and is ready: every open session gets a full timer. */
    public void lead(StoreState state, ClockReading now) {
        leading = true;
        hearing.clear();
        timers.startTerm(state.sessions().stream().map(Session::granted).toList(), now);
    }

    /** This peer leads no longer. */
    public void follow() {
        leading = false;
        timers.stopTerm();
    }

    /** Whether this peer leads and is ready. */
    public boolean leading() {
        return leading;
    }

    /**
     * An answer that needs no log entry: refusals only.
     *
     * @param state the state as this peer has applied it
     */
    public Optional<StoreReply> refuse(StoreState state, StoreCommand command, ClockReading now) {
        if (command instanceof StoreCommand.Renew renew) {
            if (!guards.on(Guard.RENEWAL_GOES_THROUGH_THE_LOG) && !isFirst(state, renew)) {
                return Optional.of(
                        new StoreRules(guards).decide(state, 0, renew).reply());
            }
            if (isUnheard(state, renew, now)) {
                hearing.answered(renew.session(), renew.attempt(), now);
                return Optional.of(new StoreReply.RenewalUnheard(renew.session()));
            }
        }
        if (command instanceof StoreCommand.PublishRoutes publish && isOld(state, publish)) {
            return Optional.of(new StoreReply.RoutesRefused(
                    state.cluster().orElseThrow().publishVersion(),
                    "the plan was made from version " + publish.expectedVersion()));
        }
        if (command instanceof StoreCommand.OpenSession open) {
            return state.sessions().size() < StoreCommand.MAX_SESSIONS ? Optional.empty() : refuseBeyond(state, open);
        }
        return StoreRules.limitProblem(command)
                .map(problem -> unlogged(command.getClass().getSimpleName() + " " + problem));
    }

    /** Who is open already, or has another one in its way, is told so by the log as ever. */
    private Optional<StoreReply> refuseBeyond(StoreState state, StoreCommand.OpenSession open) {
        return new StoreRules(guards).decide(state, 0, open).reply() instanceof StoreReply.Rejected rejected
                ? Optional.of(unlogged(rejected.reason()))
                : Optional.empty();
    }

    private static StoreReply unlogged(String reason) {
        return new StoreReply.Rejected(reason + "; it was not put into the log");
    }

    /** The first one goes through the log even without its guard: it is what opens the way to segments. */
    private static boolean isFirst(StoreState state, StoreCommand.Renew renew) {
        return state.session(renew.session())
                .filter(session -> !session.hasRenewed())
                .isPresent();
    }

    private boolean isUnheard(StoreState state, StoreCommand.Renew renew, ClockReading now) {
        if (!guards.on(Guard.RENEWAL_SHOWS_WHAT_WAS_HEARD)) {
            return false;
        }
        var session = state.openSession(renew.session());
        return session != null && !hearing.isFresh(renew, session.terms(), now);
    }

    /** A plan from before the last one is refused for ever, so it need not be an entry. */
    private boolean isOld(StoreState state, StoreCommand.PublishRoutes publish) {
        return guards.on(Guard.PLAN_NAMES_ITS_VERSION)
                && state.cluster()
                        .filter(cluster -> publish.expectedVersion() < cluster.publishVersion())
                        .isPresent();
    }

    /** A command that changed rows was applied here. */
    public void applied(long stamp, List<StoreChange> changes, ClockReading now) {
        for (var change : changes) {
            if (change instanceof StoreChange.PutSession put && put.session().renewal() == stamp) {
                timers.renewed(put.session().granted(), now);
            } else if (change instanceof StoreChange.RemoveSession remove) {
                timers.ended(remove.session());
                hearing.ended(remove.session());
            }
        }
    }

    /** The answer to an applied renewal leaves; its session may have ended by then. */
    public void renewed(StoreState state, long session, long attempt, ClockReading now) {
        if (state.openSession(session) != null) {
            hearing.answered(session, attempt, now);
        }
    }

    /** The reply of an applied command as it leaves: who must wait is told how long. */
    public StoreReply complete(StoreReply reply, ClockReading now) {
        return reply instanceof StoreReply.SessionHeld held
                ? held.withRemaining(timers.remainingNanos(held.holder(), now))
                : reply;
    }

    /**
     * So much time before now was one in which this process stood still, or got no processor: renewals that came
     * meanwhile may not have been read yet, so it counts for no session.
     */
    public void stoodStill(long nanos, ClockReading now) {
        timers.leaveOut(nanos, now);
    }

    /** Commands to propose now. */
    public List<StoreCommand.ExpireSession> tick(ClockReading now) {
        var due = timers.due(now);
        return due.isEmpty()
                ? List.of()
                : due.stream()
                        .map(one -> new StoreCommand.ExpireSession(one.session(), one.renewalSeen()))
                        .toList();
    }

    /** The outcome of a proposal is unknown: it is made again. */
    public void unanswered(StoreCommand.ExpireSession proposal) {
        timers.reportAgain(new SessionTimers.Due(proposal.session(), proposal.renewalSeen()));
    }

    /** Nanoseconds until the session expires if it does not renew; 0 where this peer cannot tell. */
    public long remainingNanos(long session, ClockReading now) {
        return timers.remainingNanos(session, now);
    }
}
