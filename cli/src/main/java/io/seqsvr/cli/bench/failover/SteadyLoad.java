package io.seqsvr.cli.bench.failover;

import io.seqsvr.chaos.check.OnlineChecker;
import io.seqsvr.chaos.grpc.Given;
import io.seqsvr.chaos.process.Closings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Users who ask in turn, so many calls in a second whether or not earlier ones were answered. Each call counts from
 * when it was due, and each answer is judged. With their first call users take different counts: else all of them would
 * come to the end of a step in the same moment, and there would be no raise between.
 */
final class SteadyLoad implements AutoCloseable {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long LONGEST_PARK_NANOS = 200_000;
    /** To ask takes microseconds. */
    private static final long ASKS_NO_MORE_WITHIN_MILLIS = 10_000;

    private static final int DIGITS = 3;
    /** No namespace refuses so many in one call, by default. */
    private static final long MOST_AT_FIRST = 1_000;

    private final List<? extends Caller> callers;
    private final List<SteadyUser> users;
    private final double betweenNanos;
    private final long step;
    private final OnlineChecker checker = new OnlineChecker();
    private final Recorder micros = new Recorder(DIGITS);
    private final LongAdder calls = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder violations = new LongAdder();
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final Thread thread = new Thread(this::run, "steady-load");
    private volatile boolean stopping;
    private volatile boolean resting;
    /** Whether it has seen that it is to rest: until then it may be about to ask once more. */
    private volatile boolean rests;

    private volatile String firstViolation = "";

    /**
     * A load that asks nobody yet.
     *
     * @param callers take turns
     * @param users how many ask, one of each segment
     * @param rate calls in a second
     * @param step by how much a segment's max_seq is raised
     */
    SteadyLoad(List<? extends Caller> callers, int users, int rate, long step) {
        this.callers = List.copyOf(callers);
        this.users =
                IntStream.range(0, users).mapToObj(user -> new SteadyUser()).toList();
        this.betweenNanos = (double) NANOS_PER_SECOND / rate;
        this.step = step;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long start = System.nanoTime();
        for (long call = 0; !stopping; call++) {
            if (resting) {
                start += rest();
            }
            long due = start + (long) (call * betweenNanos);
            for (long left = due - System.nanoTime(); left > 0 && !stopping; left = due - System.nanoTime()) {
                LockSupport.parkNanos(Math.min(left, LONGEST_PARK_NANOS));
            }
            long round = call / users.size();
            int user = (int) (call % users.size());
            // Each user comes by every caller.
            ask(callers.get((int) ((round + user) % callers.size())), user, round == 0 ? atFirst(user) : 1, due);
        }
    }

    private int atFirst(int user) {
        return 1 + (int) (user * Math.min(step, MOST_AT_FIRST) / users.size());
    }

    /** Nothing is due meanwhile; how long it took. */
    private long rest() {
        long begun = System.nanoTime();
        rests = true;
        while (resting && !stopping) {
            LockSupport.parkNanos(LONGEST_PARK_NANOS);
        }
        rests = false;
        return System.nanoTime() - begun;
    }

    /** Asks nobody until {@link #goOn}; calls that are under way go on. */
    void rests() {
        resting = true;
    }

    /** Asks again, as if nothing had been seen before. */
    void goOn() {
        users.forEach(SteadyUser::forget);
        failed.reset();
        failures.clear();
        calls.reset();
        resting = false;
    }

    private void ask(Caller caller, int place, int count, long due) {
        var user = users.get(place);
        long uid = FailoverPlan.uid(place);
        user.asks(due);
        long floor = checker.begin(uid);
        var unused = caller.next(uid, count).handle((given, failure) -> {
            end(user, uid, count, floor, due, given, failure);
            return uid;
        });
    }

    private void end(
            SteadyUser user,
            long uid,
            int count,
            long floor,
            long due,
            @Nullable Given given,
            @Nullable Throwable failure) {
        long now = System.nanoTime();
        calls.increment();
        if (given == null || given.uid() != uid || given.last() - given.first() != count - 1) {
            checker.abandon(uid, floor);
            user.failed(due);
            if (given == null) {
                failed.increment();
                failures.computeIfAbsent(words(failure), first -> new LongAdder())
                        .increment();
            } else {
                violated("asked for " + count + " sequences of user " + uid + ", but was answered " + given);
            }
            return;
        }
        checker.end(uid, floor, given.first(), given.last())
                .ifPresent(breach -> violated(given + " after " + floor + " breaks " + breach));
        user.served(due, now, given.last(), given.epoch());
        micros.recordValue(Math.max(0, (now - due) / 1_000));
    }

    private void violated(String words) {
        if (violations.sum() == 0) {
            firstViolation = words;
        }
        violations.increment();
    }

    private static String words(@Nullable Throwable failure) {
        var cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
    }

    /** From now on it is measured anew how long users wait. */
    void beginWindow() {
        long now = System.nanoTime();
        micros.reset();
        users.forEach(user -> user.beginWindow(now));
    }

    /** How long calls took that were answered since, in microseconds. */
    Histogram micros() {
        return micros.getIntervalHistogram();
    }

    /** How long each user waited at most since, in nanoseconds. */
    long[] longestWaits() {
        long now = System.nanoTime();
        return users.stream().mapToLong(user -> user.longestWait(now)).toArray();
    }

    /** Whether of every user a call was answered that was due at or after a moment of {@link System#nanoTime}. */
    boolean everybodyIsServedSince(long nanos) {
        return users.stream().allMatch(user -> user.isServedSince(nanos));
    }

    /** Calls that have ended. */
    long calls() {
        return calls.sum();
    }

    /** Calls that were given up. */
    long failed() {
        return failed.sum();
    }

    /** The same, of each user. */
    long[] failuresOfUsers() {
        return of(SteadyUser::failures).toArray();
    }

    /** The same, by what was said of it. */
    Map<String, Long> failures() {
        var all = new TreeMap<String, Long>();
        failures.forEach((words, count) -> all.put(words, count.sum()));
        return all;
    }

    /** Answers that no user may get. */
    long violations() {
        return violations.sum();
    }

    /** The first of them in words; empty if there was none. */
    String firstViolation() {
        return firstViolation;
    }

    /** Numbers that no user got, though it got greater ones. */
    long skipped() {
        return of(SteadyUser::skipped).sum();
    }

    /** How many users have such numbers. */
    long usersWithGaps() {
        return of(SteadyUser::skipped).filter(skipped -> skipped > 0).count();
    }

    /** Changes of owner, as users saw them. */
    long ownerChanges() {
        return of(SteadyUser::ownerChanges).sum();
    }

    private LongStream of(ToLongFunction<SteadyUser> figure) {
        return users.stream().mapToLong(figure);
    }

    /** Asks no more. */
    void stop() throws InterruptedException {
        stopping = true;
        thread.join();
    }

    /** Whether a call is under way, or about to be although it is to rest. */
    boolean isUnderWay() {
        return (resting && !rests) || users.stream().anyMatch(SteadyUser::isUnderWay);
    }

    /** Asks no more, and closes the callers once nobody is about to use them. */
    @Override
    public void close() {
        stopping = true;
        try {
            thread.join(ASKS_NO_MORE_WITHIN_MILLIS);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        }
        Closings.all(callers.stream().map(caller -> caller::close));
    }
}
