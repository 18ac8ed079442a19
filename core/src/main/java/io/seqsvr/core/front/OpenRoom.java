package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.namespace.Namespace;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Room for open calls, in all and for each namespace: where the owners of one say nothing its calls pile up, and must
 * leave room for those of the others. And so must those of one connection: it may have as many open as there is room
 * left for, in all and in the namespace of its call. So one alone gets half, of two each a third, and whoever comes
 * with its first call finds room.
 */
final class OpenRoom {
    /** Callers may name what does not exist: beyond so many names those without open calls are forgotten. */
    static final int NAMES_KEPT = 2_000;

    /** What a look at all calls costs, for each of them, ten times over: so it takes a tenth of the time at most. */
    private static final long PAUSE_NANOS_PER_CALL = 500;

    private static final long LONGEST_PAUSE_NANOS = 20_000_000;

    private final CallLimits limits;
    private final Map<String, OpenShare> shares = new HashMap<>();
    /** Of all names together that are longer than any can be: none of them is kept. */
    private final OpenShare ofNoName = new OpenShare();
    /** The one that was asked for last: most calls go where the one before went. */
    private @Nullable OpenShare last;

    private @Nullable String lastName;
    private int open;
    private long earliestDeadlineNanos;
    private boolean pausing;
    private long pausingUntilNanos;

    OpenRoom(CallLimits limits) {
        this.limits = limits;
    }

    /** The share of a namespace, for a call that is about to be opened. */
    OpenShare of(String namespaceName) {
        if (Namespace.isTooLong(namespaceName)) {
            return ofNoName;
        }
        if (last == null || !namespaceName.equals(lastName)) {
            last = find(namespaceName);
            lastName = namespaceName;
        }
        return last;
    }

    private OpenShare find(String namespaceName) {
        var share = shares.get(namespaceName);
        if (share == null) {
            if (shares.size() >= NAMES_KEPT) {
                shares.values().removeIf(idle -> idle.open == 0);
            }
            share = new OpenShare();
            shares.put(namespaceName, share);
        }
        return share;
    }

    /** Why a call may not be opened; null if it may. */
    Answer.@Nullable Refused refusal(OpenCall<?> call) {
        var share = call.share();
        if (open >= limits.openCalls()) {
            return tooMany(open + " calls of this caller are open; no more may be");
        }
        if (share.open >= limits.openPerNamespace()) {
            return tooMany(share.open + " calls of this caller to namespace "
                    + call.call().namespaceName() + " are open; no more of one namespace may be");
        }
        var connection = call.caller().share();
        int left = roomLeft(share, limits.openPerNamespace());
        if (connection != null && connection.open >= left) {
            return tooMany(connection.open + " calls of this connection are open, and there is room for " + left
                    + " more of all; a connection may have no more than it leaves to others: wait for answers first");
        }
        return null;
    }

    private int roomLeft(OpenShare share, int mostOfNamespace) {
        return Math.min(limits.openCalls() - open, mostOfNamespace - share.open);
    }

    /**
     * Whether a call that is {@linkplain #refusal refused} may be opened all the same, if whoever serves its user
     * answers: then it ends soon. What piles up is for those who say nothing, and must not refuse the users of the
     * others.
     */
    boolean hasReserve(OpenCall<?> call) {
        int left = roomLeft(call.share(), limits.openPerNamespace() + limits.openPerNamespace() / 2);
        var connection = call.caller().share();
        return left > 0 && (connection == null || connection.open < left);
    }

    private static Answer.Refused tooMany(String words) {
        return new Answer.Refused(Refusal.TOO_MANY_WAITING, words);
    }

    /** A call takes its place in the room. */
    void admit(OpenCall<?> call) {
        if (open == 0) {
            earliestDeadlineNanos = call.deadlineNanos();
            pausing = false;
        }
        open++;
        call.share().open++;
        var connection = call.caller().share();
        if (connection != null) {
            connection.open++;
        }
        endsBy(call.deadlineNanos());
    }

    /** A call that is open may have ended: it is time to look which. */
    void lookAtAll(long nowNanos) {
        endsBy(nowNanos);
    }

    private void endsBy(long deadlineNanos) {
        if (deadlineNanos - earliestDeadlineNanos < 0) {
            earliestDeadlineNanos = deadlineNanos;
        }
    }

    /** Whether any call may be overdue, or its caller gone, and it is time to look which. */
    boolean isOverdue(long nowNanos) {
        return open > 0 && nowNanos - earliestDeadlineNanos >= 0 && !(pausing && nowNanos - pausingUntilNanos < 0);
    }

    /**
     * All calls were looked at: those that are overdue, or whose callers are gone, were ended, and these are open
     * still. The next look is at the earliest of their deadlines, but after a pause, the longer the more they are: in
     * an outage one is due at every moment, and those whose owners answer have to get on meanwhile.
     */
    void sweptDownTo(Collection<? extends OpenCall<?>> openCalls, long nowNanos) {
        earliestDeadlineNanos = nowNanos + Long.MAX_VALUE / 2;
        openCalls.forEach(call -> endsBy(call.deadlineNanos()));
        pausing = true;
        pausingUntilNanos = nowNanos + Math.min(LONGEST_PAUSE_NANOS, PAUSE_NANOS_PER_CALL * openCalls.size());
    }

    /** A call that was admitted has ended: its place is free. */
    void release(OpenCall<?> call) {
        open--;
        call.share().open--;
        var connection = call.caller().share();
        if (connection != null) {
            connection.open--;
        }
    }

    /** Calls that have not ended. */
    int open() {
        return open;
    }

    /** How many names are kept. */
    int names() {
        return shares.size();
    }
}
