package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.session.SessionKeeper;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How segments come to this allocator and leave it, with everything that belongs to them: waiting requests, raises,
 * confirmations and hand-overs.
 */
final class Ownership {
    /** Tables that nobody may use yet have this part of the memory for counters, besides it. */
    private static final int ARRIVING_PART = 8;

    private final AllocatorOutbox out;
    private final Guards guards;
    final CounterMemory memory;
    final SegmentTable segments;
    final RaiseQueue raises;
    final Confirmations confirmations;
    final WaitingRoom waiting;
    final Departures departures;
    final Arrivals arrivals;
    final FetchingTables fetching;
    private Optional<StoreView> view = Optional.empty();

    Ownership(AllocatorOutbox out, AllocatorLimits limits, Guards guards) {
        this.out = out;
        this.guards = guards;
        this.memory = new CounterMemory(limits.counterBytes());
        this.segments = new SegmentTable(memory, guards);
        this.raises = new RaiseQueue(out, guards);
        this.confirmations = new Confirmations(out, guards);
        this.waiting = new WaitingRoom(limits.waiting(), out, confirmations, guards);
        this.departures = new Departures(out, guards);
        this.arrivals = new Arrivals(out, limits.counterBytes() / ARRIVING_PART, guards);
        this.fetching = new FetchingTables(out);
    }

    /** Takes in what a Claim showed that is newer than what is here. */
    void load(long session, StoreReply.Claimed claimed, HolderLease lease, ClockReading now) {
        segments.learn(claimed.version(), claimed.namespaces());
        var fresh = new ArrayList<StoreReply.ClaimedSegment>();
        for (var segment : claimed.segments()) {
            if (!segments.isNew(segment)) {
                continue;
            }
            fetching.forget(segment.segment());
            segments.find(segment.segment()).ifPresent(old -> drop(session, old, Requests.notOwner(old.id())));
            var table = arrivals.take(segment).filter(exact -> segments.holds(segment.segment(), exact));
            boolean fetches = table.isEmpty() && segment.tableStored();
            if (fetches) {
                fetching.add(segment, lease, now);
            }
            if (!fetches || !guards.on(Guard.TABLE_IS_DECIDED_ONCE)) {
                segments.load(segment, table, lease);
                fresh.add(segment);
            }
        }
        LoadReport.of(session, fresh, claimed.through()).forEach(out::report);
    }

    /** Stored tables have come. */
    void fetched(long session, StoreCommand.FetchTables sent, StoreReply.TablesFetched reply) {
        decided(session, fetching.fetched(sent.holdings(), reply.tables()));
    }

    /** Segments that waited for their tables wait no longer. */
    private void decided(long session, List<FetchingTables.Decided> decisions) {
        for (var decided : decisions) {
            var claimed = decided.pending().claimed();
            if (!guards.on(Guard.TABLE_IS_DECIDED_ONCE)) {
                segments.reload(claimed, decided.table());
                continue;
            }
            var table = decided.table().filter(exact -> arrivals.fits(exact, claimed));
            segments.load(claimed, table, decided.pending().lease());
            LoadReport.of(session, List.of(claimed), 0).forEach(out::report);
        }
    }

    /**
     * A raise was answered.
     *
     * @return whether some of the segments turned out not to be owned any more
     */
    boolean raised(long session, StoreReply.Raised reply) {
        var stale = raises.raised(reply, segments);
        stale.forEach(segment -> drop(session, segment, Requests.notOwner(segment.id())));
        for (var item : reply.items()) {
            segments.find(item.segment()).ifPresent(waiting::resumeDurable);
        }
        return !stale.isEmpty();
    }

    /**
     * A confirmation was answered.
     *
     * @return whether some of the segments turned out not to be owned any more
     */
    boolean confirmed(long session, List<Boolean> held) {
        boolean lost = false;
        for (var outcome : confirmations.confirmed(held)) {
            if (outcome.confirmed()) {
                waiting.resumeConfirmed(outcome.waiters());
            } else if (!outcome.segment().dropped()) {
                waiting.refuse(
                        outcome.waiters(), Requests.notOwner(outcome.segment().id()));
                drop(
                        session,
                        outcome.segment(),
                        Requests.notOwner(outcome.segment().id()));
                lost = true;
            }
        }
        return lost;
    }

    /**
     * Segments were given back or handed over, or were to be.
     *
     * @return whether some of them turned out not to be owned any more
     */
    boolean released(long session, List<StoreCommand.Sealed> sent, StoreReply.Released reply) {
        boolean lost = false;
        var gone = new ArrayList<StoreCommand.Sealed>();
        for (int i = 0; i < sent.size(); i++) {
            var item = sent.get(i);
            var found = segments.find(item.segment());
            if (found.isEmpty() || found.get().counters().epoch() != item.epoch()) {
                continue;
            }
            var segment = found.get();
            if (reply.items().get(i).accepted()) {
                waiting.resumeReleased(segment);
                gone.add(item);
                forget(segment);
            } else {
                drop(session, segment, Requests.notOwner(segment.id()));
                lost = true;
            }
        }
        ReleaseReport.of(session, gone).forEach(out::report);
        return lost;
    }

    /** A message of another allocator. */
    void heard(long from, PeerMessage message, ClockReading now) {
        if (message instanceof PeerMessage.Pages pages) {
            if (segments.mayStillCome(message.segment(), message.epoch())) {
                arrivals.pages(from, pages);
            }
        } else if (message instanceof PeerMessage.TableSealed sealed) {
            if (segments.mayStillCome(message.segment(), message.epoch())) {
                arrivals.sealed(from, sealed);
            }
        } else if (message instanceof PeerMessage.PagesTaken taken) {
            departures.pagesTaken(taken, now);
        } else if (message instanceof PeerMessage.TableTaken taken) {
            departures.tableTaken(taken);
        } else {
            throw new IllegalStateException("no rule for " + message);
        }
    }

    private void drop(long session, LoadedSegment segment, Answer.Refused answer) {
        waiting.refuse(segment, answer);
        forget(segment);
        out.report(new AllocatorEvent.SegmentDropped(
                session,
                segment.id().namespaceId(),
                segment.id().index(),
                segment.counters().epoch()));
    }

    private void forget(LoadedSegment segment) {
        raises.forget(segment);
        departures.forget(segment);
        segments.drop(segment);
    }

    /** Time passes: nobody waits for ever, and hand-overs go on. */
    void tick(long session, boolean leaseValid, ClockReading now) {
        if (waiting.size() > 0 && !leaseValid) {
            waiting.refuseAll(
                    segments.all().stream()
                            .filter(segment -> !WaitingRoom.mustConfirm(segment))
                            .toList(),
                    new Answer.Refused(
                            Refusal.LEASE_EXPIRED, "the lease ran out while the request waited for StoreSvr"));
        }
        if (waiting.isStuck(now)) {
            waiting.refuseAll(
                    segments.all(),
                    new Answer.Refused(
                            Refusal.NOT_READY,
                            "StoreSvr has confirmed nothing for " + WaitingRoom.STUCK_NANOS / 1_000_000_000
                                    + " s; the request waited for it"));
        }
        departures.tick(session, now);
        if (!fetching.isEmpty()) {
            decided(session, fetching.overdue(now));
        }
    }

    /** What a watch shows drops nothing, unless the guard is missing that says so. */
    void seen(long session, StoreView seen) {
        view = Optional.of(seen);
        if (guards.on(Guard.WATCH_ONLY_WAKES)) {
            return;
        }
        for (var segment : segments.all()) {
            var id = segment.id();
            var shown = seen.routes().find(id.namespaceId(), id.index());
            if (shown.filter(range -> range.owner() == session).isEmpty()) {
                drop(session, segment, Requests.notOwner(id));
            }
        }
    }

    /** Whether nothing that was seen speaks against giving this session segments. */
    boolean mayReceive(long session) {
        return view.isEmpty()
                || view.get()
                        .session(session)
                        .filter(StoreView.Member::mayReceive)
                        .isPresent();
    }

    /** Everything goes to the other allocators, or back to StoreSvr where none is seen. */
    void giveAway(long session, ClockReading now) {
        var ids = segments.all().stream().map(LoadedSegment::id).toList();
        view.map(seen -> Heirs.of(seen, session, ids))
                .ifPresent(heirs -> heirs.forEach((heir, share) -> share.forEach(
                        id -> segments.find(id).ifPresent(segment -> departures.start(segment, heir, now)))));
        for (var segment : segments.all()) {
            if (!departures.isLeaving(segment)) {
                departures.leave(session, segment, now);
            }
        }
    }

    /** What nobody took goes back to StoreSvr. */
    void giveBackWhatStayed(long session, ClockReading now) {
        departures.stayed().forEach(segment -> departures.leave(session, segment, now));
    }

    /** The session is over: everything goes. */
    void dropAll(Answer.Refused answer) {
        waiting.refuseAll(segments.all(), answer);
        segments.all().forEach(segments::drop);
        raises.clear();
        confirmations.clear();
        departures.clear();
        arrivals.clear();
        fetching.clear();
    }

    /** Sends what is wanted and not under way. */
    void flush(SessionKeeper keeper, ClockReading now) {
        long session = keeper.session();
        raises.flush(session, now);
        confirmations.flush(keeper, now);
        departures.flush(session, now);
        fetching.flush(session, now);
    }
}
