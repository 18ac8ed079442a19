package io.seqsvr.chaos.sim;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Many seeds, one after the other on each of several threads, until all are run or a promise is broken.
 *
 * <p>What was run is the same whatever the number of threads, unless a promise is broken.
 */
public final class Campaign {
    private final long firstSeed;
    private final long seeds;
    private final int threads;
    private final LongFunction<Simulation> simulations;
    private final Tally tally = new Tally();
    private long next;
    private long done;
    private long hash;
    private @Nullable Failure failure;

    /**
     * A seed whose run broke a promise.
     *
     * @param simulation the run
     * @param outcome how it ended
     */
    public record Failure(Simulation simulation, Simulation.Outcome outcome) {
        /** The promise. */
        public BrokenPromise broken() {
            return outcome.broken().orElseThrow();
        }
    }

    /**
     * How it ended.
     *
     * @param seeds how many seeds were run to their end
     * @param tally what happened in all of them
     * @param hash the stories of all of them as one number, whatever the order in which they ended
     * @param cpuNanos what it cost, on all threads together
     * @param failure the first seed that failed, if any
     */
    public record Result(long seeds, Tally tally, long hash, long cpuNanos, Optional<Failure> failure) {
        /** How much of something came about per minute of one core. */
        public double perCoreMinute(double amount) {
            return amount * 60e9 / Math.max(1, cpuNanos);
        }

        /** Whether it could have seen a breach of order: without pairs that straddle a change of owner it is void. */
        public boolean hasPower() {
            return tally.straddlingPairs() > 0;
        }
    }

    /**
     * A campaign that has not begun.
     *
     * @param firstSeed the first seed; the others follow it by one
     * @param seeds how many
     * @param threads how many run at once
     * @param simulations the run of a seed
     */
    public Campaign(long firstSeed, long seeds, int threads, LongFunction<Simulation> simulations) {
        this.firstSeed = firstSeed;
        this.seeds = seeds;
        this.threads = threads;
        this.simulations = simulations;
    }

    /** Runs it. */
    public Result run() throws InterruptedException {
        var pool = Executors.newFixedThreadPool(threads, task -> {
            var thread = new Thread(task, "simulation");
            thread.setDaemon(true);
            return thread;
        });
        try {
            var workers = new ArrayList<Future<Long>>();
            for (int i = 0; i < threads; i++) {
                workers.add(pool.submit(this::work));
            }
            long cpuNanos = 0;
            for (var worker : workers) {
                cpuNanos += worker.get();
            }
            return result(cpuNanos);
        } catch (ExecutionException ended) {
            throw new IllegalStateException(
                    "a simulation ended without an outcome: " + ended.getMessage(), ended.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** How much is done, from 0 to 1. */
    public synchronized double progress() {
        return (double) done / seeds;
    }

    /** What happened so far. */
    public synchronized Tally soFar() {
        var copy = new Tally();
        copy.add(tally);
        return copy;
    }

    private synchronized Result result(long cpuNanos) {
        return new Result(done, tally, hash, cpuNanos, Optional.ofNullable(failure));
    }

    private long work() {
        var simulation = take();
        while (simulation != null) {
            note(simulation, outcome(simulation));
            simulation = take();
        }
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** What is no broken promise of the run, as memory that is used up, still tells which run it was. */
    private static Simulation.Outcome outcome(Simulation simulation) {
        try {
            return simulation.run();
        } catch (RuntimeException | Error defect) {
            throw new IllegalStateException("seed " + simulation.seed() + ": " + defect, defect);
        }
    }

    private synchronized @Nullable Simulation take() {
        if (failure != null || next == seeds || Thread.currentThread().isInterrupted()) {
            return null;
        }
        return simulations.apply(firstSeed + next++);
    }

    private synchronized void note(Simulation simulation, Simulation.Outcome outcome) {
        tally.add(outcome.tally());
        hash += outcome.hash();
        done++;
        boolean first =
                failure == null || simulation.seed() < failure.simulation().seed();
        if (outcome.broken().isPresent() && first) {
            failure = new Failure(simulation, outcome);
        }
    }
}
