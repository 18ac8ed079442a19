package io.seqsvr.core.store;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.store.StoreChange.PutCluster;
import io.seqsvr.core.store.StoreChange.PutSession;
import io.seqsvr.core.store.StoreChange.RemoveSession;
import java.util.ArrayList;
import java.util.List;

/** The rules of sessions: bounded, one open session per name and address, ended by itself or by its timer only. */
final class SessionRules {
    private final Guards guards;

    SessionRules(Guards guards) {
        this.guards = guards;
    }

    Decision open(StoreState state, Cluster cluster, long stamp, StoreCommand.OpenSession open) {
        if (!fits(open.name()) || !fits(open.address())) {
            return Decision.rejected("OpenSession with a name of " + open.name().length() + " and an address of "
                    + open.address().length() + " characters; each must have 1 to " + StoreCommand.MAX_NAME);
        }
        var changes = new ArrayList<StoreChange>();
        for (var session : state.sessions()) {
            if (session.nonce() == open.nonce() && session.name().equals(open.name())) {
                return Decision.unchanged(new StoreReply.SessionOpened(session.id(), session.terms()));
            }
            if (session.name().equals(open.name()) || session.address().equals(open.address())) {
                if (guards.on(Guard.NEWCOMER_WAITS)) {
                    return Decision.unchanged(
                            new StoreReply.SessionHeld(session.id(), session.name(), session.address(), 0));
                }
                changes.add(new RemoveSession(session.id()));
            }
        }
        // Whoever is open already, or has to wait for the end of another one, was told so above.
        if (state.sessions().size() - changes.size() >= StoreCommand.MAX_SESSIONS) {
            return Decision.rejected("OpenSession beyond the " + StoreCommand.MAX_SESSIONS
                    + " open sessions that a cluster has at most; stop processes that it does not need, or find out who"
                    + " opens sessions again and again");
        }
        changes.add(new PutSession(new Session(
                stamp,
                open.kind(),
                open.nonce(),
                open.name(),
                open.address(),
                cluster.lease(),
                stamp,
                0,
                false,
                false)));
        changes.add(new PutCluster(cluster.changedAt(stamp)));
        return new Decision(new StoreReply.SessionOpened(stamp, cluster.lease()), changes);
    }

    private static boolean fits(String name) {
        return !name.isEmpty() && name.length() <= StoreCommand.MAX_NAME;
    }

    Decision renew(StoreState state, Cluster cluster, long stamp, StoreCommand.Renew renew) {
        var session = state.openSession(renew.session());
        if (session == null || session.expelled()) {
            return Decision.gone(renew.session());
        }
        var renewed = session.renewedAt(stamp);
        if (!guards.on(Guard.GRANTER_KEEPS_GRANTED_TERMS)) {
            renewed = renewed.withTerms(cluster.lease());
        }
        var confirmed = confirmed(state, renewed, renew.holdings());
        // From the first renewal on it may be given segments: those who watch have to see that.
        boolean shows = !session.hasRenewed();
        long watchVersion = shows ? stamp : cluster.watchVersion();
        return new Decision(
                new StoreReply.Renewed(renewed.assignmentVersion(), watchVersion, confirmed),
                shows
                        ? List.of(new PutSession(renewed), new PutCluster(cluster.changedAt(stamp)))
                        : List.of(new PutSession(renewed)));
    }

    private List<Boolean> confirmed(StoreState state, Session session, List<StoreCommand.Holding> holdings) {
        // Most renewals confirm nothing.
        if (holdings.isEmpty()) {
            return List.of();
        }
        var confirmed = new ArrayList<Boolean>(holdings.size());
        for (var holding : holdings) {
            confirmed.add(!guards.on(Guard.CONFIRMATION_ASKS_FOR_THE_EPOCH) || holds(state, session, holding));
        }
        return confirmed;
    }

    private static boolean holds(StoreState state, Session session, StoreCommand.Holding holding) {
        return state.segment(holding.segment())
                .filter(segment -> segment.owner() == session.id())
                .filter(segment -> segment.epoch() == holding.epoch() && !segment.isReleased())
                .isPresent();
    }

    Decision leave(StoreState state, Cluster cluster, long stamp, StoreCommand.Leave leave) {
        var session = state.session(leave.session());
        if (session.isEmpty() || session.get().expelled()) {
            return Decision.gone(leave.session());
        }
        var reply = new StoreReply.SessionLeaving(leave.session());
        return session.get().leaving()
                ? Decision.unchanged(reply)
                : new Decision(
                        reply,
                        List.of(new PutSession(session.get().leave()), new PutCluster(cluster.changedAt(stamp))));
    }

    Decision close(StoreState state, Cluster cluster, long stamp, StoreCommand.CloseSession close) {
        var session = state.session(close.session());
        if (session.isEmpty() || session.get().expelled()) {
            return Decision.gone(close.session());
        }
        return end(cluster, stamp, close.session());
    }

    Decision expel(StoreState state, Cluster cluster, long stamp, StoreCommand.Expel expel) {
        var session = state.session(expel.session());
        if (session.isEmpty()) {
            return Decision.gone(expel.session());
        }
        if (!guards.on(Guard.EXPELLED_KEEPS_ITS_TIMER)) {
            return end(cluster, stamp, expel.session());
        }
        if (session.get().expelled()) {
            return Decision.unchanged(new StoreReply.SessionExpelled(expel.session()));
        }
        return new Decision(
                new StoreReply.SessionExpelled(expel.session()),
                List.of(new PutSession(session.get().expel()), new PutCluster(cluster.changedAt(stamp))));
    }

    Decision expire(StoreState state, Cluster cluster, long stamp, StoreCommand.ExpireSession expire) {
        var session = state.session(expire.session());
        if (session.isEmpty()) {
            return Decision.gone(expire.session());
        }
        if (guards.on(Guard.EXPIRY_NAMES_ITS_RENEWAL) && session.get().renewal() != expire.renewalSeen()) {
            return Decision.unchanged(new StoreReply.ExpiryVoid(session.get().renewal()));
        }
        return end(cluster, stamp, expire.session());
    }

    private Decision end(Cluster cluster, long stamp, long session) {
        var removed = new RemoveSession(session);
        return new Decision(
                new StoreReply.SessionEnded(session),
                guards.on(Guard.SESSION_END_IS_SHOWN)
                        ? List.of(removed, new PutCluster(cluster.changedAt(stamp)))
                        : List.of(removed));
    }
}
