package io.seqsvr.core.store;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreChange.PutCluster;
import io.seqsvr.core.store.StoreChange.PutSegment;
import io.seqsvr.core.store.StoreChange.RemoveTable;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** The rules of what an owner asks about its segments, and of floors where there is no owner. */
final class SegmentRules {
    private final Guards guards;

    SegmentRules(Guards guards) {
        this.guards = guards;
    }

    Decision raise(StoreState state, StoreCommand.Raise raise) {
        var session = state.session(raise.session());
        var open = session.isPresent() && !session.get().expelled();
        if (!open && guards.on(Guard.RAISE_ASKS_FOR_THE_EPOCH)) {
            return Decision.gone(raise.session());
        }
        var changes = new ArrayList<StoreChange>();
        var items = new ArrayList<StoreReply.RaisedItem>();
        var seen = new HashSet<SegmentId>();
        for (var item : raise.items()) {
            if (!seen.add(item.segment())) {
                return Decision.rejected("Raise names segment " + item.segment() + " twice");
            }
            var segment = state.segment(item.segment());
            if (segment.isEmpty() || !mayRaise(segment.get(), raise.session(), item.epoch())) {
                long inForce = segment.map(SegmentRecord::maxSeq).orElse(0L);
                items.add(new StoreReply.RaisedItem(item.segment(), item.epoch(), false, inForce));
                continue;
            }
            long raised = raisedTo(state, segment.get(), item.maxSeq());
            if (guards.on(Guard.RAISE_IS_KEPT)) {
                changes.add(new PutSegment(segment.get().raisedTo(raised)));
            }
            items.add(new StoreReply.RaisedItem(item.segment(), item.epoch(), true, raised));
        }
        return new Decision(new StoreReply.Raised(items), changes);
    }

    private boolean mayRaise(SegmentRecord segment, long session, long epoch) {
        return !guards.on(Guard.RAISE_ASKS_FOR_THE_EPOCH)
                || (segment.owner() == session && segment.epoch() == epoch && !segment.isReleased());
    }

    private long raisedTo(StoreState state, SegmentRecord segment, long wanted) {
        long most = state.namespace(segment.id().namespaceId()).orElseThrow().maxSequence();
        long bounded = Math.min(wanted, most);
        return guards.on(Guard.MAX_SEQ_NEVER_FALLS) ? Math.max(segment.maxSeq(), bounded) : bounded;
    }

    Decision claim(StoreState state, Cluster cluster, StoreCommand.Claim claim) {
        var session = state.session(claim.session());
        if (session.isEmpty() || session.get().expelled()) {
            return Decision.gone(claim.session());
        }
        // One more tells whether there is more.
        var owned = state.owned(claim.session(), claim.since(), StoreCommand.MAX_SEGMENTS + 1);
        // One command moves at most MAX_SEGMENTS, so whole versions always fit, the first one at least.
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
                .map(segment -> claimed(state, segment))
                .toList();
        return Decision.unchanged(new StoreReply.Claimed(
                segments, through, more, cluster.watchVersion(), List.copyOf(state.namespaces())));
    }

    private static ClaimedSegment claimed(StoreState state, SegmentRecord segment) {
        return new ClaimedSegment(
                segment.id(),
                segment.epoch(),
                segment.base(),
                segment.startsFromHigh(),
                segment.maxSeq(),
                state.table(segment.id()).filter(table -> table.fits(segment)).isPresent());
    }

    Decision raiseFloor(StoreState state, Cluster cluster, long stamp, StoreCommand.RaiseFloor command) {
        var id = command.segment();
        var namespace = state.namespace(id.namespaceId());
        if (namespace.isEmpty()
                || id.index() < 0
                || id.index() >= namespace.get().segmentCount()) {
            return Decision.rejected("RaiseFloor names segment " + id + ", which does not exist");
        }
        if (command.floor() < 1 || command.floor() > namespace.get().maxSequence()) {
            return Decision.rejected("RaiseFloor to " + command.floor() + "; it must be from 1 to "
                    + namespace.get().maxSequence());
        }
        if (Restoration.waits(state, cluster) && guards.on(Guard.RESTORE_WAITS_FOR_LEASES)) {
            return Decision.unchanged(new StoreReply.FloorRefused(Stamp.before(cluster.incarnation())));
        }
        var segment = state.segmentOrFresh(id);
        if (hasOwner(state, segment) && guards.on(Guard.OWNER_ALONE_RAISES_FLOORS)) {
            return Decision.unchanged(new StoreReply.FloorRefused(segment.owner()));
        }
        var raised = segment.raisedTo(Math.max(segment.maxSeq(), command.floor()));
        if (segment.isReleased() && guards.on(Guard.FLOOR_VOIDS_HIGH)) {
            raised = raised.released(ReleaseMark.WITHOUT_HIGH);
        }
        var changes = new ArrayList<StoreChange>();
        changes.add(new PutSegment(raised));
        changes.add(new PutCluster(cluster.changedAt(stamp)));
        state.table(id).ifPresent(erased -> changes.add(new RemoveTable(id)));
        return new Decision(new StoreReply.FloorRaised(raised.maxSeq()), changes);
    }

    private static boolean hasOwner(StoreState state, SegmentRecord segment) {
        return !segment.isReleased() && state.session(segment.owner()).isPresent();
    }
}
