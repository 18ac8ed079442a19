package io.seqsvr.core.front;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Calls that came to nothing and wait before they are tried again, each time up to twice as long as the last time.
 * Those that came to nothing together, as a frame was refused, go on together, and in their order.
 */
final class RestingCalls<T> {
    private static final long FIRST_NANOS = 10_000_000;
    private static final long LONGEST_NANOS = 250_000_000;
    private static final int MOST_DOUBLINGS = 10;

    private final PriorityQueue<OpenCall<T>> calls = new PriorityQueue<>(RestingCalls::inOrder);
    private final RandomGenerator random;
    private long order;
    /** When the last one came, how often it had failed, and how long it rests. */
    private long lastNanos;

    private int lastFailures = -1;
    private long lastRestNanos;

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
        if (nowNanos != lastNanos || failures != lastFailures) {
            long longest = Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(failures, MOST_DOUBLINGS));
            lastNanos = nowNanos;
            lastFailures = failures;
            lastRestNanos = longest / 2 + random.nextLong(longest / 2);
        }
        call.restUntil(nowNanos + lastRestNanos, order++);
        calls.add(call);
    }

    private static int inOrder(OpenCall<?> one, OpenCall<?> other) {
        int byTime = Long.signum(one.dueNanos() - other.dueNanos());
        return byTime != 0 ? byTime : Long.compare(one.restOrder(), other.restOrder());
    }

    /** Those that have rested for long enough are ready. */
    void wake(long nowNanos, Deque<OpenCall<T>> ready) {
        for (var next = calls.peek(); next != null && nowNanos - next.dueNanos() >= 0; next = calls.peek()) {
            ready.add(calls.remove());
        }
    }

    /** Those of which this holds are ready, however long they have rested. */
    void wake(Predicate<OpenCall<T>> which, Deque<OpenCall<T>> ready) {
        if (calls.isEmpty()) {
            return;
        }
        var awake = new ArrayList<OpenCall<T>>();
        calls.removeIf(call -> which.test(call) && awake.add(call));
        awake.sort(RestingCalls::inOrder);
        ready.addAll(awake);
    }

    /** Those that have ended rest no more. */
    void forgetEnded() {
        calls.removeIf(OpenCall::hasEnded);
    }

    Collection<OpenCall<T>> all() {
        return calls;
    }
}
