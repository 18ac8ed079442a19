package io.seqsvr.core.front;

import java.util.Collection;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Calls that came to nothing and wait before they are tried again, each time up to twice as long as the last time. */
final class RestingCalls<T> {
    private static final long FIRST_NANOS = 10_000_000;
    private static final long LONGEST_NANOS = 250_000_000;
    private static final int MOST_DOUBLINGS = 10;

    private final PriorityQueue<OpenCall<T>> calls =
            new PriorityQueue<>((one, other) -> Long.signum(one.dueNanos() - other.dueNanos()));
    private final RandomGenerator random;

    /** None rests yet. */
    RestingCalls(RandomGenerator random) {
        this.random = random;
    }

    /**
     * A call rests.
     *
     * @param failures how often it has failed before
     */
    void add(OpenCall<T> call, int failures, long nowNanos) {
        long longest = Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(failures, MOST_DOUBLINGS));
        call.restUntil(nowNanos + longest / 2 + random.nextLong(longest / 2));
        calls.add(call);
    }

    /** Those that have rested for long enough are ready. */
    void wake(long nowNanos, Deque<OpenCall<T>> ready) {
        for (var next = calls.peek(); next != null && nowNanos - next.dueNanos() >= 0; next = calls.peek()) {
            ready.add(calls.remove());
        }
    }

    /** Those of which this holds are ready, however long they have rested. */
    void wake(Predicate<OpenCall<T>> which, Deque<OpenCall<T>> ready) {
        calls.removeIf(call -> which.test(call) && ready.add(call));
    }

    /** Those that have ended rest no more. */
    void forgetEnded() {
        calls.removeIf(OpenCall::hasEnded);
    }

    Collection<OpenCall<T>> all() {
        return calls;
    }
}
