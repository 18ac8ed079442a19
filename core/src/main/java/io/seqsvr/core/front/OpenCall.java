package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call from being put down to its end.
 *
 * <p>Invariant: it ends once. Until then it is in one place: ready or waiting to be sent, resting, or held by the
 * attempt made last; earlier attempts may still answer it. Of one that was answered it keeps nothing.
 */
final class OpenCall<T> {
    /** Asked again for less than this a call takes another number for nobody. */
    private static final long WORTH_WAITING_NANOS = 200_000_000;
    /**
     * Of attempts that were given up so many may still answer it: of more it forgets the oldest. An owner that is away
     * for long would have thousands of them kept, for replies that do not come.
     */
    private static final int MOST_GIVEN_UP = 16;

    private static final Answer.Refused NEVER_SENT = new Answer.Refused(Refusal.NOT_READY, "it was not sent in time");

    private final T ticket;
    private final Call call;
    private final Caller caller;
    private final OpenShare share;
    private final long leastEpoch;
    private final long deadlineNanos;
    private @Nullable SegmentRoute route;
    private int namespaceId;
    private long seen;
    private Routing.@Nullable Owner asked;
    /** Where the attempt made last went; empty before the first. */
    private String sentTo = "";
    /** The oldest attempt that may still answer it. */
    private @Nullable Attempt<T> first;
    /** The others. */
    private List<Attempt<T>> later = List.of();

    private @Nullable Attempt<T> heldBy;
    private Answer.@Nullable Refused refused;
    private int failures;
    private long dueNanos;
    private long restOrder;
    private boolean ended;

    OpenCall(T ticket, Call call, Caller caller, OpenShare share, long leastEpoch, long deadlineNanos) {
        this.ticket = ticket;
        this.call = call;
        this.caller = caller;
        this.share = share;
        this.leastEpoch = leastEpoch;
        this.deadlineNanos = deadlineNanos;
    }

    Call call() {
        return call;
    }

    /** Who waits for it. */
    Caller caller() {
        return caller;
    }

    /** Where it takes room of its namespace while it is open. */
    OpenShare share() {
        return share;
    }

    /** Why it is not sent to that owner: its caller has seen a newer epoch; null if it may be. */
    Answer.@Nullable Refused refusalOf(Routing.Owner owner) {
        if (Long.compareUnsigned(owner.epoch(), leastEpoch) >= 0) {
            return null;
        }
        return new Answer.Refused(
                Refusal.NOT_OWNER,
                "the newest epoch known of segment " + owner.segment().index() + " is " + owner.epoch()
                        + ", older than min_epoch " + Long.toUnsignedString(leastEpoch));
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    private boolean isOverdue(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    /** The segment of its user, null before it was found. */
    @Nullable
    SegmentRoute route() {
        return route;
    }

    /** The segment of its user was found; it never changes. */
    void found(SegmentRoute segment) {
        route = segment;
        namespaceId = segment.id().namespaceId();
    }

    /** The namespace of that segment. */
    int namespaceId() {
        return namespaceId;
    }

    /** So much of its user is known to the caller before it is first sent. */
    void saw(long known) {
        seen = known;
    }

    /** What the caller knew of the user before the call was first sent. */
    long seen() {
        return seen;
    }

    /** It is meant for that owner. What it has been through with another one does not count. */
    void ask(Routing.Owner owner) {
        if (!owner.equals(asked)) {
            asked = owner;
            failures = 0;
        }
    }

    /** Whether another owner is known by now than the one that it was last meant for. */
    boolean hasNewOwner(RouteBook book) {
        return route != null && book.look(route) instanceof Routing.Owner owner && !owner.equals(asked);
    }

    /** An attempt takes it along. */
    void join(Attempt<T> attempt) {
        if (first == null) {
            first = attempt;
        } else {
            if (later.isEmpty()) {
                later = new ArrayList<>();
            }
            later.add(attempt);
        }
        heldBy = attempt;
        refused = null;
        sentTo = attempt.lane().line().address();
    }

    /** An attempt was answered, or its reply came to nothing: it will not answer this call any more. */
    void forget(Attempt<T> attempt) {
        if (first == attempt) {
            first = later.isEmpty() ? null : later.remove(0);
        } else if (!later.isEmpty()) {
            later.remove(attempt);
        }
    }

    /** Forgets the oldest attempt if too many may still answer, and tells which it was. */
    Optional<Attempt<T>> forgetIfTooMany() {
        if (first == null || later.size() < MOST_GIVEN_UP) {
            return Optional.empty();
        }
        var oldest = Optional.of(first);
        forget(first);
        return oldest;
    }

    boolean isHeldBy(Attempt<T> attempt) {
        return heldBy == attempt && !ended;
    }

    /**
     * The attempt that held it came to nothing, or there was nobody to send it to.
     *
     * @param why a refusal; null if nobody knows
     * @return how often that has happened before with the same owner
     */
    int fail(Answer.@Nullable Refused why) {
        heldBy = null;
        refused = why;
        return failures++;
    }

    /** How it ends with an answer. */
    CallEffect.Answered<T> answered(Answer answer) {
        return new CallEffect.Answered<>(ticket, answer);
    }

    /** Whether a refusal says that it waited for StoreSvr in vain, and in what is left of its time it would again. */
    boolean hasWaitedForAll(Answer.Refused refusal, long nowNanos) {
        return refusal.isRefusal(Refusal.DEADLINE_PASSED) && deadlineNanos - nowNanos < WORTH_WAITING_NANOS;
    }

    /** How it ends if it is time for that: its caller is gone, or waits no longer. Null if it goes on, or has ended. */
    @Nullable
    CallEffect<T> dueEnd(long nowNanos) {
        if (ended || !(caller.isGone() || isOverdue(nowNanos))) {
            return null;
        }
        return caller.isGone() ? endUnheard() : endAtDeadline();
    }

    /** How it ends when its time is over: with the last thing heard of it, if that was a refusal. */
    private CallEffect<T> endAtDeadline() {
        if (refused == null && sentTo.isEmpty()) {
            return answered(NEVER_SENT);
        }
        return refused == null ? endUnheard() : answered(refused);
    }

    /** How it ends without an answer, as when its caller is gone. */
    CallEffect<T> endUnheard() {
        return new CallEffect.Unanswered<>(ticket, sentTo);
    }

    /** It rests until then. */
    void restUntil(long due, long order) {
        dueNanos = due;
        restOrder = order;
    }

    long dueNanos() {
        return dueNanos;
    }

    /** Which of those that rest it was. */
    long restOrder() {
        return restOrder;
    }

    boolean hasEnded() {
        return ended;
    }

    /** The oldest attempt that may still answer it, null if none may. */
    @Nullable
    Attempt<T> first() {
        return first;
    }

    /** All attempts after that which may. */
    List<Attempt<T>> later() {
        return later;
    }

    /** It has ended, and holds none of the attempts that others share with it: these hold it. */
    void end() {
        ended = true;
        heldBy = null;
        first = null;
        later = List.of();
    }
}
