package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Several {@link Raiser}s at once, each on a thread and with segments of its own. */
final class RaiseLoad implements AutoCloseable {
    private static final int RAISERS = 5;
    private static final int SEGMENTS_EACH = 2;
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

    private final StoreCalls calls;
    private final List<Raiser> raisers = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(RAISERS);
    private final List<Future<?>> running = new ArrayList<>();

    /** Begins to raise the ten segments of the namespace that {@link StorePeers} make. */
    RaiseLoad(StoreCalls calls, List<Endpoint> peers) {
        this(calls, () -> peers);
    }

    /** The same where others may join the group. */
    RaiseLoad(StoreCalls calls, Supplier<List<Endpoint>> peers) {
        this.calls = calls;
        for (int i = 0; i < RAISERS; i++) {
            int first = i * SEGMENTS_EACH;
            raisers.add(new Raiser(calls, peers, "raiser" + i, first, first + SEGMENTS_EACH - 1));
        }
        raisers.forEach(raiser -> running.add(threads.submit(raiser)));
    }

    /** Raises that were answered with success so far. */
    long raises() {
        return raisers.stream().mapToLong(Raiser::raises).sum();
    }

    /** Waits until so many more raises were answered, and returns how long that took. */
    Duration awaitMore(int more, Duration within) {
        long before = raises();
        long start = System.nanoTime();
        calls.await(more + " raises", within, () -> {
            running.stream().filter(Future::isDone).forEach(RaiseLoad::ended);
            return raises() >= before + more ? Optional.of(true) : Optional.empty();
        });
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Ends the load and compares the store with all that was answered. */
    List<String> losses() {
        raisers.forEach(Raiser::stop);
        running.forEach(RaiseLoad::ended);
        raisers.stream().filter(raiser -> raiser.losses().isEmpty()).forEach(Raiser::take);
        return raisers.stream().flatMap(raiser -> raiser.losses().stream()).toList();
    }

    private static void ended(Future<?> raiser) {
        try {
            raiser.get(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("a raiser failed", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a raiser", interrupted);
        }
    }

    @Override
    public void close() {
        raisers.forEach(Raiser::stop);
        threads.shutdownNow();
    }
}
