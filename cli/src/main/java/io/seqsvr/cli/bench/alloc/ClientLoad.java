package io.seqsvr.cli.bench.alloc;

import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceException;
import io.seqsvr.client.SequenceRange;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread of an application that calls {@code next} of a client, which it shares with others. Answers come on the
 * client's one thread, and are checked there; but for the few that are there before this thread has asked to be told.
 */
final class ClientLoad implements Load {
    private static final long PAUSE_NANOS = 20_000;
    /** Calls that are made one after the other, at most, before it looks how many have ended meanwhile. */
    private static final int AT_ONCE = 64;

    private final SequenceClient client;
    private final LongSupplier heldBack;
    private final Users users;
    private final Draws draws;
    private final Schedule schedule;
    private final int concurrency;
    private final Tally tally = new Tally();
    /** Each has one writer, so nobody adds atomically: who calls, and who answers. */
    private final AtomicLong begun = new AtomicLong();

    private final AtomicLong answered = new AtomicLong();
    /** What had ended before the thread that calls could ask to be told: some are refused before they leave. */
    private final AtomicLong endedAtOnce = new AtomicLong();

    private final Thread thread;
    private volatile boolean calling = true;

    /**
     * A load that does nothing yet.
     *
     * @param client is closed together with the load
     * @param heldBack steps back that the client noticed and did not give out, told by one of those that share it
     * @param concurrency calls under way at most
     */
    ClientLoad(SequenceClient client, LongSupplier heldBack, Users users, Schedule schedule, int concurrency) {
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
        while (calling) {
            long now = System.nanoTime();
            long room = Math.min(AT_ONCE, concurrency - underWay());
            long calls = 0;
            while (calls < room && schedule.isDue(now)) {
                call(now);
                calls++;
            }
            if (calls == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
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
        if (range != null) {
            users.checker().received(place, range.first(), seen);
            tally.answered(1, System.nanoTime() - due);
        } else {
            tally.failed(error instanceof SequenceException typed ? typed.reason() : String.valueOf(error), 1);
        }
        var counted = Thread.currentThread() == thread ? endedAtOnce : answered;
        counted.setRelease(counted.getPlain() + 1);
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
        return begun.getAcquire() - answered.getAcquire() - endedAtOnce.getAcquire();
    }

    @Override
    public void close() {
        client.close();
    }
}
