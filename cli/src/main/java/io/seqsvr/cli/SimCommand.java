package io.seqsvr.cli;

import io.seqsvr.chaos.sim.Campaign;
import io.seqsvr.chaos.sim.Mutant;
import io.seqsvr.chaos.sim.Simulation;
import io.seqsvr.chaos.sim.Tally;
import io.seqsvr.core.guard.Guard;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Simulates clusters in virtual time, until all seeds are run or a promise is broken. */
@Command(
        name = "sim",
        description = {
            "Simulates whole clusters in virtual time, with the rules that run in production, while everything between"
                    + " and inside their machines fails as each seed says.",
            "Stops at the first broken promise (exit code 10). A run without a change of owner between two calls could"
                    + " not have seen a breach (exit code 12).",
            "With --mutant, a guard of the protocol is missing, to show that it is needed."
        })
final class SimCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many clusters to simulate (default: ${DEFAULT-VALUE}).")
    private long seeds = 100;

    @Option(
            names = "--hours",
            paramLabel = "H",
            defaultValue = "1",
            description = "Simulated hours with faults of each; healing comes on top (default: ${DEFAULT-VALUE}).")
    private double hours = 1;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "The first seed; the others follow it by one (default: drawn).")
    private long seed = new SplittableRandom().nextLong(1_000_000_000);

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "How many to simulate at once (default: one for each core).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--mutant",
            paramLabel = "GUARD",
            description = "Take a guard away: one of ${COMPLETION-CANDIDATES}.")
    private Optional<Guard> mutant = Optional.empty();

    @Option(
            names = "--without",
            paramLabel = "GUARD",
            split = ",",
            description = "With --mutant: take these away as well (default: those that would hide its absence).")
    private List<Guard> without = List.of();

    @Option(names = "--aimed", description = "With --mutant: only with faults that show its absence soon.")
    private boolean aimed;

    @Option(names = "--trace", description = "Tell the story of the first seed line by line, and run no other.")
    private boolean trace;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException {
        requireSense();
        var simulations = simulations();
        if (trace) {
            var out = spec.commandLine().getOut();
            var outcome = simulations.apply(seed).run(out::println);
            if (outcome.broken().isPresent()) {
                return ExitCode.SAFETY_VIOLATED;
            }
            return outcome.tally().straddlingPairs() == 0 ? ExitCode.INCONCLUSIVE : ExitCode.OK;
        }
        var campaign = new Campaign(seed, seeds, threads, simulations);
        var progress = new ProgressBar(
                campaign::progress,
                () -> words(campaign.soFar()),
                spec.commandLine().getErr());
        progress.start();
        Campaign.Result result;
        try {
            result = campaign.run();
        } finally {
            progress.stop();
        }
        var report = new SimReport(result, seed, seeds, hours, mutantOptions());
        output.print(spec.commandLine().getOut(), report::text, report::json);
        return report.exitCode();
    }

    private static String words(Tally soFar) {
        return String.format(
                Locale.ROOT,
                "%,.0f h  %,d operations  %,d changes of owner  %,d faults",
                soFar.hours(),
                soFar.operations(),
                soFar.ownerChanges(),
                soFar.faults());
    }

    private void requireSense() {
        if (seeds < 1 || threads < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--seeds is " + seeds + " and --threads " + threads + "; each must be above 0");
        }
        if (!(hours > 0 && hours <= 10_000)) {
            throw new ParameterException(
                    spec.commandLine(), "--hours is " + hours + "; it must be above 0 and at most 10000");
        }
        if (trace && output.isJson()) {
            throw new ParameterException(spec.commandLine(), "--trace tells a story, which is no JSON; leave -o out");
        }
        if (mutant.isEmpty() && (aimed || !without.isEmpty())) {
            throw new ParameterException(spec.commandLine(), "--without and --aimed need a --mutant");
        }
    }

    private LongFunction<Simulation> simulations() {
        if (mutant.isEmpty()) {
            return each -> Simulation.of(each, hours);
        }
        var named = Mutant.of(mutant.get(), without);
        var chosen = aimed ? named : named.unaimed();
        return each -> chosen.simulation(each, hours);
    }

    /** What makes the same mutant again, as it stands on the command line. */
    private String mutantOptions() {
        if (mutant.isEmpty()) {
            return "";
        }
        var others = without.isEmpty()
                ? ""
                : " --without " + without.stream().map(Guard::name).collect(Collectors.joining(","));
        return " --mutant " + mutant.get() + others + (aimed ? " --aimed" : "");
    }
}
