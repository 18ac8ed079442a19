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
import java.util.function.Predicate;

/**
 * The segments that this session holds, and what StoreSvr's answers do to them. With everything that belongs to them:
 * waiting requests, raises, confirmations, loading and hand-overs.
 */
final class Ownership {
    private final AllocatorOutbox out;
    private final Guards guards;
    final CounterMemory memory;
    final SegmentTable segments;
    final RaiseQueue raises;
    final Confirmations confirmations;
    final WaitingRoom waiting;
    final Departures departures;
    final Loading loading;
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
        this.loading = new Loading(out, memory, segments, guards);
    }

    /** Takes in what a Claim showed that is newer than what is here. */
    void load(long session, StoreReply.Claimed claimed, HolderLease lease, ClockReading now) {
        loading.load(session, claimed, lease, old -> drop(session, old, Requests.notOwner(old.id())), now);
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
        } else if (segments.mayStillCome(message.segment(), message.epoch()) || loading.isPending(message.segment())) {
            loading.heard(session, leaseValid, from, message, now);
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
        loading.tick(session, now);
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
        return view.isEmpty() || view.get().mayReceive(session);
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
        loading.clear();
    }

    /** Sends what is wanted and not under way. */
    void flush(SessionKeeper keeper, ClockReading now) {
        long session = keeper.session();
        raises.flush(session, now);
        confirmations.flush(keeper, decidedByItsSeal, now);
        departures.flush(session, now);
        loading.flush(session, now);
    }
}
