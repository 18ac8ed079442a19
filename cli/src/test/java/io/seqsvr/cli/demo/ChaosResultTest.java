package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.Power;
import io.seqsvr.chaos.live.ClientFindings;
import io.seqsvr.chaos.live.Findings;
import io.seqsvr.chaos.live.Gaps;
import io.seqsvr.chaos.live.Silences;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.cli.demo.ChaosResult.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a run comes to, the worst first. */
final class ChaosResultTest {
    private static final ClusterPlan CLUSTER = new ClusterPlan(3, 3, 2, Duration.ofSeconds(3), 1_000, 10);
    private static final ChaosPlan PLAN = new ChaosPlan(
            FaultKind.KILL, CLUSTER, 24, 1, 42, ChaosPlan.boundFor(FaultKind.KILL, CLUSTER), Path.of("."));

    private long broken;
    private long backward;
    private long waitedMillis = 3_500;
    private long unexplained;
    private long changes = 8;
    private long straddles = 8;
    private long unjudged;
    private List<String> withoutEffect = List.of();

    private ChaosResult result() {
        var power = new Power(24, changes, 0, straddles, straddles == 0 ? OptionalLong.empty() : OptionalLong.of(1), 0);
        long waited = Duration.ofMillis(waitedMillis).toNanos();
        var gaps = unexplained == 0
                ? Map.of("kill alloc-1", new Gaps.Sum(8, 80_000))
                : Map.of(Gaps.UNEXPLAINED, new Gaps.Sum(unexplained, 1));
        var seen = new Findings(
                1_000,
                20,
                3,
                broken,
                0,
                broken == 0 ? List.of() : List.of("ORDERED: user 7 went back"),
                broken,
                unjudged,
                100,
                power,
                Optional.of(new Silences.Silence(7, waited, "kill alloc-1")),
                Map.of("kill alloc-1", new Silences.Sum(8, waited)),
                gaps);
        var report = new LoadReport(24, 60, 2, seen, new ClientFindings(100, 0, waited, backward));
        return new ChaosResult(PLAN, 2, 2, withoutEffect, report);
    }

    @Test
    void aRunThatCouldHaveSeenABreachAndSawNonePasses() {
        assertEquals(Outcome.PASS, result().outcome());
        var json = result().json();
        assertEquals("pass", json.getString("verdict"));
        assertEquals("kill-allocator", json.getString("fault"));
        assertEquals("42", json.getString("seed"));
        assertEquals(2, json.getInteger("rounds"));
        assertEquals(1_000, json.getLong("operations"));
        assertEquals(8, json.getLong("straddling_pairs"));
        assertEquals(8, json.getLong("owner_changes"));
        assertEquals(0, json.getLong("violations"));
        assertEquals(3_500, json.getLong("longest_unavailable_ms"));
        assertEquals(5_301, json.getLong("bound_ms"), "ttl * 1.1, and 2 s");
        var cause = json.getJsonArray("causes").getJsonObject(0);
        assertEquals("kill alloc-1", cause.getString("cause"));
        assertEquals(8, cause.getLong("waits"));
        assertEquals("80000", cause.getString("numbers_skipped"));
    }

    @Test
    void aBrokenPromiseIsWorseThanAllElse() {
        broken = 1;
        waitedMillis = 60_000;
        straddles = 0;
        assertEquals(Outcome.VIOLATED, result().outcome());
        assertTrue(result().text().contains("BROKEN: ORDERED: user 7 went back"), result()::text);
    }

    @Test
    void whatTheJavaClientHeldBackIsABrokenPromise() {
        backward = 1;
        assertEquals(Outcome.VIOLATED, result().outcome());
        assertEquals(1, result().json().getLong("violations"));
    }

    @Test
    void waitingTooLongIsAMissedBound() {
        waitedMillis = 5_301;
        assertEquals(Outcome.PASS, result().outcome());
        waitedMillis++;
        assertEquals(Outcome.MISSED, result().outcome());
        assertTrue(result().text().contains("MISSED: a user waited 5,302 ms; at most 5,301 ms"), result()::text);
    }

    @Test
    void numbersThatNothingExplainsAreAMissedBound() {
        unexplained = 1;
        assertEquals(Outcome.MISSED, result().outcome());
    }

    @Test
    void aRunThatCouldHaveSeenNothingIsInconclusive() {
        straddles = 1;
        assertEquals(Outcome.INCONCLUSIVE, result().outcome());
        assertTrue(result().text().contains("INCONCLUSIVE: 1 straddling pairs; 2 are needed"), result()::text);
        straddles = 2;
        changes = 0;
        assertEquals(Outcome.INCONCLUSIVE, result().outcome());
    }

    @Test
    void aFaultThatDidNotShowProvesNothing() {
        withoutEffect = List.of("kill alloc-1");
        assertEquals(Outcome.INCONCLUSIVE, result().outcome());
    }

    @Test
    void answersJudgedInPartProveNothing() {
        unjudged = 1;
        assertEquals(Outcome.INCONCLUSIVE, result().outcome());
    }

    @Test
    void aPlannedChangeOfOwnerIsAllowedLessThanADeath() {
        assertEquals(Duration.ofSeconds(2), ChaosPlan.boundFor(FaultKind.DRAIN, CLUSTER));
        assertEquals(Duration.ofSeconds(2), ChaosPlan.boundFor(FaultKind.RESTART, CLUSTER));
        assertEquals(ChaosPlan.boundFor(FaultKind.KILL, CLUSTER), ChaosPlan.boundFor(FaultKind.PAUSE, CLUSTER));
    }
}
