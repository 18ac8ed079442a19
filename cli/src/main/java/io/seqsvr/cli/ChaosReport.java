package io.seqsvr.cli;

import io.seqsvr.chaos.report.Cell;
import io.seqsvr.chaos.report.CellVerdict;
import io.seqsvr.chaos.report.CommitRuns;
import io.seqsvr.chaos.report.Round;
import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunVerdict;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * What chaos runs of one commit amount to, for people and for scripts.
 *
 * @param runs the runs
 */
record ChaosReport(CommitRuns runs) {
    private static final int FIRST_NUMBER = 2;

    static int exitCode(RunVerdict verdict) {
        return switch (verdict) {
            case VIOLATED -> ExitCode.SAFETY_VIOLATED;
            case MISSED -> ExitCode.TARGET_MISSED;
            case INCONCLUSIVE -> ExitCode.INCONCLUSIVE;
            case PASS -> ExitCode.OK;
        };
    }

    String text() {
        var totals = runs.totals();
        var lines = new StringJoiner(System.lineSeparator());
        lines.add(say("%s: commit %s, %,d runs, %,.1f hours", runs.verdict(), runs.commit(), totals.runs(), hours()));
        lines.add(say("  operations checked       %,12d", totals.checked()));
        lines.add(say("  straddling pairs         %,12d", totals.straddlingPairs()));
        lines.add(say("  changes of owner         %,12d", totals.ownerChanges()));
        lines.add(say("  asked a former owner     %,12d", totals.askedFormerOwner()));
        lines.add(say("  rounds                   %,12d", totals.rounds()));
        lines.add(say("  faults                   %,12d", totals.faults()));
        lines.add(say("  violations               %,12d", totals.violations()));
        lines.add(say("  unexplained gaps         %,12d", totals.unexplainedGaps()));
        lines.add(say("  longest unavailability   %,12d ms", totals.longestMillis()));
        lines.add("");
        cells().forEach(lines::add);
        for (var cell : runs.cells().cells()) {
            var what = cell.verdict() == CellVerdict.SKIPPED
                    ? "  NOT TRIED: " + cell.name() + ": "
                    : "  " + cell.name() + ": ";
            cell.words().forEach(words -> lines.add(what + words));
        }
        return lines.toString();
    }

    private List<String> cells() {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of(
                "AT WORK", "VERDICT", "ROUNDS", "PASS", "MISSED", "VIOLATED", "VOID", "WORST WAIT", "ITS BOUND"));
        for (var cell : runs.cells().cells()) {
            if (cell.verdict() != CellVerdict.SKIPPED) {
                rows.add(row(cell));
            }
        }
        return rows.size() == 1 ? List.of("  no round was begun") : Columns.lines(rows, FIRST_NUMBER);
    }

    private static List<String> row(Cell cell) {
        return List.of(
                cell.name(),
                cell.verdict().name(),
                say("%,d", cell.trials().size()),
                say("%,d", cell.count(RoundVerdict.PASS)),
                say("%,d", cell.count(RoundVerdict.MISSED)),
                say("%,d", cell.count(RoundVerdict.VIOLATED)),
                say("%,d", cell.count(RoundVerdict.VOID)),
                cell.worst().map(round -> say("%,d ms", round.waitedMillis())).orElse("-"),
                cell.worst().map(round -> say("%,d ms", round.boundMillis())).orElse("-"));
    }

    private double hours() {
        return runs.totals().seconds() / 3_600;
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    JsonObject json() {
        var totals = runs.totals();
        return new JsonObject()
                .put("verdict", word(runs.verdict()))
                .put("commit", runs.commit())
                .put("runs", totals.runs())
                .put("hours", hours())
                .put("rounds", totals.rounds())
                .put("faults", totals.faults())
                .put("operations", totals.operations())
                .put("checked_online", totals.checked())
                .put("refused", totals.refused())
                .put("unknown_outcomes", totals.unknown())
                .put("violations", totals.violations())
                .put("owner_changes", totals.ownerChanges())
                .put("straddling_pairs", totals.straddlingPairs())
                .put("asked_a_former_owner", totals.askedFormerOwner())
                .put("unexplained_gaps", totals.unexplainedGaps())
                .put("longest_unavailable_ms", totals.longestMillis())
                .put(
                        "cells",
                        new JsonArray(runs.cells().cells().stream()
                                .map(ChaosReport::json)
                                .toList()));
    }

    private static JsonObject json(Cell cell) {
        var json = new JsonObject()
                .put("cell", cell.name())
                .put("verdict", word(cell.verdict()))
                .put("rounds", cell.trials().size());
        for (var verdict : RoundVerdict.values()) {
            json.put(word(verdict), cell.count(verdict));
        }
        cell.worst().map(Round::waitedMillis).ifPresent(waited -> json.put("worst_wait_ms", waited));
        cell.worst().map(Round::boundMillis).ifPresent(bound -> json.put("its_bound_ms", bound));
        return json.put("seeds", new JsonArray(cell.seeds())).put("words", new JsonArray(cell.words()));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
