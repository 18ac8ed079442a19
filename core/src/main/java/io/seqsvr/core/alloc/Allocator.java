package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One running AllocSvr as a role: sessions, leases, claims, raises and numbers, without a clock, a thread or a socket.
 *
 * <p>The caller's duties: call every method from one thread; {@link #tick} every few milliseconds; after each call
 * carry out what {@link #drain} returns, in order; tell the outcome of each command once; before an {@link Answer} of a
 * {@link Step.Taken} leaves, read the clocks and pass it through {@link #release}.
 *
 * <p>Invariants: a number leaves only if it is at most a max_seq that StoreSvr accepted under its own epoch, and only
 * while the lease of the session that claimed it is valid <em>after</em> it was taken. A session that is over takes
 * every segment with it.
 */
public final class Allocator {
    private final Outbox out = new Outbox();
    private final SegmentTable segments = new SegmentTable();
    private final RaiseQueue raises = new RaiseQueue(out);
    private final Claims claims = new Claims();
    private final SessionKeeper keeper;
    private final WaitingRoom waiting;
    private long dropsReported;

    /**
     * An allocator that owns nothing yet.
     *
     * @param name its name, borne by one live session at most
     * @param address where it serves, HOST:PORT
     * @param maxWaiting requests that may wait for a raise, at least 1
     * @param random for nonces and jitter
     */
    public Allocator(String name, String address, int maxWaiting, RandomGenerator random) {
        this.keeper = new SessionKeeper(name, address, random, out);
        this.waiting = new WaitingRoom(maxWaiting, out);
    }

    /** Time passes: opens the session, renews it, repeats what failed, ends waiting when the lease is over. */
    public void tick(ClockReading now) {
        // Before the renewals: one that is sent now must not be void because of a drop that is only seen later.
        reportDrops(now);
        keeper.tick(now);
        if (waiting.size() > 0 && !leaseValid(now)) {
            waiting.refuseAll(
                    segments.all(),
                    new Answer.Refused(
                            Refusal.LEASE_EXPIRED, "the lease ran out while the request waited for a raise"));
        }
        settle(now);
    }

    /** A watch saw the cluster: nothing is served or dropped on it, but there may be something to claim. */
    public void woken(StoreView view, ClockReading now) {
        segments.learn(view.namespaces());
        view.session(keeper.session()).ifPresent(member -> claims.seen(member.assignmentVersion()));
        settle(now);
    }

    /** StoreSvr answered a command. A second outcome of a call changes nothing. */
    public void answered(long call, StoreReply reply, ClockReading now) {
        var sent = out.close(call);
        if (sent == null) {
            return;
        }
        if (reply instanceof StoreReply.Rejected) {
            failed(sent.command(), now);
            return;
        }
        if (sent.command() instanceof StoreCommand.OpenSession open) {
            keeper.opened(open, reply, now);
        } else if (sent.command() instanceof StoreCommand.Renew renew && renew.session() == keeper.session()) {
            renewed(renew, reply, sent.at(), now);
        } else if (sent.command() instanceof StoreCommand.Claim claim && claim.session() == keeper.session()) {
            claimed(reply, now);
        } else if (sent.command() instanceof StoreCommand.Raise raise && raise.session() == keeper.session()) {
            raised(reply, now);
        }
        settle(now);
    }

    /** No outcome of a command will come: refused before it was submitted, lost, or too late. */
    public void unanswered(long call, ClockReading now) {
        var sent = out.close(call);
        if (sent != null) {
            failed(sent.command(), now);
        }
    }

    /** The next tick goes on from here: a command that fails at once must not be sent again at once. */
    private void failed(StoreCommand command, ClockReading now) {
        if (command instanceof StoreCommand.OpenSession open) {
            keeper.openingFailed(open, now);
        } else if (command instanceof StoreCommand.Claim claim && claim.session() == keeper.session()) {
            claims.failed();
        } else if (command instanceof StoreCommand.Raise raise && raise.session() == keeper.session()) {
            raises.failed(now);
        }
    }

    /**
     * Takes sequences.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     * @param count how many
     */
    public Step next(String namespaceName, long uid, long count, ClockReading now) {
        var namespace = segments.namespace(namespaceName);
        if (namespace.isPresent() && (count < 1 || count > namespace.get().maxCount())) {
            return stopped(
                    Refusal.COUNT_OUT_OF_BOUNDS,
                    "count is " + count + "; it must be from 1 to "
                            + namespace.get().maxCount());
        }
        var found = find(namespaceName, namespace, uid, now);
        if (found instanceof Missing missing) {
            return new Step.Stopped(missing.answer());
        }
        var segment = ((Found) found).segment();
        var slot = segment.namespace().slotOf(uid);
        var counters = segment.counters();
        if (!counters.hasLeft(slot, count)) {
            return stopped(
                    Refusal.SEQUENCE_EXHAUSTED,
                    "user " + Long.toUnsignedString(uid) + " stands at " + counters.current(slot) + "; " + count
                            + " more would pass max_sequence "
                            + segment.namespace().maxSequence());
        }
        if (!counters.hasRoom(slot, count) && waiting.isFull()) {
            return tooManyWaiting();
        }
        long last = counters.take(slot, count);
        raises.consider(segment);
        raises.flush(keeper.session(), now);
        return waiting.whenDurable(segment, last, new Answer.Range(uid, last - count + 1, last, counters.epoch()));
    }

    /**
     * Reads a user's last sequence.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     */
    public Step current(String namespaceName, long uid, ClockReading now) {
        var found = find(namespaceName, segments.namespace(namespaceName), uid, now);
        if (found instanceof Missing missing) {
            return new Step.Stopped(missing.answer());
        }
        var segment = ((Found) found).segment();
        var slot = segment.namespace().slotOf(uid);
        var counters = segment.counters();
        long seq = counters.current(slot);
        if (!counters.durable(seq) && waiting.isFull()) {
            return tooManyWaiting();
        }
        return waiting.whenDurable(segment, seq, new Answer.Reading(uid, seq, counters.exact(slot), counters.epoch()));
    }

    /**
     * The last look before an answer leaves.
     *
     * @param now the clocks, read after the numbers were taken
     */
    public Answer release(Step.Taken taken, ClockReading now) {
        var segment = taken.segment();
        if (segment.dropped()) {
            return notOwner(segment.id());
        }
        if (!segment.lease().validAt(now)) {
            return new Answer.Refused(
                    Refusal.LEASE_EXPIRED, "the lease of session " + keeper.session() + " is not valid");
        }
        return taken.answer();
    }

    /** Stops for good: seals every segment, then closes the session. The caller drains once more. */
    public void close(ClockReading now) {
        dropAll(new Answer.Refused(Refusal.NOT_READY, "the allocator is stopping"));
        keeper.close(now);
    }

    /** What is to be done since the last call. */
    public List<AllocatorEffect> drain() {
        return out.drain();
    }

    /** Whether a request for a segment of this allocator would be answered now. */
    public boolean ready(ClockReading now) {
        return leaseValid(now) && segments.size() > 0 && claims.complete();
    }

    /** The open session, 0 if there is none. */
    public long session() {
        return keeper.session();
    }

    /** Nanoseconds that the lease is still valid, 0 if it is not. */
    public long leaseRemainingNanos(ClockReading now) {
        return keeper.lease().map(lease -> lease.remainingNanos(now)).orElse(0L);
    }

    /** Segments served now. */
    public int segmentsOwned() {
        return segments.size();
    }

    /** Requests that wait for a raise. */
    public int waiting() {
        return waiting.size();
    }

    private sealed interface Lookup {}

    private record Found(LoadedSegment segment) implements Lookup {}

    private record Missing(Answer.Refused answer) implements Lookup {}

    private Lookup find(String namespaceName, Optional<Namespace> namespace, long uid, ClockReading now) {
        if (namespace.isEmpty()) {
            return segments.knowsNamespaces()
                    ? new Missing(Answer.Refused.namespaceUnknown(namespaceName))
                    : missing(Refusal.NOT_READY, "the allocator has not learned its namespaces yet");
        }
        if (!namespace.get().holds(uid)) {
            return new Missing(Answer.Refused.uidOutOfRange(namespace.get(), uid));
        }
        var id = new SegmentId(namespace.get().id(), namespace.get().segmentOf(uid));
        var segment = segments.find(id);
        if (segment.isEmpty()) {
            return keeper.session() == 0
                    ? missing(Refusal.NOT_READY, "the allocator has no session")
                    : new Missing(notOwner(id));
        }
        // Not what safety rests on, that is release(); it spares numbers that could not leave anyway.
        if (!segment.get().lease().validAt(now)) {
            return missing(Refusal.LEASE_EXPIRED, "the lease of session " + keeper.session() + " is not valid");
        }
        return new Found(segment.get());
    }

    private static Missing missing(Refusal refusal, String message) {
        return new Missing(new Answer.Refused(refusal, message));
    }

    private static Step.Stopped stopped(Refusal refusal, String message) {
        return new Step.Stopped(new Answer.Refused(refusal, message));
    }

    private Step.Stopped tooManyWaiting() {
        return stopped(Refusal.TOO_MANY_WAITING, waiting.size() + " requests wait for a raise; no more may");
    }

    private static Answer.Refused notOwner(SegmentId id) {
        return new Answer.Refused(
                Refusal.NOT_OWNER,
                "this allocator does not own segment " + id.index() + " of namespace " + id.namespaceId());
    }

    private void renewed(StoreCommand.Renew sent, StoreReply reply, ClockReading sentAt, ClockReading now) {
        if (reply instanceof StoreReply.Renewed renewed) {
            keeper.renewed(sent, sentAt);
            claims.seen(renewed.assignmentVersion());
        } else if (reply instanceof StoreReply.SessionGone) {
            loseSession("StoreSvr ended it", now);
        }
    }

    private void claimed(StoreReply reply, ClockReading now) {
        if (reply instanceof StoreReply.SessionGone) {
            loseSession("StoreSvr ended it", now);
        } else if (reply instanceof StoreReply.Claimed claimed) {
            segments.learn(claimed.namespaces());
            load(claimed, keeper.lease().orElseThrow());
            claims.answered(claimed.through(), claimed.more());
        }
    }

    private void load(StoreReply.Claimed claimed, HolderLease lease) {
        var fresh = new ArrayList<StoreReply.ClaimedSegment>();
        for (var segment : claimed.segments()) {
            if (segments.isNew(segment)) {
                segments.find(segment.segment()).ifPresent(old -> drop(old, notOwner(old.id())));
                segments.load(segment, lease);
                fresh.add(segment);
            }
        }
        LoadReport.of(keeper.session(), fresh, claimed.through()).forEach(out::report);
    }

    private void raised(StoreReply reply, ClockReading now) {
        if (reply instanceof StoreReply.Raised raised) {
            var stale = raises.raised(raised);
            for (var segment : stale) {
                drop(segment, notOwner(segment.id()));
                claims.again();
            }
            for (var item : raised.items()) {
                segments.find(item.segment()).ifPresent(waiting::resumeDurable);
            }
        } else if (reply instanceof StoreReply.SessionGone) {
            loseSession("StoreSvr ended it", now);
        } else {
            raises.failed(now);
        }
    }

    /** Sends what the state asks for and no call under way covers. */
    private void settle(ClockReading now) {
        var session = keeper.session();
        if (session == 0) {
            return;
        }
        if (claims.mayStart()) {
            out.send(new StoreCommand.Claim(session, claims.start()), now);
        }
        raises.flush(session, now);
    }

    private void loseSession(String reason, ClockReading now) {
        var session = keeper.session();
        dropAll(new Answer.Refused(Refusal.NOT_OWNER, "session " + session + " ended"));
        keeper.lose(now);
        out.report(new AllocatorEvent.SessionLost(session, reason));
    }

    private void dropAll(Answer.Refused answer) {
        waiting.refuseAll(segments.all(), answer);
        segments.all().forEach(segments::drop);
        raises.clear();
        claims.clear();
        dropsReported = 0;
    }

    private void drop(LoadedSegment segment, Answer.Refused answer) {
        waiting.refuse(segment, answer);
        raises.forget(segment);
        segments.drop(segment);
        out.report(new AllocatorEvent.SegmentDropped(
                keeper.session(),
                segment.id().namespaceId(),
                segment.id().index(),
                segment.counters().epoch()));
    }

    private boolean leaseValid(ClockReading now) {
        return keeper.lease().map(lease -> lease.validAt(now)).orElse(false);
    }

    private void reportDrops(ClockReading now) {
        var lease = keeper.lease();
        if (lease.isPresent() && !lease.get().validAt(now) && lease.get().drops() > dropsReported) {
            dropsReported = lease.get().drops();
            out.report(new AllocatorEvent.LeaseDropped(keeper.session()));
        }
    }
}
