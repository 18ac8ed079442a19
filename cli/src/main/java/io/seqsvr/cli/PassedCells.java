package io.seqsvr.cli;

import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** How often which cell has passed. */
final class PassedCells {
    private final Map<String, Integer> counts = new HashMap<>();

    static PassedCells none() {
        return new PassedCells();
    }

    /** In the runs of a commit that have left their files in a directory, which need not be there. */
    static PassedCells in(Path directory, String commit) throws IOException {
        var passed = new PassedCells();
        if (!Files.isDirectory(directory)) {
            return passed;
        }
        for (var run : RunFiles.in(directory)) {
            if (run.commit().equals(commit)) {
                run.rounds().stream()
                        .filter(round -> round.verdict() == RoundVerdict.PASS)
                        .forEach(round -> passed.counts.merge(round.cell(), 1, Integer::sum));
            }
        }
        return passed;
    }

    int of(String cell) {
        return counts.getOrDefault(cell, 0);
    }
}
