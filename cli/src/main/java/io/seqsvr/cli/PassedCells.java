package io.seqsvr.cli;

import io.seqsvr.chaos.report.Cluster;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.chaos.report.Round;
import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunFile;
import io.seqsvr.chaos.report.RunFiles;
import io.seqsvr.chaos.report.RunVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How often which cell has passed, and what became of the rounds that have not. */
final class PassedCells {
    private final Map<String, List<Kept>> kept = new HashMap<>();

    /** A bound that was kept, in milliseconds, over such a network. */
    private record Kept(long boundMillis, Network network) {}

    private final Map<RoundVerdict, Integer> verdicts = new EnumMap<>(RoundVerdict.class);

    /** What whole runs came to: some of what goes wrong is found between rounds, or in the end. */
    private final Set<RunVerdict> runs = EnumSet.noneOf(RunVerdict.class);

    /** Of those that prove nothing as a whole, how many never compared the states of StoreSvr's peers. */
    private int uncompared;

    static PassedCells none() {
        return new PassedCells();
    }

    /** In the runs of a commit, in such a cluster, whose files are in a directory, which need not be there. */
    static PassedCells in(Path directory, String commit, Cluster cluster) throws IOException {
        var passed = new PassedCells();
        if (!Files.isDirectory(directory)) {
            return passed;
        }
        for (var run : RunFiles.in(directory)) {
            if (run.commit().equals(commit) && run.cluster().equals(cluster)) {
                passed.runs.add(run.verdict());
                passed.uncompared += isUncompared(run) ? 1 : 0;
                run.rounds().forEach(round -> passed.add(run, round));
            }
        }
        return passed;
    }

    /** A run that came to its end and proves nothing has no round that proves anything; one that was cut short may. */
    private static boolean counts(RunFile run) {
        return run.verdict() != RunVerdict.INCONCLUSIVE || run.result().getBoolean("interrupted", false);
    }

    /** Its rounds count, but what its cluster would have shown in the end nobody knows. */
    private static boolean isUncompared(RunFile run) {
        return run.verdict() == RunVerdict.INCONCLUSIVE
                && counts(run)
                && !run.result().getBoolean("replicas_compared", false)
                && run.rounds().stream().anyMatch(round -> round.verdict() == RoundVerdict.PASS);
    }

    private void add(RunFile run, Round round) {
        verdicts.merge(round.verdict(), 1, Integer::sum);
        if (round.verdict() == RoundVerdict.PASS && counts(run)) {
            kept.computeIfAbsent(round.cell(), cell -> new ArrayList<>())
                    .add(new Kept(round.boundMillis(), run.network()));
        }
    }

    /**
     * How often a cell has passed where users might wait for so long, or not even that.
     *
     * @param network over which it has to have been, if it is about one: what a proxy can do is less
     */
    int of(String cell, Duration bound, Optional<Network> network) {
        return (int) kept.getOrDefault(cell, List.of()).stream()
                .filter(one -> one.boundMillis() <= bound.toMillis())
                .filter(one -> network.isEmpty() || network.get() == one.network())
                .count();
    }

    /** What they come to; rounds that prove nothing are made up for by others. */
    RunVerdict worst() {
        if (runs.contains(RunVerdict.VIOLATED) || verdicts.containsKey(RoundVerdict.VIOLATED)) {
            return RunVerdict.VIOLATED;
        }
        if (runs.contains(RunVerdict.MISSED) || verdicts.containsKey(RoundVerdict.MISSED)) {
            return RunVerdict.MISSED;
        }
        return uncompared > 0 ? RunVerdict.INCONCLUSIVE : RunVerdict.PASS;
    }

    /** For people, after that: what keeps them from being a pass, if anything does. */
    String words() {
        int violated = verdicts.getOrDefault(RoundVerdict.VIOLATED, 0);
        int missed = verdicts.getOrDefault(RoundVerdict.MISSED, 0);
        var worst = worst();
        if (worst == RunVerdict.INCONCLUSIVE) {
            return "; in " + uncompared
                    + " runs on file the states of StoreSvr's peers were never compared, as they were"
                    + " broken off: what passed there has to be tried again in another directory";
        }
        return worst == RunVerdict.PASS
                ? ""
                : "; in " + violated + " rounds on file a promise was broken, and " + missed
                        + " missed a bound, or a run did besides: see 'seqsvr chaos report'";
    }
}
