package io.seqsvr.core.alloc;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Opens the allocator's session and keeps it alive.
 *
 * <p>Invariants: every renewal is a command of its own, stamped before its only transmission; several may be under way,
 * and each answer counts with its own stamp. A session that is over is never renewed again; the next one has another
 * nonce, another id and another lease.
 */
final class SessionKeeper {
    private static final long RETRY_LEAST_NANOS = 20_000_000;
    private static final long RETRY_MOST_NANOS = 1_000_000_000;

    private final String name;
    private final String address;
    private final RandomGenerator random;
    private final Outbox out;

    private State state = new Idle(Optional.empty(), Optional.empty());
    private long retryNanos = RETRY_LEAST_NANOS;

    private sealed interface State {}

    /**
     * Nothing under way; opens at {@code notBefore}, or at once. After an unknown outcome with the same nonce: if the
     * session was opened after all, it is ours.
     */
    private record Idle(Optional<ClockReading> notBefore, Optional<Long> nonce) implements State {}

    private record Opening(long nonce) implements State {}

    private record Closed() implements State {}

    /** The open session; renewals move the two last fields. */
    private static final class Open implements State {
        final long session;
        final HolderLease lease;

        @Nullable
        ClockReading renewalSentAt;

        boolean renewalAnswered = true;

        Open(long session, HolderLease lease) {
            this.session = session;
            this.lease = lease;
        }
    }

    SessionKeeper(String name, String address, RandomGenerator random, Outbox out) {
        this.name = name;
        this.address = address;
        this.random = random;
        this.out = out;
    }

    void tick(ClockReading now) {
        if (state instanceof Idle idle
                && idle.notBefore().map(at -> now.longestSince(at) >= 0).orElse(true)) {
            long nonce = idle.nonce().orElseGet(random::nextLong);
            state = new Opening(nonce);
            out.send(new StoreCommand.OpenSession(nonce, name, address), now);
        } else if (state instanceof Open open && renewalDue(open, now)) {
            open.renewalSentAt = now;
            open.renewalAnswered = false;
            out.send(new StoreCommand.Renew(open.session), now);
        }
    }

    private static boolean renewalDue(Open open, ClockReading now) {
        if (open.renewalSentAt == null || open.lease.isVoid(open.renewalSentAt)) {
            return true;
        }
        var terms = open.lease.terms();
        var wait = open.renewalAnswered ? terms.renewEveryNanos() : terms.renewAgainNanos();
        return now.longestSince(open.renewalSentAt) >= wait;
    }

    /** StoreSvr answered OpenSession. */
    void opened(StoreCommand.OpenSession sent, StoreReply reply, ClockReading now) {
        if (!(state instanceof Opening opening) || opening.nonce() != sent.nonce()) {
            return;
        }
        if (reply instanceof StoreReply.SessionOpened opened) {
            state = new Open(opened.session(), new HolderLease(opened.lease()));
            retryNanos = RETRY_LEAST_NANOS;
            out.report(new AllocatorEvent.SessionOpened(
                    opened.session(), opened.lease().ttlNanos() / 1_000_000));
            tick(now);
        } else if (reply instanceof StoreReply.SessionHeld held) {
            var wait = Math.max(RETRY_LEAST_NANOS, held.remainingNanos() + random.nextLong(RETRY_LEAST_NANOS));
            state = new Idle(Optional.of(later(now, wait)), Optional.empty());
            out.report(new AllocatorEvent.SessionHeld(held.holder(), held.name(), held.address(), wait / 1_000_000));
        } else {
            openingFailed(sent, now);
        }
    }

    /** No answer to OpenSession, or none that helps: the same session is asked for again, a little later. */
    void openingFailed(StoreCommand.OpenSession sent, ClockReading now) {
        if (state instanceof Opening opening && opening.nonce() == sent.nonce()) {
            state = new Idle(Optional.of(later(now, backOff())), Optional.of(sent.nonce()));
        }
    }

    /** StoreSvr applied a renewal that was sent at {@code sentAt}. */
    void renewed(StoreCommand.Renew sent, ClockReading sentAt) {
        if (state instanceof Open open && open.session == sent.session()) {
            open.lease.renewed(sentAt);
            if (sentAt.equals(open.renewalSentAt)) {
                open.renewalAnswered = true;
            }
        }
    }

    /** Ends the open session for good, here; a new one may be opened after a pause. */
    void lose(ClockReading now) {
        if (state instanceof Open open) {
            open.lease.end();
            state = new Idle(Optional.of(later(now, backOff())), Optional.empty());
        }
    }

    /** Ends everything: the session, if any, is closed at StoreSvr too. */
    void close(ClockReading now) {
        if (state instanceof Open open) {
            open.lease.end();
            out.send(new StoreCommand.CloseSession(open.session), now);
        }
        state = new Closed();
    }

    /** The open session, 0 if there is none. */
    long session() {
        return state instanceof Open open ? open.session : 0;
    }

    Optional<HolderLease> lease() {
        return state instanceof Open open ? Optional.of(open.lease) : Optional.empty();
    }

    private long backOff() {
        var wait = retryNanos / 2 + random.nextLong(retryNanos);
        retryNanos = Math.min(RETRY_MOST_NANOS, retryNanos * 2);
        return wait;
    }

    private static ClockReading later(ClockReading now, long nanos) {
        return new ClockReading(now.monotonicNanos() + nanos, now.wallNanos() + nanos);
    }
}
