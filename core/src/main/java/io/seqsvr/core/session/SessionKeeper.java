package io.seqsvr.core.session;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Opens a process's session and keeps it alive.
 *
 * <p>Invariants: every renewal is a command of its own, stamped before its only transmission; several may be under way,
 * and each answer counts with its own stamp. A session that is over is never renewed again; the next one has another
 * nonce, another id and another lease.
 */
public final class SessionKeeper {
    private static final long RETRY_LEAST_NANOS = 20_000_000;
    private static final long RETRY_MOST_NANOS = 1_000_000_000;

    private final SessionKind kind;
    private final String name;
    private final String address;
    private final RandomGenerator random;
    private final Outbox<?> out;
    private final Guards guards;

    private final WatchCheck watch = new WatchCheck();

    private State state = new Idle(Optional.empty(), Optional.empty());
    private long retryNanos = RETRY_LEAST_NANOS;

    private sealed interface State {}

    /**
     * Nothing under way; opens at {@code notBefore}, or at once. After an unknown outcome with the same nonce: if the
     * session was opened after all, it is ours.
     */
    private record Idle(Optional<ClockReading> notBefore, Optional<Long> nonce) implements State {}

    private record Opening(long nonce) implements State {}

    /** Closed while the opening was under way: the session that it opens is closed at once. */
    private record Leaving(long nonce) implements State {}

    private record Closed() implements State {}

    /** The open session; renewals move all but the two first fields. */
    private static final class Open implements State {
        final long session;
        final HolderLease lease;

        @Nullable
        ClockReading renewalSentAt;

        boolean renewalAnswered = true;
        boolean renewalRefused;
        long attempts;
        long heard;

        Open(long session, HolderLease lease) {
            this.session = session;
            this.lease = lease;
        }
    }

    /**
     * A keeper that has opened nothing yet.
     *
     * @param name borne by one live session at most, as is the address
     * @param address where the process serves, HOST:PORT
     * @param random for nonces and jitter
     * @param out takes the commands and what there is to tell
     */
    public SessionKeeper(
            SessionKind kind, String name, String address, RandomGenerator random, Outbox<?> out, Guards guards) {
        this.kind = kind;
        this.guards = guards;
        this.name = name;
        this.address = address;
        this.random = random;
        this.out = out;
    }

    /** Time passes: opens the session, and renews it. */
    public void tick(ClockReading now) {
        if (state instanceof Idle idle
                && idle.notBefore().map(at -> now.longestSince(at) >= 0).orElse(true)) {
            long nonce = idle.nonce().orElseGet(random::nextLong);
            state = new Opening(nonce);
            out.send(new StoreCommand.OpenSession(kind, nonce, name, address), now);
        } else if (state instanceof Open open && renewalDue(open, now)) {
            open.renewalSentAt = out.send(renewal(open, List.of()), now);
            open.renewalAnswered = false;
            open.renewalRefused = false;
        }
    }

    /**
     * A renewal of the open session, to be sent now.
     *
     * @param holdings what it asks to be confirmed
     */
    public StoreCommand.Renew renewal(List<StoreCommand.Holding> holdings) {
        return renewal((Open) state, holdings);
    }

    private static StoreCommand.Renew renewal(Open open, List<StoreCommand.Holding> holdings) {
        open.attempts++;
        return new StoreCommand.Renew(open.session, holdings, open.attempts, open.heard);
    }

    private static boolean renewalDue(Open open, ClockReading now) {
        if (open.renewalSentAt == null || open.renewalRefused || open.lease.isVoid(open.renewalSentAt)) {
            return true;
        }
        var terms = open.lease.terms();
        var wait = open.renewalAnswered ? terms.renewEveryNanos() : terms.renewAgainNanos();
        return now.longestSince(open.renewalSentAt) >= wait;
    }

    /** StoreSvr answered OpenSession. */
    public void opened(StoreCommand.OpenSession sent, StoreReply reply, ClockReading sentAt, ClockReading now) {
        if (state instanceof Leaving leaving && leaving.nonce() == sent.nonce()) {
            state = new Closed();
            if (reply instanceof StoreReply.SessionOpened opened) {
                out.send(new StoreCommand.CloseSession(opened.session()), now);
            }
            return;
        }
        if (!(state instanceof Opening opening) || opening.nonce() != sent.nonce()) {
            return;
        }
        if (reply instanceof StoreReply.SessionOpened opened) {
            var lease = new HolderLease(held(opened.lease()), guards);
            state = new Open(opened.session(), lease);
            if (!guards.on(Guard.OPENING_GIVES_NO_LEASE)) {
                lease.renewed(sentAt);
            }
            retryNanos = RETRY_LEAST_NANOS;
            out.report(new SessionEvent.SessionOpened(
                    opened.session(), opened.lease().ttlNanos() / 1_000_000));
            tick(now);
        } else if (reply instanceof StoreReply.SessionHeld held) {
            var wait = Math.max(RETRY_LEAST_NANOS, held.remainingNanos() + random.nextLong(RETRY_LEAST_NANOS));
            state = new Idle(Optional.of(now.plus(wait)), Optional.empty());
            out.report(new SessionEvent.SessionHeld(held.holder(), held.name(), held.address(), wait / 1_000_000));
        } else if (reply instanceof StoreReply.Rejected rejected) {
            var wait = backOff();
            // Without its nonce: StoreSvr is there, so that a watch that shows it is no reason to ask sooner.
            state = new Idle(Optional.of(now.plus(wait)), Optional.empty());
            out.report(new SessionEvent.SessionRefused(rejected.reason(), wait / 1_000_000));
        } else {
            openingFailed(sent, now);
        }
    }

    /** The holder's terms are the granter's: both stand in the answer to the opening. */
    private LeaseTerms held(LeaseTerms granted) {
        return guards.on(Guard.HOLDER_KEEPS_GRANTED_TERMS)
                ? granted
                : new LeaseTerms(2 * granted.ttlNanos(), granted.driftPermille());
    }

    /** No answer to OpenSession, or none that helps: the same session is asked for again, a little later. */
    public void openingFailed(StoreCommand.OpenSession sent, ClockReading now) {
        if (state instanceof Opening opening && opening.nonce() == sent.nonce()) {
            state = new Idle(Optional.of(now.plus(backOff())), Optional.of(sent.nonce()));
        } else if (state instanceof Leaving leaving && leaving.nonce() == sent.nonce()) {
            state = new Closed();
        }
    }

    /**
     * A watch showed a version of the cluster. So StoreSvr is there, and how long it was not is no reason to wait with
     * an opening that failed: a process that comes late to the first plan gets its share seconds after it.
     *
     * @return whether it is no older than what was shown before
     */
    public boolean viewed(long version) {
        if (state instanceof Idle idle && idle.nonce().isPresent()) {
            state = new Idle(Optional.empty(), idle.nonce());
            retryNanos = RETRY_LEAST_NANOS;
        }
        return watch.seen(version);
    }

    /** StoreSvr applied a renewal that was sent at {@code sentAt}. */
    public void renewed(StoreCommand.Renew sent, StoreReply.Renewed reply, ClockReading sentAt, ClockReading now) {
        // Confirmations are too many: the next one is answered long before a watch had its time.
        if (sent.holdings().isEmpty()
                && watch.stale(reply.watchVersion(), sentAt, now)
                && guards.on(Guard.STALE_WATCHER_LOOKS_ELSEWHERE)) {
            out.watchElsewhere();
        }
        if (state instanceof Open open && open.session == sent.session()) {
            open.heard = Math.max(open.heard, sent.attempt());
            open.lease.renewed(countsFrom(open, sentAt, now));
            if (sentAt.equals(open.renewalSentAt)) {
                open.renewalAnswered = true;
            }
        }
    }

    /** StoreSvr refused a renewal as nothing showed that this process hears. It does: the next one says so. */
    public void renewalRefused(StoreCommand.Renew sent) {
        if (state instanceof Open open && open.session == sent.session() && sent.attempt() > open.heard) {
            open.heard = sent.attempt();
            open.renewalRefused = true;
        }
    }

    private ClockReading countsFrom(Open open, ClockReading sentAt, ClockReading now) {
        if (!guards.on(Guard.LEASE_COUNTS_FROM_SENDING)) {
            return now;
        }
        var latest = open.renewalSentAt;
        return guards.on(Guard.RENEWAL_COUNTS_FROM_ITS_OWN_SENDING) || latest == null ? sentAt : latest;
    }

    /** Ends the open session for good, here; a new one may be opened after a pause. */
    public void lose(ClockReading now) {
        if (state instanceof Open open && guards.on(Guard.LOST_SESSION_IS_OPENED_ANEW)) {
            open.lease.end();
            state = new Idle(Optional.of(now.plus(backOff())), Optional.empty());
        }
    }

    /**
     * Ends everything: the session, if any, is closed at StoreSvr too. An opening that is under way is waited for, so
     * that what it opens is closed and not left to its timer; a second call does not wait.
     */
    public void close(ClockReading now) {
        if (state instanceof Open open) {
            out.send(new StoreCommand.CloseSession(open.session), now);
            if (!guards.on(Guard.CLOSED_SESSION_IS_OVER)) {
                return;
            }
            open.lease.end();
        }
        state = state instanceof Opening opening ? new Leaving(opening.nonce()) : new Closed();
    }

    /** The open session is over, and no other one is wanted. */
    public void end() {
        if (state instanceof Open open) {
            open.lease.end();
        }
        state = new Closed();
    }

    /** Whether no session is open, none is being opened and none will be. */
    public boolean closed() {
        return state instanceof Closed;
    }

    /** The open session, 0 if there is none. */
    public long session() {
        return state instanceof Open open ? open.session : 0;
    }

    /** The open session's lease. */
    public Optional<HolderLease> lease() {
        return state instanceof Open open ? Optional.of(open.lease) : Optional.empty();
    }

    public boolean leaseValid(ClockReading now) {
        return state instanceof Open open && open.lease.validAt(now);
    }

    private long backOff() {
        var wait = retryNanos / 2 + random.nextLong(retryNanos);
        retryNanos = Math.min(RETRY_MOST_NANOS, retryNanos * 2);
        return wait;
    }
}
