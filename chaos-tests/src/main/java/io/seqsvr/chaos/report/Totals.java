package io.seqsvr.chaos.report;

import java.util.List;

/**
 * What runs amount to together.
 *
 * @param runs how many
 * @param seconds for how long together
 * @param rounds how many rounds
 * @param faults how many faults in them
 * @param operations answered calls
 * @param checked answers that were checked: these, and each user of a call for many
 * @param refused calls that a typed "no" ended
 * @param unknown calls without an answer
 * @param violations broken promises
 * @param ownerChanges changes of owner that users saw
 * @param straddlingPairs those of them where a breach would have shown
 * @param askedFormerOwner calls that reached an owner after its time
 * @param unexplainedGaps gaps that nothing explains
 * @param longestMillis the longest that a user waited, in milliseconds
 */
public record Totals(
        int runs,
        double seconds,
        long rounds,
        long faults,
        long operations,
        long checked,
        long refused,
        long unknown,
        long violations,
        long ownerChanges,
        long straddlingPairs,
        long askedFormerOwner,
        long unexplainedGaps,
        long longestMillis) {
    private static final List<String> FIGURES = List.of(
            "operations",
            "checked_online",
            "refused",
            "unknown_outcomes",
            "violations",
            "owner_changes",
            "straddling_pairs",
            "asked_a_former_owner",
            "unexplained_gaps",
            "longest_unavailable_ms");

    private static final List<String> WORDS = List.of("missed", "doubts", "broken");

    /** All that a report reads of a result is there. */
    static void requireFigures(Fields result) {
        FIGURES.forEach(result::whole);
        WORDS.forEach(result::texts);
    }

    /** Of these runs. */
    public static Totals of(List<RunFile> runs) {
        return new Totals(
                runs.size(),
                runs.stream().mapToDouble(RunFile::seconds).sum(),
                runs.stream().mapToLong(run -> run.rounds().size()).sum(),
                runs.stream()
                        .flatMap(run -> run.rounds().stream())
                        .mapToLong(round -> round.faults().size())
                        .sum(),
                sum(runs, "operations"),
                sum(runs, "checked_online"),
                sum(runs, "refused"),
                sum(runs, "unknown_outcomes"),
                sum(runs, "violations"),
                sum(runs, "owner_changes"),
                sum(runs, "straddling_pairs"),
                sum(runs, "asked_a_former_owner"),
                sum(runs, "unexplained_gaps"),
                runs.stream()
                        .mapToLong(run -> run.result().getLong("longest_unavailable_ms", 0L))
                        .max()
                        .orElse(0));
    }

    private static long sum(List<RunFile> runs, String figure) {
        return runs.stream().mapToLong(run -> run.result().getLong(figure, 0L)).sum();
    }
}
