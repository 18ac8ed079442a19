package io.seqsvr.core.failover;

import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.core.session.SessionKeeper;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The failover controller of one router as a role: it keeps a session of kind ROUTER, and from each view of the cluster
 * it makes the next PublishRoutes, when it is its turn.
 *
 * <p>The caller's duties: call every method from one thread; {@link #tick} every few milliseconds; after each call
 * carry out what {@link #takeEffects} returns, in order; tell the outcome of each command once.
 *
 * <p>Controllers act in the order of their session ids, each a little later, so that mostly one of them acts. Safety
 * rests neither on the turns nor on anything else here: the compare-and-set of the table keeps plans from mixing, and
 * StoreSvr never takes a segment from a live session. After an unknown outcome it looks again before it plans again. As
 * long as a segment is without an owner it also plans anew every ttl, whatever it has seen.
 */
public final class Controller {
    /** How much later than the one before it each further controller acts: several round trips to StoreSvr. */
    static final long PLACE_NANOS = 50_000_000;
    /** Pause after a plan that did not reach the log: StoreSvr elects, or has too much to do. */
    static final long NOT_SUBMITTED_NANOS = 100_000_000;
    /** It grows up to this while that goes on. */
    private static final long MOST_NOT_SUBMITTED_NANOS = 1_000_000_000;

    /**
     * How long nothing must have changed before living owners are made to share equally: who has just come may go
     * again, and what is under way shows first. Each further controller waits so much longer.
     */
    static final long SETTLED_NANOS = 3_000_000_000L;
    /** Orders without visible effect are given again, so much later. */
    static final long ORDERED_AGAIN_NANOS = 5_000_000_000L;

    private final String name;
    private final String address;
    private final ControllerOutbox out = new ControllerOutbox();
    private final SessionKeeper keeper;

    private @Nullable StoreView view;
    private ClockReading seenAt = new ClockReading(0, 0);
    /** Since when there is a view that was not planned from; the last plan, if there is none. */
    private ClockReading idleSince = new ClockReading(0, 0);

    private long plannedVersion = -1;
    private boolean underWay;
    /** When the last plan was found not to have reached the log; null if there was none, or it did. */
    private @Nullable ClockReading notSubmittedAt;

    private long pauseNanos;

    /** Version of a view from which there was nothing to give: another look at it shows nothing else. */
    private long completeVersion = -1;
    /** Version of the view that was last looked at for balance. */
    private long balancedVersion = -1;

    private ClockReading balancedAt = new ClockReading(0, 0);
    /** From that view nobody was to hand over anything. */
    private boolean balanced;

    private final TookNothing tookNothing = new TookNothing();

    /**
     * A controller that has seen nothing yet.
     *
     * @param name the router's name, borne by one live session at most
     * @param address where the router serves, HOST:PORT
     * @param random for nonces and jitter
     */
    public Controller(String name, String address, RandomGenerator random) {
        this(name, address, random, Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public Controller(String name, String address, RandomGenerator random, Guards guards) {
        this.name = name;
        this.address = address;
        this.keeper = new SessionKeeper(SessionKind.ROUTER, name, address, random, out, guards);
    }

    /** Time passes: opens the session, renews it, and plans if it is this controller's turn. */
    public void tick(ClockReading now) {
        keeper.tick(now);
        plan(now);
        balance(now);
    }

    /** A watch saw the cluster; an older view than the last is ignored. */
    public void woken(StoreView seen, ClockReading now) {
        if (!keeper.viewed(seen.version()) || (view != null && seen.version() == view.version())) {
            return;
        }
        if (view == null || view.version() <= plannedVersion) {
            idleSince = now;
        }
        view = seen;
        seenAt = now;
        plan(now);
    }

    /** StoreSvr answered a command. A second outcome of a call changes nothing. */
    public void answered(long call, StoreReply reply, ClockReading now) {
        var sent = out.close(call);
        if (sent == null) {
            return;
        }
        if (sent.command() instanceof StoreCommand.PublishRoutes) {
            underWay = false;
            pauseNanos = 0;
            if (reply instanceof StoreReply.RoutesPublished published) {
                planFrom(published.version());
            } else if (reply instanceof StoreReply.RoutesRefused refused) {
                planFrom(refused.version());
            }
        } else if (sent.command() instanceof StoreCommand.OpenSession open) {
            keeper.opened(open, reply, sent.at(), now);
        } else if (sent.command() instanceof StoreCommand.Renew renew) {
            if (reply instanceof StoreReply.Renewed renewed) {
                keeper.renewed(renew, renewed, sent.at(), now);
            } else if (reply instanceof StoreReply.RenewalUnheard) {
                keeper.renewalRefused(renew);
            } else if (reply instanceof StoreReply.SessionGone && renew.session() == keeper.session()) {
                keeper.lose(now);
                out.report(new SessionEvent.SessionLost(renew.session(), "StoreSvr ended it"));
            }
        }
        // The watch may have shown the outcome of a plan before its reply came.
        plan(now);
    }

    /** No outcome of a command will come: refused before it was submitted, lost, or too late. */
    public void unanswered(long call, ClockReading now) {
        var sent = out.close(call);
        if (sent == null) {
            return;
        }
        if (sent.command() instanceof StoreCommand.OpenSession open) {
            keeper.openingFailed(open, now);
        } else if (sent.command() instanceof StoreCommand.PublishRoutes) {
            underWay = false;
            if (view != null) {
                // Unknown: no view that is at hand tells the outcome; the next one, or the next ttl, decides.
                plannedVersion = view.version();
            }
        }
    }

    /** A command did not reach the log: as {@link #unanswered}, but a plan is made again after a pause. */
    public void notSubmitted(long call, ClockReading now) {
        boolean planned = underWay;
        unanswered(call, now);
        if (planned && !underWay) {
            pauseNanos = Math.min(MOST_NOT_SUBMITTED_NANOS, Math.max(NOT_SUBMITTED_NANOS, 2 * pauseNanos));
            notSubmittedAt = now;
        }
    }

    /**
     * Stops for good and closes the session. The caller takes effects, and tells outcomes, until it is {@link #closed}.
     */
    public void close(ClockReading now) {
        keeper.close(now);
    }

    /** Whether no session is open, none is being opened and none will be. */
    public boolean closed() {
        return keeper.closed();
    }

    /** What is to be done since the last call. */
    public List<ControllerEffect> takeEffects() {
        return out.takeEffects();
    }

    /** The open session, 0 if there is none. */
    public long session() {
        return keeper.session();
    }

    /** A view that does not show this plan yet is no reason for another one, which would be refused. */
    private void planFrom(long publishVersion) {
        plannedVersion = Math.max(plannedVersion, publishVersion - 1);
    }

    private void plan(ClockReading now) {
        if (view == null || underWay || !due(view, now)) {
            return;
        }
        plannedVersion = view.version();
        idleSince = now;
        notSubmittedAt = null;
        if (view.version() == completeVersion) {
            return;
        }
        var moves = AssignmentPlan.of(view, StoreCommand.MAX_SEGMENTS);
        if (moves.isEmpty()) {
            completeVersion = view.version();
        } else {
            underWay = true;
            out.send(new StoreCommand.PublishRoutes(view.publishVersion(), moves), now);
        }
    }

    /** Once nothing changes any more, living owners hand over to those that own less. */
    private void balance(ClockReading now) {
        if (view == null || underWay || now.longestSince(seenAt) < SETTLED_NANOS) {
            return;
        }
        boolean seenBefore = view.version() == balancedVersion;
        if ((seenBefore && (balanced || now.longestSince(balancedAt) < ORDERED_AGAIN_NANOS))
                || now.longestSince(seenAt) < SETTLED_NANOS * (1 + place(view))) {
            return;
        }
        balancedVersion = view.version();
        balancedAt = now;
        var orders = BalancePlan.of(view, StoreCommand.MAX_SEGMENTS, tookNothing.seenIn(view));
        tookNothing.ordered(orders, view);
        balanced = orders.isEmpty();
        orders.forEach(out::order);
    }

    /** Whether it is this controller's turn: after a view that is new, or, in any case, a ttl after the last plan. */
    private boolean due(StoreView seen, ClockReading now) {
        if (notSubmittedAt != null) {
            return now.longestSince(notSubmittedAt) >= pauseNanos;
        }
        boolean fresh = seen.version() > plannedVersion;
        if (!fresh && now.longestSince(idleSince) < seen.lease().ttlNanos()) {
            return false;
        }
        long turn = place(seen) * PLACE_NANOS;
        return (fresh && now.longestSince(seenAt) >= turn)
                // Views that come one upon the other must not put a turn off for ever.
                || now.longestSince(idleSince) >= seen.lease().ttlNanos() + turn;
    }

    /**
     * How many controllers act before this one. One whose session the view does not show comes after all others, but
     * not after a session of its own name or address: that of its predecessor, or its own, of which it has not heard.
     */
    private int place(StoreView seen) {
        long own = keeper.session();
        boolean shown = seen.session(own).isPresent();
        int place = 0;
        for (var member : seen.sessions()) {
            if (member.kind() == SessionKind.ROUTER && !member.expelled()) {
                place += (shown ? member.id() < own : !isOfThisRouter(member)) ? 1 : 0;
            }
        }
        return place;
    }

    private boolean isOfThisRouter(StoreView.Member member) {
        return member.name().equals(name) || member.address().equals(address);
    }
}
