package io.seqsvr.cli;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Launcher;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every command line that the pages for operators and testers show in a block of its own can be typed as it stands, and
 * the alarms rest on meters that there are and can be looked up.
 */
class OperationsPageTest {
    private static final List<String> PAGES = List.of("operations.md", "chaos.md", "bench.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```sh$(.*?)^ *```$");

    /** The heading that the rules name, up to the end of the rows below it. */
    private static final Pattern ALARM_TABLE =
            Pattern.compile("(?s)\n## What to wake somebody for\n.*?\n(\\| alarm .*?)\n\n");

    private static final Pattern NAMED_ALARM = Pattern.compile("(?m)^\\| `(Seqsvr\\w+)`: ");

    private static final Pattern METER = Pattern.compile("\\bseqsvr_\\w+");

    private static List<String> lines() {
        var docs = Launcher.find().home().resolve("docs");
        return PAGES.stream()
                .map(page -> SourceTree.text(docs.resolve(page)))
                .flatMap(page -> BLOCK.matcher(page).results())
                .flatMap(block -> block.group(1).lines())
                .map(line -> line.replaceFirst("\\s#.*", "").strip())
                .filter(line -> line.startsWith("./seqsvr "))
                .distinct()
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> itIsACommandLine() {
        return lines().stream()
                .map(line -> DynamicTest.dynamicTest(line, () -> {
                    var words = Arrays.asList(line.split("\\s+", -1));
                    assertDoesNotThrow(() -> Main.commandLine()
                            .parseArgs(words.subList(1, words.size()).toArray(String[]::new)));
                }));
    }

    @Test
    void theAlarmsForPrometheusAskForMetersThatThePageNames() {
        var home = Launcher.find().home();
        var page = SourceTree.text(home.resolve("docs/operations.md"));
        var alarms = SourceTree.text(home.resolve("ops/prometheus-rules.yaml"));
        var asked = METER.matcher(alarms).results().map(MatchResult::group).collect(toCollection(TreeSet::new));
        assertTrue(asked.size() > 15, asked::toString);
        asked.removeIf(meter -> page.contains("`" + meter.replaceFirst("_(?:bucket|count)$", "") + "`"));
        assertEquals(Set.of(), asked);
    }

    /** Whoever is woken finds the row by the name of the alarm. */
    @Test
    void eachAlarmForPrometheusHasARowAndSaysWhereThatIs() {
        var home = Launcher.find().home();
        var rows = ALARM_TABLE.matcher(SourceTree.text(home.resolve("docs/operations.md")));
        assertTrue(rows.find(), "there is no table of alarms");
        var named = NAMED_ALARM
                .matcher(rows.group(1))
                .results()
                .map(row -> row.group(1))
                .collect(toCollection(TreeSet::new));
        var alarms = Arrays.stream(SourceTree.text(home.resolve("ops/prometheus-rules.yaml"))
                        .split("- alert: ", -1))
                .skip(1)
                .toList();
        var without = alarms.stream()
                .filter(alarm -> !alarm.contains("\n          runbook: docs/operations.md#what-to-wake-somebody-for\n"))
                .toList();
        assertEquals(List.of(), without);
        assertEquals(
                alarms.stream()
                        .map(alarm -> alarm.lines().findFirst().orElseThrow())
                        .collect(toCollection(TreeSet::new)),
                named);
        assertTrue(named.size() > 15, named::toString);
    }

    /** Whoever hears it can do nothing; the row says that somebody is told. */
    @Test
    void thatANamespaceIsUsedUpWakesWhoeverIsToldOfRefusedCalls() {
        var alarms = SourceTree.text(Launcher.find().home().resolve("ops/prometheus-rules.yaml"));
        for (var meter : List.of("seqsvr_calls_refused_total", "seqsvr_frame_refusals_total")) {
            var reasons = Pattern.compile(meter + "\\{[^}]*reason=~\"([^\"]*)\"")
                    .matcher(alarms)
                    .results()
                    .map(asked -> asked.group(1))
                    .toList();
            assertEquals(1, reasons.size(), meter);
            assertTrue("SEQUENCE_EXHAUSTED".matches(reasons.get(0)), () -> meter + ": " + reasons);
        }
    }

    /** Of a cluster of which nothing can be read no series bears a label, so a sum by one sees nothing of it. */
    @Test
    void forSeveralClustersTheRulesAreLoadedOnceForEach() {
        var alarms = SourceTree.text(Launcher.find().home().resolve("ops/prometheus-rules.yaml"));
        assertTrue(alarms.contains("absent(") && alarms.contains("vector(0)"), "rules that hold for one cluster");
        var head = alarms.substring(0, alarms.indexOf("\ngroups:")).replace("\n# ", " ");
        assertTrue(
                head.contains("load this file once for each cluster, with {cluster=\"a\"} in every selector, also in"
                        + " those within `absent`"),
                head);
    }

    @Test
    void thoseOfEachPageAreAmongThem() {
        for (var command : List.of("store backup", "store restore", "store bootstrap", "chaos run", "bench alloc")) {
            assertTrue(lines().stream().anyMatch(line -> line.startsWith("./seqsvr " + command)), command);
        }
    }
}
