package io.seqsvr.core.store;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreChange.PutCluster;
import io.seqsvr.core.store.StoreChange.PutNamespace;
import io.seqsvr.core.store.StoreChange.PutSegment;
import io.seqsvr.core.store.StoreChange.PutSession;
import io.seqsvr.core.store.StoreChange.RemoveSession;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rules of the replicated commands: decide first, apply after. A decision is a function of the state, the command
 * and its stamp, and of nothing else: no clock, no randomness, no unordered map.
 */
public final class StoreRules {
    private StoreRules() {}

    /**
     * What a command does.
     *
     * @param reply the answer, which tells the state after the changes
     * @param changes rows to write, in order; none for a refusal
     */
    public record Decision(StoreReply reply, List<StoreChange> changes) {
        static Decision unchanged(StoreReply reply) {
            return new Decision(reply, List.of());
        }
    }

    /**
     * Decides a command.
     *
     * @param state the state after all commands before it
     * @param stamp the command's stamp
     */
    public static Decision decide(StoreState state, long stamp, StoreCommand command) {
        if (command instanceof StoreCommand.CreateCluster create) {
            return createCluster(state, stamp, create);
        }
        var cluster = state.cluster();
        if (cluster.isEmpty()) {
            return rejected("the cluster was not created yet");
        }
        if (command instanceof StoreCommand.Renew renew) {
            return renew(state, cluster.get(), stamp, renew);
        }
        if (command instanceof StoreCommand.Raise raise) {
            return raise(state, raise);
        }
        if (command instanceof StoreCommand.Claim claim) {
            return claim(state, claim);
        }
        if (command instanceof StoreCommand.OpenSession open) {
            return openSession(state, cluster.get(), stamp, open);
        }
        if (command instanceof StoreCommand.CloseSession close) {
            return endSession(state, cluster.get(), stamp, close.session());
        }
        if (command instanceof StoreCommand.ExpireSession expire) {
            return expireSession(state, cluster.get(), stamp, expire);
        }
        if (command instanceof StoreCommand.PublishRoutes publish) {
            return publishRoutes(state, cluster.get(), stamp, publish);
        }
        throw new IllegalStateException("no rule for " + command);
    }

    private static Decision createCluster(StoreState state, long stamp, StoreCommand.CreateCluster create) {
        if (state.cluster().isPresent()) {
            return Decision.unchanged(new StoreReply.ClusterCreated(false));
        }
        var changes = new ArrayList<StoreChange>();
        changes.add(new PutCluster(new Cluster(create.clusterId(), create.lease(), 0, stamp)));
        create.namespaces().forEach(namespace -> changes.add(new PutNamespace(namespace)));
        return new Decision(new StoreReply.ClusterCreated(true), changes);
    }

    private static Decision openSession(StoreState state, Cluster cluster, long stamp, StoreCommand.OpenSession open) {
        if (!fits(open.name()) || !fits(open.address())) {
            return rejected("OpenSession with a name of " + open.name().length() + " and an address of "
                    + open.address().length() + " characters; each must have 1 to " + StoreCommand.MAX_NAME);
        }
        for (var session : state.sessions()) {
            if (session.nonce() == open.nonce() && session.name().equals(open.name())) {
                return Decision.unchanged(new StoreReply.SessionOpened(session.id(), cluster.lease()));
            }
            if (session.name().equals(open.name()) || session.address().equals(open.address())) {
                return Decision.unchanged(
                        new StoreReply.SessionHeld(session.id(), session.name(), session.address(), 0));
            }
        }
        var session = new Session(stamp, open.nonce(), open.name(), open.address(), stamp, 0);
        return new Decision(
                new StoreReply.SessionOpened(stamp, cluster.lease()),
                List.of(new PutSession(session), new PutCluster(cluster.changedAt(stamp))));
    }

    private static boolean fits(String name) {
        return !name.isEmpty() && name.length() <= StoreCommand.MAX_NAME;
    }

    private static Decision renew(StoreState state, Cluster cluster, long stamp, StoreCommand.Renew renew) {
        var session = state.session(renew.session());
        if (session.isEmpty()) {
            return gone(renew.session());
        }
        var renewed = session.get().renewedAt(stamp);
        return new Decision(
                new StoreReply.Renewed(renewed.assignmentVersion(), cluster.watchVersion()),
                List.of(new PutSession(renewed)));
    }

    private static Decision claim(StoreState state, StoreCommand.Claim claim) {
        var session = state.session(claim.session());
        if (session.isEmpty()) {
            return gone(claim.session());
        }
        var owned = state.segments().stream()
                .filter(segment -> segment.owner() == claim.session() && segment.assignedAt() > claim.since())
                .sorted(Comparator.comparingLong(SegmentRecord::assignedAt).thenComparing(SegmentRecord::id))
                .toList();
        // One PublishRoutes moves at most MAX_SEGMENTS, so whole versions always fit, the first one at least.
        var end = owned.size();
        if (end > StoreCommand.MAX_SEGMENTS) {
            end = StoreCommand.MAX_SEGMENTS;
            while (owned.get(end - 1).assignedAt() == owned.get(end).assignedAt()) {
                end--;
            }
        }
        var more = end < owned.size();
        var through = more ? owned.get(end - 1).assignedAt() : session.get().assignmentVersion();
        var segments = owned.subList(0, end).stream()
                .map(segment -> new ClaimedSegment(segment.id(), segment.epoch(), segment.base(), segment.maxSeq()))
                .toList();
        return Decision.unchanged(new StoreReply.Claimed(segments, through, more, List.copyOf(state.namespaces())));
    }

    private static Decision expireSession(
            StoreState state, Cluster cluster, long stamp, StoreCommand.ExpireSession expire) {
        var session = state.session(expire.session());
        if (session.isPresent() && session.get().renewal() != expire.renewalSeen()) {
            return Decision.unchanged(new StoreReply.ExpiryVoid(session.get().renewal()));
        }
        return endSession(state, cluster, stamp, expire.session());
    }

    private static Decision endSession(StoreState state, Cluster cluster, long stamp, long session) {
        if (state.session(session).isEmpty()) {
            return gone(session);
        }
        return new Decision(
                new StoreReply.SessionEnded(session),
                List.of(new RemoveSession(session), new PutCluster(cluster.changedAt(stamp))));
    }

    private static Decision publishRoutes(
            StoreState state, Cluster cluster, long stamp, StoreCommand.PublishRoutes publish) {
        if (publish.expectedVersion() != cluster.tableVersion()) {
            return Decision.unchanged(new StoreReply.RoutesRefused(
                    cluster.tableVersion(), "the plan was made from version " + publish.expectedVersion()));
        }
        var oversized = limitProblem(publish);
        if (oversized.isPresent()) {
            return rejected("PublishRoutes " + oversized.get());
        }
        var changes = new ArrayList<StoreChange>();
        var receivers = new TreeMap<Long, Session>();
        var seen = new HashSet<SegmentId>();
        for (var move : publish.moves()) {
            var problem = problem(state, move);
            if (problem.isPresent()) {
                return Decision.unchanged(new StoreReply.RoutesRefused(cluster.tableVersion(), problem.get()));
            }
            var namespace = state.namespace(move.namespaceId()).orElseThrow();
            var receiver = state.session(move.session()).orElseThrow();
            receivers.put(receiver.id(), receiver.assignedAt(stamp));
            for (int index = move.first(); index <= move.last(); index++) {
                var id = new SegmentId(move.namespaceId(), index);
                if (!seen.add(id)) {
                    return rejected("PublishRoutes moves segment " + id + " twice");
                }
                changes.add(new PutSegment(assigned(state, namespace, id, move.session(), stamp)));
            }
        }
        receivers.values().forEach(receiver -> changes.add(new PutSession(receiver)));
        changes.add(new PutCluster(cluster.publishedAt(stamp)));
        return new Decision(new StoreReply.RoutesPublished(stamp), changes);
    }

    /** Why a move may not be: never is a segment taken from a session that is open. */
    private static Optional<String> problem(StoreState state, StoreCommand.Move move) {
        var namespace = state.namespace(move.namespaceId());
        if (namespace.isEmpty()
                || move.first() < 0
                || move.first() > move.last()
                || move.last() >= namespace.get().segmentCount()) {
            return Optional.of("there are no segments " + move.first() + " to " + move.last() + " in namespace "
                    + move.namespaceId());
        }
        if (state.session(move.session()).isEmpty()) {
            return Optional.of("session " + move.session() + " is not open");
        }
        for (int index = move.first(); index <= move.last(); index++) {
            var segment = state.segment(new SegmentId(move.namespaceId(), index));
            if (segment.isPresent() && state.session(segment.get().owner()).isPresent()) {
                return Optional.of("segment " + segment.get().id() + " belongs to open session "
                        + segment.get().owner());
            }
        }
        return Optional.empty();
    }

    private static SegmentRecord assigned(
            StoreState state, Namespace namespace, SegmentId id, long session, long stamp) {
        var before = state.segment(id);
        long base = before.map(SegmentRecord::maxSeq).orElse(0L);
        long epoch = before.map(SegmentRecord::epoch).orElse(0L) + 1;
        return new SegmentRecord(id, epoch, session, base, Math.max(base, namespace.stepAbove(base)), stamp);
    }

    private static Decision raise(StoreState state, StoreCommand.Raise raise) {
        if (state.session(raise.session()).isEmpty()) {
            return gone(raise.session());
        }
        var oversized = limitProblem(raise);
        if (oversized.isPresent()) {
            return rejected("Raise " + oversized.get());
        }
        var changes = new ArrayList<StoreChange>();
        var items = new ArrayList<StoreReply.RaisedItem>();
        var seen = new HashSet<SegmentId>();
        for (var item : raise.items()) {
            if (!seen.add(item.segment())) {
                return rejected("Raise names segment " + item.segment() + " twice");
            }
            var segment = state.segment(item.segment());
            if (segment.isEmpty()
                    || segment.get().owner() != raise.session()
                    || segment.get().epoch() != item.epoch()) {
                long inForce = segment.map(SegmentRecord::maxSeq).orElse(0L);
                items.add(new StoreReply.RaisedItem(item.segment(), item.epoch(), false, inForce));
                continue;
            }
            var most =
                    state.namespace(item.segment().namespaceId()).orElseThrow().maxSequence();
            var raised = Math.max(segment.get().maxSeq(), Math.min(item.maxSeq(), most));
            changes.add(new PutSegment(segment.get().raisedTo(raised)));
            items.add(new StoreReply.RaisedItem(item.segment(), item.epoch(), true, raised));
        }
        return new Decision(new StoreReply.Raised(items), changes);
    }

    /** Limits that a command must keep before it reaches the log: an oversized entry makes a Raft leader step down. */
    public static Optional<String> limitProblem(StoreCommand command) {
        if (command instanceof StoreCommand.PublishRoutes publish) {
            return sizeProblem(segmentsMoved(publish));
        }
        if (command instanceof StoreCommand.Raise raise) {
            return sizeProblem(raise.items().size());
        }
        return Optional.empty();
    }

    /** 0 if any of the runs is empty or backwards. */
    private static long segmentsMoved(StoreCommand.PublishRoutes publish) {
        long segments = 0;
        for (var move : publish.moves()) {
            if (move.size() < 1) {
                return 0;
            }
            segments += move.size();
        }
        return segments;
    }

    private static Optional<String> sizeProblem(long segments) {
        return segments >= 1 && segments <= StoreCommand.MAX_SEGMENTS
                ? Optional.empty()
                : Optional.of("names " + segments + " segments; it must be 1 to " + StoreCommand.MAX_SEGMENTS);
    }

    private static Decision gone(long session) {
        return Decision.unchanged(new StoreReply.SessionGone(session));
    }

    private static Decision rejected(String reason) {
        return Decision.unchanged(new StoreReply.Rejected(reason));
    }
}
