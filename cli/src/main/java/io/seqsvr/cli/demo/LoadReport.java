package io.seqsvr.cli.demo;

import io.seqsvr.chaos.live.ClientFindings;
import io.seqsvr.chaos.live.Findings;
import io.seqsvr.chaos.live.Gaps;
import io.seqsvr.chaos.live.Silences;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * What users saw of a cluster, for people and for scripts.
 *
 * @param users how many asked, besides those of the Java client
 * @param seconds for how long
 * @param faults how many faults there were
 * @param seen what they saw
 * @param client what those of the Java client saw
 */
public record LoadReport(int users, long seconds, int faults, Findings seen, ClientFindings client) {
    /** Whether a rule was broken, be it that the Java client held it back. */
    public boolean isViolated() {
        return violations() > 0;
    }

    long violations() {
        return seen.broken() + client.backward();
    }

    long longestMillis() {
        return millis(seen.longestNanos());
    }

    /** The longest that a user waited because of this, if it was worth a line. */
    long longestMillis(String cause) {
        return waits(cause).map(waits -> millis(waits.longest().nanos())).orElse(0L);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    private String longestCause() {
        return seen.longest().map(Silences.Silence::cause).orElse(Silences.NO_FAULT);
    }

    /** For people. */
    public String text() {
        var lines = new StringJoiner(System.lineSeparator());
        lines.add(say("%,d s, %d users, %d faults; every answer was checked", seconds, users, faults));
        lines.add(say("  answers                  %,10d", seen.operations()));
        lines.add(say(
                "  answers for the crowd    %,10d      many to a call; %,d more were refused or lost",
                seen.items(), seen.itemsLost()));
        lines.add(say("  refused                  %,10d", seen.refused()));
        lines.add(say("  without an answer        %,10d", seen.unknown()));
        lines.add(say("  longest unavailability   %,10d ms   %s", longestMillis(), longestCause()));
        lines.add(say("  steps back               %,10d", seen.stepsBack()));
        lines.add(say("  duplicates               %,10d", seen.duplicates()));
        lines.add(say(
                "  changes of owner         %,10d      as users saw them",
                seen.power().changes()));
        lines.add(say(
                "  straddling pairs         %,10d      where a breach would show",
                seen.power().straddles()));
        var causes = new TreeSet<>(seen.silences().keySet());
        causes.addAll(seen.gaps().keySet());
        if (!causes.isEmpty()) {
            lines.add("");
            lines.add(say("  %-26s %6s %12s %6s %16s", "CAUSE", "WAITS", "LONGEST", "GAPS", "NUMBERS SKIPPED"));
            for (var cause : causes) {
                var gaps = gaps(cause);
                lines.add(say(
                        "  %-26s %,6d %,9d ms %,6d %,16d",
                        cause, countOfWaits(cause), longestMillis(cause), gaps.gaps(), gaps.numbers()));
            }
        }
        lines.add("");
        lines.add(say(
                "  with the Java client: %,d calls answered, %,d failed, the longest took %,d ms,"
                        + " %,d steps back held back",
                client.answered(), client.failed(), millis(client.longestNanos()), client.backward()));
        broken().forEach(violation -> lines.add("  BROKEN: " + violation));
        return lines.toString();
    }

    /** What was broken, in words: the first of it. */
    private List<String> broken() {
        var broken = new ArrayList<>(seen.violations());
        if (client.backward() > 0) {
            broken.add(say("ORDERED: the Java client held back %,d answers that stepped back", client.backward()));
        }
        return broken;
    }

    /** How long users waited because of this, if that was worth a line. */
    Optional<Silences.Sum> waits(String cause) {
        return Optional.ofNullable(seen.silences().get(cause));
    }

    private long countOfWaits(String cause) {
        return waits(cause).map(Silences.Sum::count).orElse(0L);
    }

    private Gaps.Sum gaps(String cause) {
        return seen.gaps().getOrDefault(cause, new Gaps.Sum(0, 0));
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** For scripts. */
    public JsonObject json() {
        var causes = new TreeSet<>(seen.silences().keySet());
        causes.addAll(seen.gaps().keySet());
        var byCause = new JsonArray();
        for (var cause : causes) {
            byCause.add(new JsonObject()
                    .put("cause", cause)
                    .put("waits", countOfWaits(cause))
                    .put("longest_ms", longestMillis(cause))
                    .put("gaps", gaps(cause).gaps())
                    .put("numbers_skipped", Long.toString(gaps(cause).numbers())));
        }
        return new JsonObject()
                .put("seconds", seconds)
                .put("users", users)
                .put("faults", faults)
                .put("operations", seen.operations())
                .put("checked_online", seen.operations() + seen.items())
                .put("crowd_unanswered", seen.itemsLost())
                .put("refused", seen.refused())
                .put("unknown_outcomes", seen.unknown())
                .put("violations", violations())
                .put("steps_back", seen.stepsBack())
                .put("duplicates", seen.duplicates())
                .put("unjudged", seen.unjudged())
                .put("judged_as_a_whole_too", seen.sampled())
                .put("owner_changes", seen.power().changes())
                .put("straddling_pairs", seen.power().straddles())
                .put("asked_a_former_owner", seen.power().deposed())
                .put("longest_unavailable_ms", longestMillis())
                .put("longest_unavailable_cause", longestCause())
                .put("unexplained_gaps", seen.unexplainedGaps())
                .put("causes", byCause)
                .put(
                        "java_client",
                        new JsonObject()
                                .put("answered", client.answered())
                                .put("failed", client.failed())
                                .put("longest_ms", millis(client.longestNanos()))
                                .put("backward", client.backward()))
                .put("broken", new JsonArray(broken()));
    }
}
