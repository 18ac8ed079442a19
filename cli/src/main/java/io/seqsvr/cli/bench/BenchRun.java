package io.seqsvr.cli.bench;

import io.seqsvr.chaos.process.LocalNode;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One run of a scenario: peers that are ready, a line to them, and who is told how far it is.
 *
 * @param progress gets a line now and then
 */
record BenchRun(BenchPlan plan, PeerProcesses peers, StoreLine line, Consumer<String> progress) {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    private static final int WARMING_COMMANDS = 256;
    /** Until those that were one too many have ended. */
    private static final int SETTLING_SECONDS = 1;

    private static final Duration TELL_EVERY = Duration.ofSeconds(5);

    /** Opens a session and gives it every segment. */
    Assigned assignAll() throws MeasuringFailed {
        tell("opening a session and assigning %,d segments", BenchPlan.SEGMENTS);
        return Assigned.all(line, line.openSession());
    }

    /**
     * Begins the load of the plan and lets it run until the peers are warm. They are warmed by many commands: the
     * compilers of Java go by how often something ran, not by how long.
     */
    RaiseLoad warmLoad(Assigned assigned) throws MeasuringFailed {
        int many = Math.max(plan.concurrency(), Math.min(WARMING_COMMANDS, BenchPlan.SEGMENTS / plan.batch()));
        var load = new RaiseLoad(line.vertx(), line.client(), assigned, many, plan.batch());
        tell("warming up for %d s with %d commands under way", plan.warmUpSeconds(), many);
        line.act(load::start);
        run(load, plan.warmUpSeconds());
        line.act(() -> load.narrow(plan.concurrency()));
        run(load, SETTLING_SECONDS);
        return load;
    }

    /** Lets the load run for some seconds. */
    void run(RaiseLoad load, int seconds) throws MeasuringFailed {
        long start = System.nanoTime();
        long all = TimeUnit.SECONDS.toNanos(seconds);
        for (long past = 0; past < all; past = System.nanoTime() - start) {
            long left = Math.min(TELL_EVERY.toNanos(), all - past);
            line.pause(Duration.ofMillis(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left))));
            var window = line.read(load::window);
            tell(
                    "%d of %d s: %,.0f commands/s",
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
                    seconds,
                    window.perSecond(window.commands()));
        }
    }

    /** Stops the load and puts down what it met with that must not be. */
    void end(RaiseLoad load, boolean unansweredIsExpected, Figures figures) throws MeasuringFailed {
        line.ask("the end of the load", load::stop);
        figures.addErrors(load.wrong(), load.firstWrong());
        if (unansweredIsExpected) {
            figures.put("unanswered", "commands without an answer, as expected", load.unanswered());
        } else {
            figures.addErrors(load.unanswered(), load.lastUnanswered());
        }
    }

    /** Puts down how fast the commands of a window were. */
    void putRates(RaiseLoad.Window window, Figures figures) {
        figures.put("commands", "commands", window.commands());
        figures.put("commands_per_s", "commands per second", window.perSecond(window.commands()));
        figures.put("segment_raises_per_s", "segments raised per second", window.perSecond(window.segments()));
        figures.put("p50_us", "latency, median us", window.micros().getValueAtPercentile(50));
        figures.put("p99_us", "latency, 99 % us", window.micros().getValueAtPercentile(99));
        figures.put("p999_us", "latency, 99.9 % us", window.micros().getValueAtPercentile(99.9));
        figures.put("max_us", "latency, longest us", window.micros().getMaxValue());
    }

    /** Place of the peer that leads and takes commands now, among the peers; nothing if none says so. */
    Optional<Integer> leader() {
        for (int i = 0; i < peers.nodes().size(); i++) {
            var address = peers.addresses().get(i);
            if (seen(() -> {
                var status = line.status(address);
                return status.leads() && status.ready();
            })) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    /** Waits until a peer leads. */
    int awaitLeader() throws MeasuringFailed {
        long start = System.nanoTime();
        for (var leads = leader(); ; leads = leader()) {
            if (leads.isPresent()) {
                return leads.get();
            }
            pauseUntil(start, "no peer leads");
        }
    }

    /** One that does not lead, where there is one: a change of leader is another scenario. */
    LocalNode follower() throws MeasuringFailed {
        int leader = awaitLeader();
        return peers.nodes().get((leader + 1) % peers.nodes().size());
    }

    /** A look at something that becomes true. */
    @FunctionalInterface
    interface Look {
        boolean isTrue() throws MeasuringFailed;
    }

    /** Looks again and again; one that fails is not true yet. */
    void await(String failure, Look look) throws MeasuringFailed {
        long start = System.nanoTime();
        while (!seen(look)) {
            pauseUntil(start, failure);
        }
    }

    private static boolean seen(Look look) {
        try {
            return look.isTrue();
        } catch (MeasuringFailed notYet) {
            return false;
        }
    }

    private void pauseUntil(long start, String failure) throws MeasuringFailed {
        if (System.nanoTime() - start > PeerProcesses.READY_WITHIN.toNanos()) {
            throw new MeasuringFailed(failure + " within " + PeerProcesses.READY_WITHIN.toSeconds() + " s");
        }
        line.pause(BETWEEN_LOOKS);
    }

    /** Tells how far it is. */
    void tell(String format, Object... values) {
        progress.accept(String.format(Locale.ROOT, format, values));
    }
}
