package io.seqsvr.cli.bench.alloc;

import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceException;
import io.seqsvr.client.SequenceRange;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread of an application that calls {@code next} of a client, which it shares with others. Answers come on the
 * client's one thread, and are checked there.
 *
 * <p>Some are there before this thread has asked to be told, and it is told itself. What checks and counts bears one
 * writer at a time, so these wait in a queue until the client's thread has its next answer and takes them along. That
 * costs all others a look at an empty queue; a lock, or a queue for all, would cost each an atomic step. Where all that
 * is under way waits in the queue no next answer comes, and this thread takes them itself.
 */
final class ClientLoad implements Load {
    private static final long PAUSE_NANOS = 20_000;
    /** It also has to see that it is stopped. */
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;
    /** Calls that are made one after the other, at most, before it looks how many have ended meanwhile. */
    private static final int AT_ONCE = 64;

    /** What the load needs of a client. */
    interface Caller extends AutoCloseable {
        /** Takes the next sequence of a user. */
        CompletionStage<SequenceRange> next(long uid);

        @Override
        void close();

        /** A real one. */
        static Caller of(SequenceClient client) {
            return new Caller() {
                @Override
                public CompletionStage<SequenceRange> next(long uid) {
                    return client.next(uid);
                }

                @Override
                public void close() {
                    client.close();
                }
            };
        }
    }

    /** A number that was received before the thread that calls could ask to be told. */
    private record Early(int place, long number, long seen, long nanos) {}

    private final Caller client;
    private final LongSupplier heldBack;
    private final Users users;
    private final Draws draws;
    private final Schedule schedule;
    private final int concurrency;
    private final Tally tally = new Tally();
    /** Each has one writer at a time, so nobody adds atomically: who calls, and who takes answers. */
    private final AtomicLong begun = new AtomicLong();

    private final AtomicLong answered = new AtomicLong();
    /** What had failed before the thread that calls could ask to be told: some are refused before they leave. */
    private final AtomicLong failedAtOnce = new AtomicLong();

    private final Queue<Early> early = new ConcurrentLinkedQueue<>();

    private final Thread thread;
    private volatile boolean calling = true;

    /**
     * A load that does nothing yet.
     *
     * @param client is closed together with the load
     * @param heldBack steps back that the client noticed and did not give out, told by one of those that share it
     * @param concurrency calls under way at most
     */
    ClientLoad(Caller client, LongSupplier heldBack, Users users, Schedule schedule, int concurrency) {
        this.client = client;
        this.heldBack = heldBack;
        this.users = users;
        this.draws = new Draws(users);
        this.schedule = schedule;
        this.concurrency = concurrency;
        thread = new Thread(this::callOnAndOn, "application");
        thread.setDaemon(true);
    }

    @Override
    public void start() {
        thread.start();
    }

    private void callOnAndOn() {
        // What is early in the end is still to be taken.
        while (calling || !early.isEmpty()) {
            takeIfAllIsEarly();
            long now = System.nanoTime();
            long room = Math.min(AT_ONCE, concurrency - underWay());
            long calls = 0;
            while (calling && calls < room && schedule.isDue(now)) {
                call(now);
                calls++;
            }
            if (calls == 0) {
                LockSupport.parkNanos(Math.min(LONGEST_PAUSE_NANOS, Math.max(PAUSE_NANOS, schedule.next() - now)));
            }
        }
    }

    private void call(long now) {
        // Before it is taken: who sees that nothing is left must see that it is under way.
        begun.setRelease(begun.getPlain() + 1);
        long due = schedule.take(now);
        int place = draws.next();
        long seen = users.checker().seen(place);
        var unused =
                client.next(users.uid(place)).whenComplete((range, error) -> ended(range, error, place, seen, due));
    }

    private void ended(@Nullable SequenceRange range, @Nullable Throwable error, int place, long seen, long due) {
        if (range == null) {
            tally.failed(error instanceof SequenceException typed ? typed.reason() : String.valueOf(error), 1);
        }
        if (Thread.currentThread() != thread) {
            if (range != null) {
                received(place, range.first(), seen, System.nanoTime() - due);
            }
            answered(1 + takeEarly());
        } else if (range != null) {
            early.add(new Early(place, range.first(), seen, System.nanoTime() - due));
        } else {
            failedAtOnce.setRelease(failedAtOnce.getPlain() + 1);
        }
    }

    /** Only by who is the one writer now. */
    private void received(int place, long number, long seen, long nanos) {
        users.checker().received(place, number, seen);
        tally.answered(1, nanos);
    }

    /** Takes what is early, and tells how many these were; only by who is the one writer now. */
    private long takeEarly() {
        long taken = 0;
        for (var next = early.poll(); next != null; next = early.poll()) {
            received(next.place(), next.number(), next.seen(), next.nanos());
            taken++;
        }
        return taken;
    }

    /** The last thing that a writer does: who sees it sees the rest, and may be the next one. */
    private void answered(long calls) {
        answered.setRelease(answered.getPlain() + calls);
    }

    /**
     * Where all that is under way is early the client's thread has nothing to write before the next call. It takes from
     * the queue before it counts, and only this thread adds: so what is seen as under way first, and in the queue then,
     * are equally many only if it has counted all that it took.
     */
    private void takeIfAllIsEarly() {
        if (!early.isEmpty() && underWay() == early.size()) {
            answered(takeEarly());
        }
    }

    @Override
    public void wake() {
        // Its thread looks by itself.
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public long backward() {
        return users.checker().backward() + heldBack.getAsLong();
    }

    @Override
    public long duplicates() {
        return users.checker().duplicates();
    }

    @Override
    public void stop() {
        calling = false;
    }

    @Override
    public long underWay() {
        return begun.getAcquire() - answered.getAcquire() - failedAtOnce.getAcquire();
    }

    @Override
    public void close() {
        client.close();
    }
}
