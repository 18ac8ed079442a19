package io.seqsvr.core.alloc;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.core.session.SessionKeeper;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * One running AllocSvr as a role: sessions, leases, claims, raises, hand-overs and numbers, without a clock, a thread
 * or a socket.
 *
 * <p>The caller's duties: call every method from one thread; {@link #tick} every few milliseconds, with the boot-time
 * clock where there is one; after each call carry out what {@link #takeEffects} returns, in order; tell the outcome of
 * each command once; before an {@link Answer} of a {@link Step.Taken} leaves, or an {@link OpenFrame} that has ended,
 * read the clocks and pass it through {@link #release}.
 *
 * <p>Invariants: a number leaves only if it is at most a max_seq that StoreSvr accepted under its own epoch, and only
 * while the lease of the session that claimed it is valid <em>after</em> it was taken, or, in QUORUM order, after
 * StoreSvr's log confirmed that session later than it was taken. A session that is over takes every segment with it.
 */
public final class Allocator {
    private final AllocatorOutbox out = new AllocatorOutbox();
    private final Claims claims;
    private final Stopping stopping = new Stopping(out);
    private final Ownership owned;
    private final SessionKeeper keeper;
    private final Outcomes outcomes;
    private final Requests requests;
    private final Frames frames;
    private final Gate gate;
    private final Guards guards;
    private long dropsReported;

    /**
     * An allocator that owns nothing yet.
     *
     * @param name its name, borne by one live session at most
     * @param address where it serves, HOST:PORT
     * @param limits what it keeps for its callers at most
     * @param random for nonces and jitter
     */
    public Allocator(String name, String address, AllocatorLimits limits, RandomGenerator random) {
        this(name, address, limits, random, Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public Allocator(String name, String address, AllocatorLimits limits, RandomGenerator random, Guards guards) {
        this.guards = guards;
        this.claims = new Claims(guards);
        this.owned = new Ownership(out, limits, guards);
        this.keeper = new SessionKeeper(SessionKind.ALLOCATOR, name, address, random, out, guards);
        this.outcomes = new Outcomes(keeper, claims, owned, stopping);
        this.requests = new Requests(owned, keeper, guards);
        this.frames = new Frames(owned.segments, requests, out, guards);
        this.gate = new Gate(keeper, guards);
    }

    /** Time passes: opens the session, renews it, repeats what failed, ends waiting when the lease is over. */
    public void tick(ClockReading now) {
        out.sawBoot(now);
        // Before the renewals: one that is sent now must not be void because of a drop that is only seen later.
        boolean leaseValid = keeper.leaseValid(now);
        gate.ticked(leaseValid);
        if (!leaseValid) {
            reportDrops();
        }
        keeper.tick(now);
        owned.tick(keeper.session(), leaseValid, now);
        settle(now);
    }

    /**
     * A watch saw the cluster: nothing is served or dropped on it, but there may be something to claim. An older view
     * than the last is ignored.
     */
    public void woken(StoreView view, ClockReading now) {
        if (!keeper.viewed(view.version())) {
            return;
        }
        owned.segments.learn(view.version(), view.namespaces());
        view.session(keeper.session()).ifPresent(member -> claims.shown(member.assignmentVersion()));
        owned.seen(keeper.session(), view);
        settle(now);
    }

    /** StoreSvr answered a command. A second outcome of a call changes nothing. */
    public void answered(long call, StoreReply reply, ClockReading now) {
        var sent = out.close(call);
        if (sent == null) {
            return;
        }
        if (sent.command() instanceof StoreCommand.OpenSession open) {
            keeper.opened(open, reply, sent.at(), now);
            adoptLease();
        } else if (reply instanceof StoreReply.Rejected) {
            outcomes.failed(sent.command(), now);
            return;
        } else if (outcomes.isOfThisSession(sent.command())) {
            if (reply instanceof StoreReply.SessionGone) {
                loseSession(now);
            } else {
                outcomes.answered(sent, reply, now);
            }
        }
        settle(now);
    }

    /** No outcome of a command will come: refused before it was submitted, lost, or too late. */
    public void unanswered(long call, ClockReading now) {
        var sent = out.close(call);
        if (sent == null) {
            return;
        }
        outcomes.failed(sent.command(), now);
        if (!guards.on(Guard.OUTCOME_COUNTS_ONCE)) {
            out.reopen(call, sent);
        }
    }

    /** What another allocator said together. What it rests on is checked when a Claim tells the epoch. */
    public void heard(long from, List<PeerMessage> messages, ClockReading now) {
        if (keeper.session() != 0 && owned.heard(keeper.session(), keeper.leaseValid(now), from, messages, now)) {
            // Its hand-over was sent at the same time: no watch has to show it first.
            claims.again();
        }
        settle(now);
    }

    /**
     * Begins to hand segments over; what is not served here is passed over in silence, and everything if the receiver
     * was seen to take nothing.
     *
     * @param to session of the receiver
     */
    public void handOver(Collection<SegmentId> segments, long to, ClockReading now) {
        if (!owned.mayReceive(to)) {
            return;
        }
        for (var id : segments) {
            owned.segments.find(id).ifPresent(segment -> owned.departures.start(segment, to, now));
        }
    }

    /**
     * Takes sequences, not below a bound and not in an older epoch than the caller knows.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     * @param count how many
     * @param atLeast the first is not below it; 0 for no such bound; at most max_jump above the segment's max_seq
     * @param minEpoch refused in an older epoch, read as unsigned; 0 for any
     */
    public Step next(String namespaceName, long uid, long count, long atLeast, long minEpoch, ClockReading now) {
        var found = requests.find(namespaceName, uid, count, minEpoch, now);
        return asked(found, at -> requests.take(at, uid, count, atLeast), now);
    }

    /**
     * Reads a user's last sequence, not in an older epoch than the caller knows.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     * @param minEpoch refused in an older epoch, read as unsigned; 0 for any
     */
    public Step current(String namespaceName, long uid, long minEpoch, ClockReading now) {
        var found = requests.find(namespaceName, uid, 1, minEpoch, now);
        return asked(found, at -> requests.read(at, uid), now);
    }

    /**
     * Lifts a user, so that all its later sequences are above a floor.
     *
     * @param namespaceName name of the namespace
     * @param uid the user, read as unsigned
     * @param floor at most the namespace's max_jump above the segment's max_seq
     * @param minEpoch refused in an older epoch, read as unsigned; 0 for any
     */
    public Step raiseFloor(String namespaceName, long uid, long floor, long minEpoch, ClockReading now) {
        var found = requests.find(namespaceName, uid, 1, minEpoch, now);
        return asked(found, at -> requests.lift(at, uid, floor), now);
    }

    /**
     * Takes the numbers of all calls of a frame, reads, or lifts. Each call is taken or refused by itself, in order.
     *
     * @param calls not kept: they may be changed afterwards
     * @return if it has {@link OpenFrame#ended} it goes through {@link #release(OpenFrame, ClockReading)} at once; or
     *     an {@link AllocatorEffect.FrameEnded} follows, unless it is {@link #giveUp given up} before
     */
    public OpenFrame frame(FrameCalls calls, ClockReading now) {
        var frame = frames.begin(calls, now);
        for (int ordinal = 0; ordinal < frame.touchedCount(); ordinal++) {
            owned.raises.consider(frame.touched(ordinal));
        }
        owned.flush(keeper, now);
        return frame;
    }

    /** The time of a frame's caller is over: what waits of it is refused, and so it has {@link OpenFrame#ended}. */
    public void giveUp(OpenFrame frame) {
        frame.giveUp(owned.waiting);
    }

    /** Nobody waits any more for requests that do: their numbers are taken for nobody. */
    public void forget(Collection<Step.Waiting> waits) {
        owned.waiting.forget(waits);
    }

    /**
     * The last look before the answers of a frame leave: one for all of them. Calls of a segment that is served no
     * more, or whose lease is not valid, are refused, unless the log confirmed them.
     *
     * @param frame all its calls have ended; called once for each frame
     * @param now the clocks, read after the last of its numbers was taken
     */
    public FrameAnswers release(OpenFrame frame, ClockReading now) {
        return gate.release(frame, now);
    }

    /** Does what is asked where it is served, and asks StoreSvr for what that wants of it, early where possible. */
    private Step asked(Requests.Lookup found, Function<Requests.Found, Step> what, ClockReading now) {
        if (found instanceof Requests.Missing missing) {
            return new Step.Refused(missing.answer());
        }
        var at = (Requests.Found) found;
        var step = what.apply(at);
        owned.raises.consider(at.segment());
        owned.flush(keeper, now);
        return step;
    }

    /**
     * The last look before an answer leaves.
     *
     * @param now the clocks, read after the numbers were taken
     */
    public Answer release(Step.Taken taken, ClockReading now) {
        return gate.release(taken, now);
    }

    /**
     * Begins to stop cleanly: gives every segment back with its exact counters, then closes the session. Serves until
     * StoreSvr has confirmed that it gives nothing more. The caller goes on as ever until it is {@link #stopped}, or
     * calls {@link #close} when that takes too long.
     */
    public void stop(ClockReading now) {
        if (keeper.session() == 0) {
            close(now);
            return;
        }
        stopping.begin();
        settle(now);
    }

    /**
     * Hands everything over like {@link #stop}, and is given nothing more; but the session stays open, until the
     * process is stopped.
     */
    public void drain(ClockReading now) {
        stopping.drain();
        settle(now);
    }

    /** Whether it is given nothing more, as it is drained or stops. */
    public boolean leaving() {
        return stopping.begun();
    }

    /** Whether it is drained or stops, StoreSvr knows of it, and segments go. */
    public boolean givesAway() {
        return stopping.givesAway();
    }

    /** Whether the session is over, no opening is under way any more, and no other session will be opened. */
    public boolean stopped() {
        return keeper.closed();
    }

    /**
     * Stops for good and at once: drops every segment without a word about its counters, and closes the session. The
     * caller takes effects once more. While an opening is under way it is not {@link #stopped} before the outcome is
     * known, as what was opened is to be closed; a second call does not wait for that.
     */
    public void close(ClockReading now) {
        if (guards.on(Guard.CLOSED_SESSION_IS_OVER)) {
            dropAll(new Answer.Refused(Refusal.NOT_READY, "the allocator is stopping"));
        }
        keeper.close(now);
    }

    /** What is to be done since the last call. */
    public List<AllocatorEffect> takeEffects() {
        return out.takeEffects();
    }

    /** Whether a request for a segment of this allocator would be answered now. */
    public boolean ready(ClockReading now) {
        return keeper.leaseValid(now) && owned.segments.size() > 0 && claims.complete() && owned.loading.isDone();
    }

    /** The open session, 0 if there is none. */
    public long session() {
        return keeper.session();
    }

    /** Nanoseconds that the lease is still valid, 0 if it is not. */
    public long leaseRemainingNanos(ClockReading now) {
        return keeper.lease().map(lease -> lease.remainingNanos(now)).orElse(0L);
    }

    /** Whether a segment is served here, or on its way out. */
    public boolean owns(SegmentId segment) {
        return owned.segments.find(segment).isPresent();
    }

    /** Segments served now. */
    public int segmentsOwned() {
        return owned.segments.size();
    }

    /** How far each namespace is used up that has a segment here. */
    public Collection<NamespaceUse> namespacesUsed() {
        return owned.segments.used();
    }

    /** What the counters take, and may take. */
    public CounterMemory counterMemory() {
        return owned.memory;
    }

    /** Requests that wait for a raise or a confirmation. */
    public int waiting() {
        return owned.waiting.size();
    }

    /** Sends what the state asks for and no call under way covers. */
    private void settle(ClockReading now) {
        var session = keeper.session();
        if (session == 0) {
            return;
        }
        if (claims.mayStart(now)) {
            out.send(new StoreCommand.Claim(session, claims.start()), now);
        }
        if (stopping.step(session, owned, claims.complete() && owned.loading.isDone(), now)) {
            close(now);
        } else {
            owned.flush(keeper, now);
        }
    }

    private void loseSession(ClockReading now) {
        var session = keeper.session();
        var answer = new Answer.Refused(Refusal.NOT_OWNER, "session " + session + " ended");
        if (guards.on(Guard.SESSION_TAKES_ITS_SEGMENTS)) {
            dropAll(answer);
        } else {
            claims.clear();
        }
        if (stopping.begun()) {
            keeper.end();
        } else {
            keeper.lose(now);
        }
        out.report(new SessionEvent.SessionLost(session, "StoreSvr ended it"));
    }

    private void dropAll(Answer.Refused answer) {
        owned.dropAll(answer);
        claims.clear();
        dropsReported = 0;
    }

    /** Only where the guard is missing that binds a segment to the lease under which it was claimed. */
    private void adoptLease() {
        if (!guards.on(Guard.SEGMENT_KEEPS_ITS_LEASE)) {
            keeper.lease().ifPresent(lease -> owned.segments.all().forEach(segment -> segment.adopt(lease)));
        }
    }

    private void reportDrops() {
        var lease = keeper.lease();
        if (lease.isPresent() && lease.get().drops() > dropsReported) {
            dropsReported = lease.get().drops();
            out.report(new SessionEvent.LeaseDropped(keeper.session()));
        }
    }
}
