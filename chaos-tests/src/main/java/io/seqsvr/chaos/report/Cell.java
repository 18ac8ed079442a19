package io.seqsvr.chaos.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All rounds of one kind, of many runs.
 *
 * @param name as {@link Round#cell()} says it
 * @param trials its rounds, in the order of the runs
 * @param skippedBecause why runs could not try it, each reason once; empty if one could
 */
public record Cell(String name, List<Trial> trials, List<String> skippedBecause) {
    /**
     * A round, and the run that it belongs to.
     *
     * @param run the run
     * @param round one of its rounds
     */
    public record Trial(RunFile run, Round round) {}

    /** Keeps copies. */
    public Cell {
        trials = List.copyOf(trials);
        skippedBecause = List.copyOf(skippedBecause);
    }

    /** What it comes to: never a pass without a round that passed. */
    public CellVerdict verdict() {
        if (count(RoundVerdict.VIOLATED) > 0) {
            return CellVerdict.VIOLATED;
        }
        if (count(RoundVerdict.MISSED) > 0) {
            return CellVerdict.FAILED;
        }
        if (count(RoundVerdict.VOID) > 0) {
            return CellVerdict.VOID;
        }
        return trials.isEmpty() ? CellVerdict.SKIPPED : CellVerdict.PASS;
    }

    /** How many of its rounds came to this. */
    public long count(RoundVerdict verdict) {
        return trials.stream()
                .filter(trial -> trial.round().verdict() == verdict)
                .count();
    }

    /**
     * The round whose wait was the greatest share of its bound. One that is void does not count: what it was to do was
     * not seen, so no wait is because of it.
     */
    public Optional<Round> worst() {
        return trials.stream()
                .map(Trial::round)
                .filter(round -> round.verdict() != RoundVerdict.VOID)
                .max(Comparator.comparingDouble(Cell::shareOfBound));
    }

    private static double shareOfBound(Round round) {
        return round.waitedMillis() / (double) Math.max(1, round.boundMillis());
    }

    /** Calls for users whom its rounds were not to touch. */
    public Bystanders bystanders() {
        return trials.stream().map(trial -> trial.round().bystanders()).reduce(Bystanders.NONE, Bystanders::plus);
    }

    /** What drew its rounds, each seed once. */
    public List<String> seeds() {
        return trials.stream().map(trial -> trial.run().seed()).distinct().toList();
    }

    /** For how long its rounds went on together. */
    public double seconds() {
        return trials.stream()
                        .map(Trial::round)
                        .mapToLong(round -> Math.max(0, round.endedMillis() - round.begunMillis()))
                        .sum()
                / 1e3;
    }

    /** Why it is no pass, a line for each reason; of a cell that was skipped, why. */
    public List<String> words() {
        return Stream.concat(
                        trials.stream()
                                .filter(trial -> trial.round().verdict() != RoundVerdict.PASS)
                                .map(Cell::words),
                        skippedBecause.stream())
                .toList();
    }

    private static String words(Trial trial) {
        var round = trial.round();
        return "seed " + trial.run().seed() + ", round " + round.number() + " (" + String.join(", ", round.faults())
                + ") " + Fields.word(round.verdict())
                + (round.words().isEmpty() ? "" : ": " + String.join("; ", round.words()));
    }
}
