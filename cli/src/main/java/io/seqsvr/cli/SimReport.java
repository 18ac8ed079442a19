package io.seqsvr.cli;

import io.seqsvr.chaos.sim.Campaign;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.StringJoiner;

/** What a simulation found, for people and for scripts. */
final class SimReport {
    private final Campaign.Result result;
    private final long firstSeed;
    private final long seeds;
    private final double hours;
    private final String mutantOptions;

    SimReport(Campaign.Result result, long firstSeed, long seeds, double hours, String mutantOptions) {
        this.result = result;
        this.firstSeed = firstSeed;
        this.seeds = seeds;
        this.hours = hours;
        this.mutantOptions = mutantOptions;
    }

    int exitCode() {
        if (result.failure().isPresent()) {
            return ExitCode.SAFETY_VIOLATED;
        }
        return result.hasPower() ? ExitCode.OK : ExitCode.INCONCLUSIVE;
    }

    private String verdict() {
        return switch (exitCode()) {
            case ExitCode.SAFETY_VIOLATED -> "violated";
            case ExitCode.INCONCLUSIVE -> "inconclusive";
            default -> "pass";
        };
    }

    /** The command that tells the story of a seed of this run. */
    private String replay(long seed) {
        return "./seqsvr sim --seed " + seed + " --hours " + hours + mutantOptions + " --trace";
    }

    String text() {
        var lines = new StringJoiner(System.lineSeparator());
        var tally = result.tally();
        result.failure().ifPresent(failure -> {
            lines.add("BROKEN PROMISE: " + failure.broken());
            lines.add("seed " + failure.simulation().seed() + ", "
                    + failure.simulation().guards());
            lines.add("mix  " + failure.outcome().mix());
            lines.add("replay with: " + replay(failure.simulation().seed()));
        });
        lines.add(say(
                "%,d seeds from %d, %,.1f simulated hours each: %s",
                result.seeds(),
                firstSeed,
                hours,
                result.failure().isPresent() ? "stopped at the first broken promise" : "no promise broken"));
        lines.add(say(
                "  simulated hours      %,14.1f  %,12.0f per core-minute", tally.hours(), perMinute(tally.hours())));
        lines.add(count("operations", tally.operations()));
        lines.add(count("refused", tally.refusals()));
        lines.add(count("unknown outcomes", tally.unknown()));
        lines.add(count("changes of owner", tally.ownerChanges()));
        lines.add(count("  of them planned", tally.handOvers()));
        lines.add(count("  of these in calm", tally.calmHandOvers()));
        lines.add(count("users seen gapless", tally.calmUsers()));
        lines.add(count("straddling pairs", tally.straddlingPairs()));
        lines.add(count("faults", tally.faults()));
        lines.add(say("  hash                 %016x", result.hash()));
        if (tally.cutShort() > 0) {
            lines.add(count("ended early", tally.cutShort()));
        }
        if (tally.unjudged() > 0) {
            lines.add(count("judged in part only", tally.unjudged()));
        }
        if (exitCode() == ExitCode.INCONCLUSIVE) {
            lines.add("INCONCLUSIVE: no two calls straddled a change of owner, so a breach could not have been seen;"
                    + " simulate more hours or seeds");
        }
        return lines.toString();
    }

    private String count(String what, long amount) {
        return say("  %-20s %,14d  %,12.0f per core-minute", what, amount, perMinute((double) amount));
    }

    private double perMinute(double amount) {
        return result.perCoreMinute(amount);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    JsonObject json() {
        var tally = result.tally();
        var faults = new JsonObject();
        tally.faultsByKind().forEach((fault, amount) -> faults.put(fault.name(), amount));
        var json = new JsonObject()
                .put("verdict", verdict())
                .put("first_seed", Long.toString(firstSeed))
                .put("seeds", seeds)
                .put("seeds_run", result.seeds())
                .put("hours", tally.hours())
                .put("hours_per_core_minute", perMinute(tally.hours()))
                .put("core_seconds", result.cpuNanos() / 1e9)
                .put("operations", tally.operations())
                .put("refusals", tally.refusals())
                .put("unknown_outcomes", tally.unknown())
                .put("unjudged", tally.unjudged())
                .put("owner_changes", tally.ownerChanges())
                .put("hand_overs", tally.handOvers())
                .put("calm_hand_overs", tally.calmHandOvers())
                .put("calm_users", tally.calmUsers())
                .put("cut_short", tally.cutShort())
                .put("straddling_pairs", tally.straddlingPairs())
                .put("faults", tally.faults())
                .put("faults_by_kind", faults)
                .put("hash", String.format(Locale.ROOT, "%016x", result.hash()))
                .put("violations", result.failure().isPresent() ? 1 : 0);
        result.failure()
                .ifPresent(failure -> json.put(
                        "violation",
                        new JsonObject()
                                .put("promise", failure.broken().promise().name())
                                .put("words", failure.broken().toString())
                                .put("seed", Long.toString(failure.simulation().seed()))
                                .put("mix", failure.outcome().mix().toString())
                                .put("replay", replay(failure.simulation().seed()))));
        return json;
    }
}
