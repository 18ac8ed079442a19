package io.seqsvr.cli.demo;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * What came of a run.
 *
 * @param plan what was done
 * @param rounds how often
 * @param pairsNeeded fewer straddling pairs prove nothing
 * @param bounds how long users may wait, by cause
 * @param withoutEffect faults that did not show from outside
 * @param seen what users saw
 */
public record ChaosResult(
        ChaosPlan plan,
        int rounds,
        int pairsNeeded,
        Map<String, Duration> bounds,
        List<String> withoutEffect,
        LoadReport seen) {
    /** Keeps copies. */
    public ChaosResult {
        bounds = Map.copyOf(bounds);
        withoutEffect = List.copyOf(withoutEffect);
    }

    /** What it comes to, the worst first. */
    public enum Outcome {
        /** A promise was broken. */
        VIOLATED,
        /** Every promise was kept, but a user waited too long, or an owner left numbers out while it served. */
        MISSED,
        /** Nothing was wrong, but too little happened to have seen it. */
        INCONCLUSIVE,
        /** Every promise was kept, and a breach would have shown. */
        PASS
    }

    /** What it comes to. */
    public Outcome outcome() {
        if (seen.isViolated()) {
            return Outcome.VIOLATED;
        }
        if (!missed().isEmpty()) {
            return Outcome.MISSED;
        }
        return doubts().isEmpty() ? Outcome.PASS : Outcome.INCONCLUSIVE;
    }

    private List<String> missed() {
        var missed = new ArrayList<String>();
        for (var cause : new TreeSet<>(seen.seen().silences().keySet())) {
            long waited = seen.longestMillis(cause);
            long bound = bounds.getOrDefault(cause, plan.leastBound()).toMillis();
            if (waited > bound) {
                missed.add(say("a user waited %,d ms; at most %,d ms were allowed: %s", waited, bound, cause));
            }
        }
        if (seen.seen().unexplainedGaps() > 0) {
            missed.add(say("%,d gaps that nothing explains", seen.seen().unexplainedGaps()));
        }
        return missed;
    }

    private List<String> doubts() {
        var doubts = new ArrayList<String>();
        withoutEffect.forEach(name -> doubts.add(name + " did not take effect"));
        var power = seen.seen().power();
        if (pairsNeeded > 0 && power.changes() == 0) {
            doubts.add("no user saw a change of owner");
        }
        if (power.straddles() < pairsNeeded) {
            doubts.add(say("%,d straddling pairs; %,d are needed", power.straddles(), pairsNeeded));
        }
        if (seen.seen().unjudged() > 0) {
            doubts.add(say("%,d answers were judged in part only", seen.seen().unjudged()));
        }
        return doubts;
    }

    /** For people. */
    public String text() {
        var lines = new StringJoiner(System.lineSeparator());
        lines.add(say("%s: %d rounds of %s, seed %d", outcome(), rounds, String.join(", ", faults()), plan.seed()));
        missed().forEach(words -> lines.add("  MISSED: " + words));
        doubts().forEach(words -> lines.add("  INCONCLUSIVE: " + words));
        lines.add(seen.text());
        return lines.toString();
    }

    /** For scripts. */
    public JsonObject json() {
        return new JsonObject()
                .put("verdict", outcome().name().toLowerCase(Locale.ROOT))
                .put("fault", String.join(",", faults()))
                .put("at_once", plan.atOnce())
                .put("rounds", rounds)
                .put("seed", Long.toString(plan.seed()))
                .put("minutes", plan.minutes())
                .put("bound_ms", longestBound().toMillis())
                .put("straddling_pairs_needed", pairsNeeded)
                .put("missed", missed())
                .put("doubts", doubts())
                .mergeIn(seen.json());
    }

    private List<String> faults() {
        return plan.faults().stream().map(ClusterFault::name).toList();
    }

    private Duration longestBound() {
        return bounds.values().stream().max(Duration::compareTo).orElseGet(plan::leastBound);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
