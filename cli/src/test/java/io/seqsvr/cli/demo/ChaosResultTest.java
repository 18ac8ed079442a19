package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.check.Power;
import io.seqsvr.chaos.live.BystanderCalls;
import io.seqsvr.chaos.live.ClientFindings;
import io.seqsvr.chaos.live.Epochs;
import io.seqsvr.chaos.live.Failures;
import io.seqsvr.chaos.live.Findings;
import io.seqsvr.chaos.live.Gaps;
import io.seqsvr.chaos.live.Silences;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.report.Bystanders;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.chaos.report.Round;
import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunVerdict;
import io.seqsvr.core.namespace.Order;
import io.vertx.core.json.JsonArray;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a run comes to, the worst first. */
final class ChaosResultTest {
    private static final ClusterPlan CLUSTER =
            new ClusterPlan(3, 3, 2, Duration.ofSeconds(3), new NamespacePlan(1_000, 10));
    private static final ClusterFault KILL = new ClusterFault(FaultKind.KILL, Victim.ALLOCATOR);
    private static final ClusterFault ROUTER = new ClusterFault(FaultKind.PAUSE, Victim.ROUTER);
    private static final ChaosPlan PLAN = new ChaosPlan(
            List.of(KILL, ROUTER),
            Set.of(),
            2,
            CLUSTER,
            24,
            new Timing(1, Optional.empty(), Optional.empty()),
            42,
            List.of(),
            List.of(),
            Optional.empty(),
            Path.of("."));

    private ChaosPlan plan = PLAN;
    private String cause = "kill alloc-1";
    private int pairsNeeded = 2;
    private long broken;
    private long backward;
    private long waitedMillis = 3_500;
    private long unexplained;
    private long changes = 8;
    private long straddles = 8;
    private long deposed = 3;
    private long unjudged;
    private List<String> withoutEffect = List.of();
    private Optional<String> brokenOff = Optional.empty();
    private long brokenInRound;
    private long pairsInRound;
    private long straddlesInRound = 8;
    private int bystanderCalls = 900;
    private int bystanderFailures = 1;
    private boolean compared = true;
    private boolean over = true;
    private long crowd = 500;

    private ChaosResult result() {
        var power = new Power(
                24, changes, 0, straddles, straddles == 0 ? OptionalLong.empty() : OptionalLong.of(1), deposed);
        long waited = Duration.ofMillis(waitedMillis).toNanos();
        var gaps = unexplained == 0
                ? Map.of(cause, new Gaps.Sum(8, 80_000))
                : Map.of(Gaps.UNEXPLAINED, new Gaps.Sum(unexplained, 1));
        var silence = new Silences.Silence(
                7,
                Duration.ofMillis(200),
                waited,
                0,
                cause,
                episode(),
                new Failures(3, 2, "nobody is there"),
                new Epochs(5, 6));
        var seen = new Findings(
                1_000,
                crowd,
                40,
                20,
                3,
                broken,
                0,
                broken == 0 ? List.of() : List.of("ORDERED: user 7 went back"),
                broken,
                unjudged,
                100,
                power,
                Optional.of(silence),
                Map.of(cause, new Silences.Sum(8, silence)),
                Map.of(episode(), new Silences.Sum(8, silence)),
                gaps,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of());
        var report = new LoadReport(24, 60, 2, seen, new ClientFindings(100, 0, waited, backward));
        var rounds = List.of(
                round(1, "kill alloc-1", KILL).seenIn(seen),
                round(2, "pause router-1", ROUTER).seenIn(seen));
        return new ChaosResult(plan, rounds, pairsNeeded, brokenOff, over, compared, Network.LOOPBACK, report);
    }

    private int episode() {
        return cause.equals("kill alloc-1") ? 1 : cause.equals("pause router-1") ? 2 : 0;
    }

    /** Each call for another user. */
    private BystanderCalls.Watch bystanders() {
        var calls = new BystanderCalls(new History(), () -> 0);
        var watch = calls.watch(LongStream.range(0, bystanderCalls).boxed().toList(), List.of());
        for (long uid = 0; uid < bystanderCalls; uid++) {
            var call = calls.invoke(uid);
            if (uid < bystanderFailures) {
                call.unknown("no answer came");
            } else {
                call.returned(1, 1, 7);
            }
        }
        return watch;
    }

    private PlayedRound round(int number, String name, ClusterFault fault) {
        var round = new PlayedRound(
                number,
                fault.name(),
                List.of(name),
                PLAN.boundOf(List.of(fault)),
                () -> number,
                () -> brokenInRound,
                () -> pairsInRound);
        round.begun(number, bystanders());
        if (withoutEffect.contains(name)) {
            round.withoutEffect(name);
        }
        pairsInRound += straddlesInRound;
        brokenInRound += number == 2 ? broken : 0;
        if (number == 2) {
            brokenOff.ifPresent(round::brokenOff);
        }
        round.ended();
        if (fault.movesSegments()) {
            round.requirePairs();
        }
        return round;
    }

    @Test
    void aRunThatCouldHaveSeenABreachAndSawNonePasses() {
        assertEquals(RunVerdict.PASS, result().verdict());
        var json = result().json();
        assertEquals("pass", json.getString("verdict"));
        assertEquals("kill-allocator,pause-router", json.getString("fault"));
        assertEquals("42", json.getString("seed"));
        assertEquals(2, json.getInteger("rounds"));
        assertEquals(1_000, json.getLong("operations"));
        assertEquals(1_500, json.getLong("checked_online"));
        assertEquals(8, json.getLong("straddling_pairs"));
        assertEquals(8, json.getLong("owner_changes"));
        assertEquals(0, json.getLong("violations"));
        assertEquals(3_500, json.getLong("longest_unavailable_ms"));
        assertEquals(5_301, json.getLong("bound_ms"), "ttl * 1.1, and 2 s");
        var told = json.getJsonArray("causes").getJsonObject(0);
        assertEquals("kill alloc-1", told.getString("cause"));
        assertEquals(8, told.getLong("waits"));
        assertEquals("80000", told.getString("numbers_skipped"));
    }

    @Test
    void whereOwnersChangeFormerOnesMustHaveBeenAsked() {
        deposed = 0;
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
        assertEquals(
                List.of("no former owner was asked after its time: what it says then could not have shown"),
                result().json().getJsonArray("doubts").getList());
        pairsNeeded = 0;
        assertEquals(RunVerdict.PASS, result().verdict(), "nothing had to change an owner");
    }

    @Test
    void inQuorumOrderItIsAnotherCell() {
        assertEquals("lease", result().json().getString("order"));
        var namespace = new NamespacePlan(1_000, 10, 10_000, Order.QUORUM);
        plan = new ChaosPlan(
                PLAN.faults(),
                PLAN.needs(),
                PLAN.atOnce(),
                new ClusterPlan(3, 3, 2, Duration.ofSeconds(3), namespace),
                PLAN.users(),
                PLAN.timing(),
                PLAN.seed(),
                PLAN.cells(),
                PLAN.skipped(),
                PLAN.living(),
                PLAN.parent());
        assertEquals("quorum", result().json().getString("order"));
        assertEquals("kill-allocator in quorum order", plan.cell(List.of(KILL)));
    }

    @Test
    void whatLastsForAGivenTimeIsACellOfItsOwnAndMovesSegmentsIfItOutlivesALease() {
        var pause = List.of(new ClusterFault(FaultKind.PAUSE, Victim.ALLOCATOR));
        assertEquals("pause-allocator", PLAN.cell(pause));
        assertTrue(PLAN.moves(pause));
        assertEquals("pause-allocator for 1500 ms", lasting(1_500).cell(pause));
        assertFalse(lasting(1_500).moves(pause));
        assertEquals("pause-allocator for 60 s", lasting(60_000).cell(pause));
        assertTrue(lasting(60_000).moves(pause));
        assertTrue(lasting(1_500).moves(List.of(KILL)), "who is dead is dead");
    }

    @Test
    void aUserThatIsNotAnsweredThriceInARowIsHarmedHoweverManyOthersAre() {
        assertFalse(new Bystanders(100_000, 2, 2).areHarmed());
        assertTrue(new Bystanders(100_000, 3, 3).areHarmed());
    }

    private static ChaosPlan lasting(long millis) {
        return new ChaosPlan(
                PLAN.faults(),
                PLAN.needs(),
                PLAN.atOnce(),
                CLUSTER,
                PLAN.users(),
                new Timing(1, Optional.of(Duration.ofMillis(millis)), Optional.empty()),
                PLAN.seed(),
                List.of(),
                List.of(),
                Optional.empty(),
                PLAN.parent());
    }

    @Test
    void ofAThousandCallsForUsersWhomNothingWasDoneToOneMayFail() {
        assertEquals(1_800, result().json().getLong("bystander_calls"));
        assertEquals(2, result().json().getLong("bystander_failures"));
        bystanderCalls = 5_000;
        bystanderFailures = 5;
        assertEquals(RunVerdict.PASS, result().verdict());
        bystanderFailures = 6;
        var harmed = result();
        assertEquals(RunVerdict.MISSED, harmed.verdict());
        assertTrue(
                harmed.text()
                        .contains("MISSED: 6 of 5,000 calls of bystanders failed, 1 of one user in a row: kill alloc-1:"
                                + " a call of user 0, 0 refused, 0.0 to 0.0 s after it began;"),
                harmed::text);
    }

    @Test
    void aBrokenPromiseIsWorseThanAllElse() {
        broken = 1;
        waitedMillis = 60_000;
        straddles = 0;
        assertEquals(RunVerdict.VIOLATED, result().verdict());
        assertTrue(result().text().contains("BROKEN: ORDERED: user 7 went back"), result()::text);
    }

    @Test
    void whatTheJavaClientHeldBackIsABrokenPromise() {
        backward = 1;
        assertEquals(RunVerdict.VIOLATED, result().verdict());
        assertEquals(1, result().json().getLong("violations"));
        assertEquals(
                List.of("ORDERED: the Java client held back 1 answers that stepped back"),
                result().json().getJsonArray("broken").getList());
    }

    @Test
    void aBrokenPromiseIsLaidToItsRound() {
        broken = 1;
        assertEquals(
                List.of(RoundVerdict.PASS, RoundVerdict.VIOLATED),
                result().rounds().stream().map(Round::verdict).toList());
    }

    @Test
    void aClusterThatDoesNotComeBackIsAMissedBound() {
        brokenOff = Optional.of("store-1 was not ready within 180 s");
        assertEquals(RunVerdict.MISSED, result().verdict());
        assertTrue(result().text().contains("MISSED: broken off: store-1 was not ready"), result()::text);
        assertFalse(
                result().json().getJsonArray("doubts", new JsonArray()).encode().contains("broken off"), "told once");
    }

    @Test
    void waitingTooLongIsAMissedBound() {
        waitedMillis = 5_301;
        assertEquals(RunVerdict.PASS, result().verdict());
        waitedMillis++;
        assertEquals(RunVerdict.MISSED, result().verdict());
        assertTrue(result().text().contains("MISSED: a user waited 5,302 ms; at most 5,301 ms"), result()::text);
    }

    @Test
    void numbersThatNothingExplainsAreAMissedBound() {
        unexplained = 1;
        assertEquals(RunVerdict.MISSED, result().verdict());
    }

    @Test
    void aRunThatCouldHaveSeenNothingIsInconclusive() {
        straddles = 1;
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
        assertTrue(result().text().contains("INCONCLUSIVE: 1 straddling pairs; 2 are needed"), result()::text);
        straddles = 2;
        changes = 0;
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
    }

    @Test
    void aFaultThatDidNotShowProvesNothing() {
        withoutEffect = List.of("kill alloc-1");
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
    }

    @Test
    void aRoundThatMovedNobodyWhoAskedProvesNothing() {
        straddlesInRound = 0;
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
        assertTrue(result().text().contains("no straddling pair because of kill alloc-1"), result()::text);
    }

    @Test
    void replicasThatWereNotComparedMayDiffer() {
        compared = false;
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
    }

    @Test
    void whatWasInterruptedProvesNothingByItself() {
        over = false;
        compared = false;
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
        assertEquals(
                List.of("it was interrupted; this is what there was by then"),
                result().json().getJsonArray("doubts").getList());
        broken = 1;
        assertEquals(RunVerdict.VIOLATED, result().verdict());
    }

    @Test
    void whatCannotBeRemovedIsAMissAndHidesNothing() {
        var left = result().alsoBrokenOff("not all could be removed: a disk is busy");
        assertEquals(RunVerdict.MISSED, left.verdict());
        assertTrue(left.text().contains("broken off: not all could be removed: a disk is busy"), left::text);
        broken = 1;
        assertEquals(
                RunVerdict.VIOLATED, result().alsoBrokenOff("a disk is busy").verdict());
        brokenOff = Optional.of("alloc-1 does not start");
        assertTrue(result().alsoBrokenOff("a disk is busy").text().contains("alloc-1 does not start; a disk is busy"));
    }

    @Test
    void aCrowdThatNobodyAnswersProvesNothing() {
        crowd = 0;
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
    }

    @Test
    void answersJudgedInPartProveNothing() {
        unjudged = 1;
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
    }

    @Test
    void eachFaultExplainsAsMuchAsItMay() {
        cause = "pause router-1";
        waitedMillis = 2_000;
        assertEquals(RunVerdict.PASS, result().verdict());
        waitedMillis++;
        assertEquals(RunVerdict.MISSED, result().verdict());
        assertTrue(
                result().text().contains("at most 2,000 ms were allowed: pause router-1: 3 calls of user 7, 2 refused"),
                result()::text);
    }

    @Test
    void whatNoFaultExplainsMustBeShort() {
        cause = Silences.NO_FAULT;
        waitedMillis = 2_001;
        assertEquals(RunVerdict.MISSED, result().verdict());
    }

    @Test
    void whereNoOwnerHadToChangeABreachCouldNotHaveShownEither() {
        pairsNeeded = 0;
        straddles = 1;
        assertEquals(RunVerdict.PASS, result().verdict());
        changes = 0;
        straddles = 0;
        assertEquals(RunVerdict.INCONCLUSIVE, result().verdict());
        assertTrue(result().text().contains("INCONCLUSIVE: no straddling pair: a breach"), result()::text);
    }

    @Test
    void whereOwnersChangeOnSomebodyElsesClusterAPairIsNeededToo() {
        plan = living();
        pairsNeeded = 0;
        compared = false;
        assertEquals(RunVerdict.PASS, result().verdict());
        straddles = 0;
        assertEquals(
                List.of("no straddling pair: a breach of order could not have shown"),
                result().json().getJsonArray("doubts").getList());
        changes = 0;
        assertEquals(
                List.of("no user saw a change of owner"),
                result().json().getJsonArray("doubts").getList());
    }

    private static ChaosPlan living() {
        return new ChaosPlan(
                PLAN.faults(),
                PLAN.needs(),
                PLAN.atOnce(),
                LivingCluster.PLAN,
                PLAN.users(),
                PLAN.timing(),
                PLAN.seed(),
                List.of(),
                List.of(),
                Optional.of(new LivingCluster(List.of(), "default")),
                PLAN.parent());
    }

    /** A run of routers alone begins with a hand-over, so that it could see a breach. */
    @Test
    void whatChangesNoOwnerBeginsWithAHandOver() {
        var move = Optional.of(Compound.of(new ClusterFault(FaultKind.MOVE, Victim.ALLOCATOR)));
        assertEquals(move, PLAN.withCells(List.of(Compound.of(ROUTER))).forPower());
        assertEquals(
                Optional.empty(),
                PLAN.withCells(List.of(Compound.of(ROUTER), Compound.of(KILL))).forPower());
        assertEquals(move, PLAN.forPower(), "what is drawn may be of routers only");
    }

    @Test
    void togetherTheyMayCostAsMuchAsOneAfterTheOther() {
        assertEquals(KILL.bound(CLUSTER).plusSeconds(2), PLAN.boundOf(List.of(KILL, ROUTER)));
    }
}
