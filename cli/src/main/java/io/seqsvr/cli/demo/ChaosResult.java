package io.seqsvr.cli.demo;

import io.seqsvr.chaos.live.Silences;
import io.seqsvr.chaos.report.Bystanders;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.chaos.report.Round;
import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunVerdict;
import io.seqsvr.chaos.report.Skip;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * What came of a run.
 *
 * @param plan what was to be done
 * @param rounds what was done
 * @param pairsNeeded fewer straddling pairs prove nothing
 * @param brokenOff why it ended before its time, if it did
 * @param over whether it has ended; before that it is what there was so far
 * @param compared whether the states of all StoreSvr peers were compared in the end; of somebody else's cluster they
 *     never are
 * @param network what lay between the nodes
 * @param seen what users saw
 */
public record ChaosResult(
        ChaosPlan plan,
        List<Round> rounds,
        int pairsNeeded,
        Optional<String> brokenOff,
        boolean over,
        boolean compared,
        Network network,
        LoadReport seen) {
    private static final int MOST_NAMED = 6;

    /** Keeps copies. */
    public ChaosResult {
        rounds = List.copyOf(rounds);
    }

    /** The same run, of which it was found in the end that something went wrong besides. */
    ChaosResult alsoBrokenOff(String why) {
        var all = brokenOff.map(before -> before + "; " + why).orElse(why);
        return new ChaosResult(plan, rounds, pairsNeeded, Optional.of(all), over, compared, network, seen);
    }

    /** What it comes to. */
    public RunVerdict verdict() {
        if (seen.isViolated()) {
            return RunVerdict.VIOLATED;
        }
        if (!missed().isEmpty()) {
            return RunVerdict.MISSED;
        }
        return doubts().isEmpty() ? RunVerdict.PASS : RunVerdict.INCONCLUSIVE;
    }

    private List<String> missed() {
        var missed = new ArrayList<String>();
        brokenOff.ifPresent(why -> missed.add(PlayedRound.BROKEN_OFF + why));
        rounds.stream()
                .filter(round -> round.verdict() == RoundVerdict.MISSED)
                .forEach(round -> missed.addAll(round.words()));
        waited(RoundVerdict.MISSED).ifPresent(missed::add);
        if (seen.seen().unexplainedGaps() > 0) {
            missed.add(say(
                    "%,d gaps that nothing explains: %s",
                    seen.seen().unexplainedGaps(), String.join("; ", seen.seen().unexplained())));
        }
        return missed;
    }

    /** Of waits while nothing was at work, if that is what they come to. */
    private Optional<String> waited(RoundVerdict verdict) {
        // Where nothing is at work here, somebody else may do something to his cluster.
        boolean bounded = plan.living().isEmpty() || plan.timing().bound().isPresent();
        return seen.waits(Silences.NO_FAULT)
                .filter(waits -> bounded)
                .flatMap(waits -> Waits.tooLong(waits, plan.leastBound(), Silences.NO_FAULT))
                .filter(found -> found.verdict() == verdict)
                .map(Finding::words);
    }

    private List<String> doubts() {
        var doubts = new ArrayList<String>();
        waited(RoundVerdict.VOID).ifPresent(doubts::add);
        if (!over) {
            doubts.add("it was interrupted; this is what there was by then");
        }
        rounds.stream()
                .filter(round -> round.verdict() == RoundVerdict.VOID)
                .flatMap(round -> round.words().stream())
                // It is why the run is a miss, and is told there.
                .filter(words -> brokenOff.isEmpty() || !words.startsWith(PlayedRound.BROKEN_OFF))
                .forEach(doubts::add);
        var power = seen.seen().power();
        boolean changed = power.changes() > 0;
        if ((pairsNeeded > 0 || plan.living().isPresent()) && !changed) {
            doubts.add("no user saw a change of owner");
        }
        if (power.straddles() == 0 && (changed || plan.living().isEmpty())) {
            doubts.add("no straddling pair: a breach of order could not have shown");
        }
        if (power.straddles() < pairsNeeded) {
            doubts.add(say("%,d straddling pairs; %,d are needed", power.straddles(), pairsNeeded));
        }
        if (pairsNeeded > 0 && power.deposed() == 0) {
            doubts.add("no former owner was asked after its time: what it says then could not have shown");
        }
        if (seen.seen().items() == 0) {
            doubts.add("nobody of the crowd was answered");
        }
        if (over && !compared && plan.living().isEmpty()) {
            doubts.add("the replicas of StoreSvr were not compared in the end, with each other and with what users"
                    + " were shown");
        }
        if (seen.seen().unjudged() > 0) {
            doubts.add(say("%,d answers were judged in part only", seen.seen().unjudged()));
        }
        return doubts;
    }

    private Bystanders bystanders() {
        return rounds.stream().map(Round::bystanders).reduce(Bystanders.NONE, Bystanders::plus);
    }

    /** For people. */
    public String text() {
        var lines = new StringJoiner(System.lineSeparator());
        lines.add(say("%s: %d rounds of %s, seed %d", verdict(), rounds.size(), named(), plan.seed()));
        missed().forEach(words -> lines.add("  MISSED: " + words));
        doubts().forEach(words -> lines.add("  INCONCLUSIVE: " + words));
        plan.skipped().forEach(skip -> lines.add("  SKIPPED: " + skip.cell() + ": " + skip.why()));
        lines.add(seen.text());
        lines.add(say(
                "  for bystanders, whom nothing was done to: %,d calls through routers, %,d failed",
                bystanders().calls(), bystanders().failed()));
        return lines.toString();
    }

    /** For scripts. */
    public JsonObject json() {
        var json = new JsonObject();
        plan.timing().lasting().ifPresent(lasting -> json.put("lasting_ms", lasting.toMillis()));
        return json.put("verdict", verdict().name().toLowerCase(Locale.ROOT))
                .put("fault", String.join(",", faults()))
                .put("order", plan.cluster().namespace().order().name().toLowerCase(Locale.ROOT))
                .put("at_once", plan.mostAtOnce())
                .put("rounds", rounds.size())
                .put("seed", Long.toString(plan.seed()))
                .put("minutes", plan.timing().minutes())
                .put("bound_ms", longestBound().toMillis())
                .put("straddling_pairs_needed", pairsNeeded)
                .put("missed", missed())
                .put("doubts", doubts())
                .put("interrupted", !over)
                .put("replicas_compared", compared)
                .put("skipped", skipped())
                .put("bystander_calls", bystanders().calls())
                .put("bystander_failures", bystanders().failed())
                .put("network", network.name().toLowerCase(Locale.ROOT))
                .mergeIn(seen.json());
    }

    private JsonArray skipped() {
        return new JsonArray(plan.skipped().stream().map(Skip::toJson).toList());
    }

    private String named() {
        var faults = faults();
        return faults.size() > MOST_NAMED ? faults.size() + " faults" : String.join(", ", faults);
    }

    /** What was drawn from, or tried alone or together. */
    private List<String> faults() {
        return plan.cells().isEmpty()
                ? plan.faults().stream().map(ClusterFault::name).toList()
                : plan.cells().stream().map(Compound::name).distinct().toList();
    }

    private Duration longestBound() {
        return rounds.stream()
                .map(round -> Duration.ofMillis(round.boundMillis()))
                .max(Duration::compareTo)
                .orElseGet(plan::leastBound);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
