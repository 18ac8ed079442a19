package io.seqsvr.core.store;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreChange.PutCluster;
import io.seqsvr.core.store.StoreChange.PutSegment;
import io.seqsvr.core.store.StoreChange.PutSession;
import io.seqsvr.core.store.StoreChange.RemoveTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rules of changes of owner. A segment moves only if nobody serves it: it never had an owner, the owner's session
 * is over, or the owner itself gave the epoch back.
 */
final class AssignmentRules {
    private final Guards guards;

    AssignmentRules(Guards guards) {
        this.guards = guards;
    }

    Decision publish(StoreState state, Cluster cluster, long stamp, StoreCommand.PublishRoutes publish) {
        if (publish.expectedVersion() != cluster.publishVersion() && guards.on(Guard.PLAN_NAMES_ITS_VERSION)) {
            return Decision.unchanged(new StoreReply.RoutesRefused(
                    cluster.publishVersion(), "the plan was made from version " + publish.expectedVersion()));
        }
        if (Restoration.waits(state, cluster) && guards.on(Guard.RESTORE_WAITS_FOR_LEASES)) {
            return Decision.unchanged(new StoreReply.RoutesRefused(
                    cluster.publishVersion(),
                    "the cluster was restored, and leases from before that may still be valid"));
        }
        var changes = new ArrayList<StoreChange>();
        var receivers = new TreeMap<Long, Session>();
        var seen = new HashSet<SegmentId>();
        for (var move : publish.moves()) {
            var problem = problem(state, move);
            if (problem.isPresent()) {
                return Decision.unchanged(new StoreReply.RoutesRefused(cluster.publishVersion(), problem.get()));
            }
            var namespace = state.namespace(move.namespaceId()).orElseThrow();
            var receiver = state.session(move.session()).orElseThrow();
            receivers.put(receiver.id(), receiver.assignedAt(stamp));
            for (int index = move.first(); index <= move.last(); index++) {
                var id = new SegmentId(move.namespaceId(), index);
                if (!seen.add(id)) {
                    return Decision.rejected("PublishRoutes moves segment " + id + " twice");
                }
                var before = state.segmentOrFresh(id);
                begin(state, assigned(before, namespace, move.session(), stamp), changes);
            }
        }
        receivers.values().forEach(receiver -> changes.add(new PutSession(receiver)));
        changes.add(new PutCluster(cluster.publishedAt(stamp)));
        return new Decision(new StoreReply.RoutesPublished(stamp), changes);
    }

    /** Why a move may not be: never is a segment taken from a session that is open. */
    private Optional<String> problem(StoreState state, StoreCommand.Move move) {
        var namespace = state.namespace(move.namespaceId());
        if (namespace.isEmpty()
                || move.first() < 0
                || move.first() > move.last()
                || move.last() >= namespace.get().segmentCount()) {
            return Optional.of("there are no segments " + move.first() + " to " + move.last() + " in namespace "
                    + move.namespaceId());
        }
        var receiver = receiverProblem(state, move.session());
        if (receiver.isPresent() || !guards.on(Guard.LIVE_OWNER_IS_SPARED)) {
            return receiver;
        }
        for (int index = move.first(); index <= move.last(); index++) {
            var segment = state.segment(new SegmentId(move.namespaceId(), index));
            if (segment.isPresent()
                    && !segment.get().isReleased()
                    && state.session(segment.get().owner()).isPresent()) {
                return Optional.of("segment " + segment.get().id() + " belongs to open session "
                        + segment.get().owner());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> receiverProblem(StoreState state, long session) {
        var receiver = state.session(session);
        if (receiver.isEmpty()) {
            return Optional.of("session " + session + " is not open");
        }
        if (receiver.get().expelled()) {
            return Optional.of("session " + session + " is expelled");
        }
        if (receiver.get().leaving()) {
            return Optional.of("session " + session + " is leaving");
        }
        return receiver.get().kind() == SessionKind.ALLOCATOR
                ? Optional.empty()
                : Optional.of("session " + session + " is not an allocator's");
    }

    /** The next epoch: it starts at the {@code high} of the one before where one is recorded, else at max_seq. */
    private SegmentRecord assigned(SegmentRecord before, Namespace namespace, long session, long stamp) {
        var exact = before.release() instanceof ReleaseMark.WithHigh;
        long base = before.release() instanceof ReleaseMark.WithHigh with ? with.high() : before.maxSeq();
        if (!guards.on(Guard.EPOCH_STARTS_AT_MAX_SEQ) && !exact) {
            base = before.base();
        }
        long epoch = guards.on(Guard.EPOCH_GROWS) ? before.epoch() + 1 : Math.max(1, before.epoch());
        return new SegmentRecord(
                before.id(),
                epoch,
                session,
                base,
                exact ? before.owner() : 0,
                Math.max(before.maxSeq(), namespace.stepAbove(base)),
                stamp,
                ReleaseMark.NONE);
    }

    /** The epoch begins, and a stored table that does not fit it will never fit any. */
    private static void begin(StoreState state, SegmentRecord segment, List<StoreChange> changes) {
        changes.add(new PutSegment(segment));
        if (state.table(segment.id()).filter(table -> !table.fits(segment)).isPresent()) {
            changes.add(new RemoveTable(segment.id()));
        }
    }

    Decision release(StoreState state, Cluster cluster, long stamp, StoreCommand.Release release) {
        if (!mayRelease(state, release.session())) {
            return Decision.gone(release.session());
        }
        var changes = new ArrayList<StoreChange>();
        var items = new ArrayList<StoreReply.ReleasedItem>();
        var seen = new HashSet<SegmentId>();
        for (var item : release.items()) {
            if (!seen.add(item.segment())) {
                return Decision.rejected("Release names segment " + item.segment() + " twice");
            }
            var released = released(state, release.session(), item);
            released.ifPresent(segment -> changes.add(new PutSegment(segment)));
            items.add(fate(state, release.session(), item, released));
        }
        if (!changes.isEmpty()) {
            changes.add(new PutCluster(cluster.changedAt(stamp)));
        }
        return new Decision(new StoreReply.Released(items), changes);
    }

    Decision handOver(StoreState state, Cluster cluster, long stamp, StoreCommand.HandOver handOver) {
        if (!mayRelease(state, handOver.session())) {
            return Decision.gone(handOver.session());
        }
        var problem = receiverProblem(state, handOver.to());
        if (problem.isPresent()) {
            // A repeat is answered like the first, also where the receiver has gone in between.
            var repeated = handOver.items().stream()
                    .map(item -> fate(state, handOver.session(), item, Optional.empty()))
                    .toList();
            return Decision.unchanged(
                    repeated.stream().allMatch(StoreReply.ReleasedItem::accepted)
                            ? new StoreReply.Released(repeated)
                            : new StoreReply.ReceiverRefused(problem.get()));
        }
        var changes = new ArrayList<StoreChange>();
        var items = new ArrayList<StoreReply.ReleasedItem>();
        var seen = new HashSet<SegmentId>();
        for (var item : handOver.items()) {
            if (!seen.add(item.segment())) {
                return Decision.rejected("HandOver names segment " + item.segment() + " twice");
            }
            var released = released(state, handOver.session(), item);
            if (released.isPresent()) {
                var namespace = state.namespace(item.segment().namespaceId()).orElseThrow();
                begin(state, assigned(released.get(), namespace, handOver.to(), stamp), changes);
            }
            items.add(fate(state, handOver.session(), item, released));
        }
        if (!changes.isEmpty()) {
            changes.add(
                    new PutSession(state.session(handOver.to()).orElseThrow().assignedAt(stamp)));
            changes.add(new PutCluster(cluster.handedOverAt(stamp)));
        }
        return new Decision(new StoreReply.Released(items), changes);
    }

    /** A clone's {@code high} may be too low, so that of a session that is over or expelled does not count. */
    private boolean mayRelease(StoreState state, long session) {
        return !guards.on(Guard.RELEASE_ASKS_FOR_A_LIVE_SESSION)
                || state.session(session).filter(open -> !open.expelled()).isPresent();
    }

    /** The segment with its release in place, if this is the first one of the epoch that the session owns. */
    private Optional<SegmentRecord> released(StoreState state, long session, StoreCommand.Sealed item) {
        var found = state.segment(item.segment());
        if (found.isEmpty() || found.get().owner() != session) {
            return Optional.empty();
        }
        var segment = found.get();
        boolean otherEpoch = segment.epoch() != item.epoch() && guards.on(Guard.RELEASE_NAMES_ITS_EPOCH);
        if (otherEpoch || (segment.isReleased() && guards.on(Guard.FIRST_RELEASE_COUNTS))) {
            return Optional.empty();
        }
        if (item.high() == StoreCommand.Sealed.NO_HIGH) {
            return Optional.of(segment.released(item.mark()));
        }
        long most = state.namespace(segment.id().namespaceId()).orElseThrow().maxSequence();
        if (item.high() < segment.base() || item.high() > most) {
            return Optional.empty();
        }
        boolean raises = guards.on(Guard.RELEASE_RAISES_MAX_SEQ);
        long maxSeq = raises ? Math.max(segment.maxSeq(), item.high()) : segment.maxSeq();
        return Optional.of(segment.raisedTo(maxSeq).released(item.mark()));
    }

    /** A repeat is answered like the first: the epoch ended with this very {@code high}. */
    private static StoreReply.ReleasedItem fate(
            StoreState state, long session, StoreCommand.Sealed item, Optional<SegmentRecord> released) {
        var accepted = released.isPresent()
                || state.segment(item.segment())
                        .filter(segment -> endedWith(segment, session, item))
                        .isPresent();
        return new StoreReply.ReleasedItem(item.segment(), item.epoch(), accepted);
    }

    private static boolean endedWith(SegmentRecord segment, long session, StoreCommand.Sealed item) {
        if (segment.epoch() == item.epoch()) {
            return segment.owner() == session && segment.release().equals(item.mark());
        }
        return segment.epoch() == item.epoch() + 1 && segment.handedBy() == session && segment.base() == item.high();
    }
}
