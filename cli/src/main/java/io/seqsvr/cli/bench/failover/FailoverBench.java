package io.seqsvr.cli.bench.failover;

import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.cli.bench.Figures;
import io.seqsvr.cli.bench.MeasuringFailed;
import io.seqsvr.cli.demo.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/** Measures what users notice of a change, on a cluster of its own of which nothing is left in the end. */
public final class FailoverBench {
    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(30);
    /** By how much more than with nothing done calls may take where StoreSvr's leader dies. */
    private static final long MOST_LATER_MICROS = 100_000;

    /** In which what comes late because of a change still counts as a part of it, besides the deadline of calls. */
    private static final Duration AFTERMATH = Duration.ofMillis(500);

    private static final int TOLD_FAILURES = 5;

    private final FailoverPlan plan;
    private final JavaProgram program;
    private final ToIntFunction<List<String>> operator;
    private final Consumer<String> progress;

    private final Figures figures = new Figures();
    private final Pauses pauses = new Pauses();
    /** Of users whose owner was left alone. */
    private final Pauses others = new Pauses();

    private final Histogram micros = new Histogram(3);
    private final List<Double> raisesUnanswered = new ArrayList<>();
    private final List<Double> takenOverMillis = new ArrayList<>();
    private long raises;
    private long calmMicros;
    /** Calls that had to fail. */
    private long expected;

    private boolean violated;

    /**
     * A bench that has started nothing yet.
     *
     * @param plan without problems
     * @param program what runs a node
     * @param operator carries out a line of the command line and gives its exit code, in this process: the start of one
     *     more on the same cores would be a part of what is measured
     * @param progress gets a line now and then
     */
    public FailoverBench(
            FailoverPlan plan, JavaProgram program, ToIntFunction<List<String>> operator, Consumer<String> progress) {
        this.plan = plan;
        this.program = program;
        this.operator = operator;
        this.progress = progress;
    }

    /** Measures; blocks; to be called once. */
    public Figures run() throws MeasuringFailed, InterruptedException {
        try (var nodes = LocalNodes.in(plan.parent(), "seqsvr-bench-", program)) {
            tell(
                    "starting %d StoreSvr, %d AllocSvr and %d routers in %s",
                    plan.stores(), plan.allocators(), plan.routers(), nodes.directory());
            putPlan();
            var cluster = LocalCluster.in(nodes, plan.cluster());
            cluster.start(READY_WITHIN);
            try (var loaded = new LoadedCluster(cluster, plan, operator)) {
                measure(loaded);
            }
            tell("removing %s", nodes.directory());
            return figures;
        } catch (IOException unusable) {
            throw new MeasuringFailed("the cluster's directory cannot be used: " + unusable.getMessage());
        } catch (NodeFailure failed) {
            throw new MeasuringFailed(Objects.requireNonNullElse(failed.getMessage(), "no reason given"));
        }
    }

    /** Whether a user got an answer that it may not get. */
    public boolean isSafetyViolated() {
        return violated;
    }

    private void measure(LoadedCluster cluster) throws InterruptedException {
        var load = cluster.load();
        tell("warming up for %d s", plan.warmUpSeconds());
        cluster.awaitShared();
        Waiting.REAL.pass(Duration.ofSeconds(plan.warmUpSeconds()));
        for (int round = 1; round <= plan.warmUpRounds(); round++) {
            warmUp(cluster, round);
        }
        // What fails in cold processes is not what is measured, nor are the numbers that nobody got by that.
        load.rests();
        if (!Waiting.REAL.until(() -> !load.isUnderWay(), ENDS_WITHIN)) {
            throw new NodeFailure("calls did not end within " + ENDS_WITHIN.toSeconds() + " s");
        }
        load.goOn();
        tell("measuring for %d s with nothing done", plan.calmSeconds());
        load.beginWindow();
        Waiting.REAL.pass(Duration.ofSeconds(plan.calmSeconds()));
        var calm = load.micros();
        calmMicros = calm.getValueAtPercentile(99);
        putLatency("calm", "nothing done", calm);
        var waits = new Pauses();
        waits.add(of(load.longestWaits(), all(), true));
        waits.putInto(figures, "calm_pause", "nothing done: users waited");
        for (int round = 1; round <= plan.rounds(); round++) {
            play(cluster, round);
            if (round < plan.rounds()) {
                settle();
            }
        }
        load.stop();
        var unused = Waiting.REAL.until(() -> !load.isUnderWay(), ENDS_WITHIN);
        putResults(load);
    }

    private void settle() {
        Waiting.REAL.pass(Duration.ofSeconds(plan.settleSeconds()));
    }

    /** The node of a round; the rounds that warm up are counted too. */
    private LocalNode next(LoadedCluster cluster, int round) {
        return plan.change() == Change.KILL_LEADER
                ? cluster.awaitLeader()
                : cluster.inTurn(plan.change().tier(), round);
    }

    private void warmUp(LoadedCluster cluster, int round) {
        var node = next(cluster, round);
        tell("warming up: %s %s, %d of %d", plan.change(), node.name(), round, plan.warmUpRounds());
        strike(cluster, node);
        cluster.awaitEverybodyServedSince(System.nanoTime());
        takenOverMillis.clear();
        restore(cluster, node);
        settle();
    }

    private void play(LoadedCluster cluster, int round) {
        var load = cluster.load();
        var change = plan.change();
        var node = next(cluster, plan.warmUpRounds() + round);
        boolean[] struck = change.isOfItsUsers() ? cluster.usersOf(node) : all();
        var failuresBefore = load.failuresOfUsers();
        long answeredBefore = change.endsAnAllocator() ? 0 : cluster.raises(true);
        long unansweredBefore = change.endsAnAllocator() ? 0 : cluster.raises(false);
        // What was just looked at is work for everybody, and no part of what is measured.
        Waiting.REAL.pass(AFTERMATH);
        load.beginWindow();
        strike(cluster, node);
        cluster.awaitEverybodyServedSince(System.nanoTime());
        Waiting.REAL.pass(plan.deadline().plus(AFTERMATH));
        micros.add(load.micros());
        var waits = load.longestWaits();
        pauses.add(of(waits, struck, true));
        others.add(of(waits, struck, false));
        if (!change.endsAnAllocator()) {
            raises += cluster.raises(true) - answeredBefore;
            raisesUnanswered.add((double) cluster.raises(false) - unansweredBefore);
        }
        if (change.leavesUsersWithoutAnOwner()) {
            var failuresAfter = load.failuresOfUsers();
            Arrays.setAll(failuresAfter, user -> failuresAfter[user] - failuresBefore[user]);
            expected += of(failuresAfter, struck, true).sum();
        }
        tell(
                "round %d of %d: %s %s, a user waited %.0f ms at most",
                round, plan.rounds(), change, node.name(), pauses.last());
        restore(cluster, node);
    }

    private boolean[] all() {
        var all = new boolean[plan.segments()];
        Arrays.fill(all, true);
        return all;
    }

    private static LongStream of(long[] figures, boolean[] struck, boolean wanted) {
        return IntStream.range(0, figures.length)
                .filter(user -> struck[user] == wanted)
                .mapToLong(user -> figures[user]);
    }

    /** What is measured. */
    private void strike(LoadedCluster cluster, LocalNode node) {
        switch (plan.change()) {
            case DRAIN -> cluster.drain(node);
            case RESTART_ALLOCATOR, RESTART_ROUTER, RESTART_STORE -> {
                cluster.stop(node);
                cluster.start(node);
            }
            case KILL_ALLOCATOR -> {
                node.kill9();
                cluster.awaitSessionOver(node);
                long over = System.nanoTime();
                cluster.awaitTakenOver(node);
                takenOverMillis.add((System.nanoTime() - over) / 1e6);
            }
            case KILL_LEADER -> {
                node.kill9();
                var unused = cluster.awaitLeader();
            }
        }
    }

    /** What has to be done before the next round. */
    private void restore(LoadedCluster cluster, LocalNode node) {
        switch (plan.change()) {
            case DRAIN -> {
                cluster.stop(node);
                cluster.start(node);
            }
            case KILL_ALLOCATOR, KILL_LEADER -> cluster.start(node);
            case RESTART_ALLOCATOR, RESTART_ROUTER, RESTART_STORE -> {
                // It is back already.
            }
        }
    }

    private void putPlan() {
        figures.put("change", "--change", plan.change().toString());
        figures.put("stores", "--store", plan.stores());
        figures.put("allocators", "--alloc", plan.allocators());
        figures.put("routers", "--router", plan.routers());
        figures.put("ttl_ms", "--ttl, ms", plan.ttl().toMillis());
        figures.put("segments", "--segments", plan.segments());
        figures.put("step", "--step", plan.step());
        figures.put("rate", "--rate", plan.rate());
        figures.put("deadline_ms", "--deadline, ms", plan.deadline().toMillis());
        figures.put("warm_up_rounds", "--warm-up-rounds", plan.warmUpRounds());
        figures.put("settle_s", "--settle, s", plan.settleSeconds());
        figures.put("rounds", "--rounds", plan.rounds());
    }

    private void putLatency(String key, String words, Histogram of) {
        figures.put(key + "_p50_us", words + ": latency, median us", of.getValueAtPercentile(50));
        figures.put(key + "_p99_us", words + ": latency, 99 % us", of.getValueAtPercentile(99));
        figures.put(key + "_p999_us", words + ": latency, 99.9 % us", of.getValueAtPercentile(99.9));
        figures.put(key + "_max_us", words + ": latency, longest us", of.getMaxValue());
    }

    private void putResults(SteadyLoad load) {
        var change = plan.change();
        putLatency("change", "meanwhile", micros);
        boolean some = change.leavesUsersWithoutAnOwner();
        pauses.putInto(figures, "pause", change.isOfItsUsers() ? "users of the former owner waited" : "users waited");
        if (change.isOfItsUsers()) {
            others.putInto(figures, "others_pause", "other users waited");
        }
        if (some) {
            figures.put(
                    "taken_over_ms", "from the session's end until others own all, of each round, ms", takenOverMillis);
        }
        long failed = load.failed();
        figures.put("calls", "calls", load.calls());
        figures.put("failed", "calls without a sequence after all retries", failed);
        if (some) {
            figures.put("expected_failures", "of them of users of the dead owner", expected);
        }
        if (!change.endsAnAllocator()) {
            figures.put("raises", "Raise commands that were answered meanwhile", raises);
            figures.put("raises_unanswered", "Raise commands without an answer, in each round", raisesUnanswered);
        }
        figures.put("owner_changes", "changes of owner, as users saw them", load.ownerChanges());
        figures.put("gaps", "users with a gap in their numbers", load.usersWithGaps());
        figures.put("numbers_skipped", "numbers in these gaps", load.skipped());
        violated = load.violations() > 0;
        figures.addErrors(load.violations(), load.firstViolation());
        figures.addErrors(failed - expected, "calls failed; " + mostFrequent(load));
        if (!some) {
            figures.addErrors(load.usersWithGaps(), "numbers were skipped though nobody died who knew of them");
        }
        if (change == Change.KILL_LEADER) {
            putWhatAnElectionMayNotCost(load);
        }
    }

    private void putWhatAnElectionMayNotCost(SteadyLoad load) {
        figures.addErrors(load.ownerChanges(), "users changed their owners: a lease was lost in an election");
        long later = micros.getValueAtPercentile(99) - calmMicros;
        figures.addErrors(
                later > MOST_LATER_MICROS ? 1 : 0,
                "99 % of the calls took " + later + " us more than with nothing done; at most " + MOST_LATER_MICROS
                        + " are allowed");
        long quiet = raisesUnanswered.stream().filter(count -> count == 0).count();
        if (quiet > 0) {
            figures.inconclusive("in " + quiet + " of " + plan.rounds()
                    + " elections no raise was under way; a smaller --step makes them more frequent");
        }
    }

    private static String mostFrequent(SteadyLoad load) {
        return load.failures().entrySet().stream()
                .sorted((one, other) -> Long.compare(other.getValue(), one.getValue()))
                .limit(TOLD_FAILURES)
                .map(failure -> failure.getValue() + " times '" + failure.getKey() + "'")
                .collect(Collectors.joining(", "));
    }

    private void tell(String format, Object... values) {
        progress.accept(String.format(Locale.ROOT, format, values));
    }
}
