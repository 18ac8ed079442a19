package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.session.SessionKeeper;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

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
    /** Segments whose tables StoreSvr keeps. */
    private final PendingSegments stored = new PendingSegments(FetchingTables.PATIENCE_NANOS);
    /** Segments of whose tables a part has come from their former owners. */
    private final PendingSegments arriving = new PendingSegments(Arrivals.PATIENCE_NANOS);

    final FetchingTables fetching;
    /** Kept, as it is needed for each request. */
    private final Predicate<LoadedSegment> decidedByItsSeal = this::isDecidedByItsSeal;

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
        this.fetching = new FetchingTables(out, stored);
    }

    /** Takes in what a Claim showed that is newer than what is here. */
    void load(long session, StoreReply.Claimed claimed, HolderLease lease, ClockReading now) {
        segments.learn(claimed.version(), claimed.namespaces());
        var fresh = new ArrayList<Beginning.Loaded>();
        for (var segment : claimed.segments()) {
            if (!segments.isNew(segment)) {
                continue;
            }
            stored.remove(segment.segment());
            arriving.remove(segment.segment());
            segments.find(segment.segment()).ifPresent(old -> drop(session, old, Requests.notOwner(old.id())));
            boolean waits = arrivals.isOnItsWay(segment, now);
            var table = waits ? Optional.<CounterTable>empty() : arrived(segment);
            if (waits) {
                arriving.add(segment, lease, now);
            } else if (table.isEmpty() && segment.tableStored()) {
                waits = true;
                stored.add(segment, lease, now);
            }
            if (!waits || !guards.on(Guard.TABLE_IS_DECIDED_ONCE)) {
                fresh.add(new Beginning.Loaded(segment, segments.load(segment, table, lease)));
            }
        }
        LoadReport.of(session, fresh, claimed.through()).forEach(out::report);
    }

    private Optional<CounterTable> arrived(ClaimedSegment claimed) {
        return arrivals.take(claimed).filter(exact -> segments.holds(claimed.segment(), exact));
    }

    /** Stored tables have come. */
    void fetched(long session, StoreCommand.FetchTables sent, StoreReply.TablesFetched reply) {
        for (var decided : fetching.fetched(sent.holdings(), reply.tables())) {
            decided(session, decided.pending(), decided.table());
        }
    }

    /** More has come of a table, or nothing more will: whoever waits for it waits no longer if that is all. */
    private void arrives(long session, SegmentId segment, ClockReading now) {
        arriving.find(segment)
                .filter(pending -> !arrivals.isOnItsWay(pending.claimed(), now))
                .ifPresent(pending -> {
                    arriving.remove(segment);
                    decided(session, pending, arrived(pending.claimed()));
                });
    }

    /** A segment that waited for its table waits no longer. */
    private void decided(long session, PendingSegments.Pending pending, Optional<CounterTable> exact) {
        var claimed = pending.claimed();
        if (!guards.on(Guard.TABLE_IS_DECIDED_ONCE)) {
            segments.reload(claimed, exact);
            return;
        }
        var fitting = exact.filter(table -> arrivals.fits(table, claimed));
        var loaded = new Beginning.Loaded(claimed, segments.load(claimed, fitting, pending.lease()));
        LoadReport.of(session, List.of(loaded), 0).forEach(out::report);
    }

    /** Whether a segment was claimed whose counters are still to come. */
    boolean isPending(SegmentId segment) {
        return stored.find(segment).isPresent() || arriving.find(segment).isPresent();
    }

    /** Whether no such segment is left. */
    boolean isLoaded() {
        return stored.isEmpty() && arriving.isEmpty();
    }

    /**
     * A raise was answered.
     *
     * @return whether some of the segments turned out not to be owned any more
     */
    boolean raised(long session, StoreReply.Raised reply) {
        var stale = raises.raised(reply, segments).stream()
                .filter(segment -> !isDecidedByItsSeal(segment))
                .toList();
        stale.forEach(segment -> drop(session, segment, Requests.notOwner(segment.id())));
        for (var item : reply.items()) {
            segments.find(item.segment()).ifPresent(waiting::resumeDurable);
        }
        return !stale.isEmpty();
    }

    /**
     * Whether a segment is being given away: a raise or a confirmation may have been refused only because StoreSvr's
     * log has it after the hand-over. So that refuses nobody here, and the outcome of the hand-over decides, which is
     * asked for until it comes.
     */
    private boolean isDecidedByItsSeal(LoadedSegment segment) {
        return segment.sealed() && !departures.isStoring(segment);
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
            } else if (isDecidedByItsSeal(outcome.segment())) {
                outcome.waiters().forEach(waiter -> confirmations.join(outcome.segment(), waiter));
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
                segment.giveBack();
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

    /**
     * Messages of another allocator.
     *
     * @return whether one says that a segment is sealed
     */
    boolean heard(long session, boolean leaseValid, long from, List<PeerMessage> messages, ClockReading now) {
        messages.forEach(message -> heard(session, leaseValid, from, message, now));
        return messages.stream().anyMatch(PeerMessage::isSeal);
    }

    private void heard(long session, boolean leaseValid, long from, PeerMessage message, ClockReading now) {
        if (message instanceof PeerMessage.PagesTaken taken) {
            departures.pagesTaken(from, taken, now);
        } else if (message instanceof PeerMessage.TableTaken taken) {
            departures.tableTaken(taken);
        } else if (segments.mayStillCome(message.segment(), message.epoch()) || isPending(message.segment())) {
            comes(from, leaseValid, message, now);
            arrives(session, message.segment(), now);
        }
    }

    private void comes(long from, boolean leaseValid, PeerMessage message, ClockReading now) {
        if (message instanceof PeerMessage.Pages pages) {
            arrivals.pages(from, pages, leaseValid && memory.wouldHold(arrivals.bytesWith(pages)), now);
        } else if (message instanceof PeerMessage.TableSealed sealed) {
            arrivals.sealed(from, sealed, now);
        } else if (message instanceof PeerMessage.TableAbandoned abandoned) {
            arrivals.abandoned(abandoned);
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
        if (isLoaded()) {
            return;
        }
        stored.overdue(now).forEach(pending -> decided(session, pending, Optional.empty()));
        arriving.overdue(now).forEach(pending -> decided(session, pending, arrived(pending.claimed())));
        for (var pending : List.copyOf(arriving.all())) {
            arrives(session, pending.claimed().segment(), now);
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
        departures.forgetSilence();
        giveAway(session, List.copyOf(segments.all()), now);
    }

    private void giveAway(long session, List<LoadedSegment> those, ClockReading now) {
        var ids = those.stream().map(LoadedSegment::id).toList();
        view.map(seen -> Heirs.of(seen, heir -> heir != session && departures.mayTake(heir), ids))
                .ifPresent(heirs -> heirs.forEach((heir, share) -> share.forEach(
                        id -> segments.find(id).ifPresent(segment -> departures.start(segment, heir, now)))));
        those.forEach(segment -> departures.leave(session, segment, now));
    }

    /** What somebody did not take goes to the others, or back to StoreSvr. */
    void giveAwayWhatStayed(long session, ClockReading now) {
        var those = departures.stayed();
        if (!those.isEmpty()) {
            giveAway(session, those, now);
        }
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
        stored.clear();
        arriving.clear();
    }

    /** Sends what is wanted and not under way. */
    void flush(SessionKeeper keeper, ClockReading now) {
        long session = keeper.session();
        raises.flush(session, now);
        confirmations.flush(keeper, decidedByItsSeal, now);
        departures.flush(session, now);
        fetching.flush(session, now);
    }
}
