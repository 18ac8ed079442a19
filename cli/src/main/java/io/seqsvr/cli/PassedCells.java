package io.seqsvr.cli;

import io.seqsvr.chaos.report.Cluster;
import io.seqsvr.chaos.report.Round;
import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunFiles;
import io.seqsvr.chaos.report.RunVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How often which cell has passed, and what became of the rounds that have not. */
final class PassedCells {
    /** The bounds, in milliseconds, that were kept. */
    private final Map<String, List<Long>> kept = new HashMap<>();

    private final Map<RoundVerdict, Integer> verdicts = new EnumMap<>(RoundVerdict.class);

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
                run.rounds().forEach(passed::add);
            }
        }
        return passed;
    }

    private void add(Round round) {
        verdicts.merge(round.verdict(), 1, Integer::sum);
        if (round.verdict() == RoundVerdict.PASS) {
            kept.computeIfAbsent(round.cell(), cell -> new ArrayList<>()).add(round.boundMillis());
        }
    }

    /** How often a cell has passed where users might wait for so long, or not even that. */
    int of(String cell, Duration bound) {
        return (int) kept.getOrDefault(cell, List.of()).stream()
                .filter(millis -> millis <= bound.toMillis())
                .count();
    }

    /** What the rounds come to; those that prove nothing were made up for by others. */
    RunVerdict worst() {
        if (verdicts.containsKey(RoundVerdict.VIOLATED)) {
            return RunVerdict.VIOLATED;
        }
        return verdicts.containsKey(RoundVerdict.MISSED) ? RunVerdict.MISSED : RunVerdict.PASS;
    }

    /** For people, after that: how many rounds are no pass, if any. */
    String words() {
        int violated = verdicts.getOrDefault(RoundVerdict.VIOLATED, 0);
        int missed = verdicts.getOrDefault(RoundVerdict.MISSED, 0);
        return violated + missed == 0
                ? ""
                : "; in " + violated + " rounds on file a promise was broken, and " + missed
                        + " missed a bound: see 'seqsvr chaos report'";
    }
}
