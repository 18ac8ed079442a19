package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.LiveRecord;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.report.Round;
import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.core.namespace.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whether a round could have shown what it is there to show, in virtual time. */
final class RoundPowerTest {
    private static final ClusterFault KILL_LEADER = new ClusterFault(FaultKind.KILL, Victim.STORE_LEADER);
    private static final ClusterFault KILL_STORES = new ClusterFault(FaultKind.KILL, Victim.STORES);

    private static final ClusterFault KILL_ALLOCATOR = new ClusterFault(FaultKind.KILL, Victim.ALLOCATOR);
    private static final ClusterFault PAUSE = new ClusterFault(FaultKind.PAUSE, Victim.ALLOCATOR);
    private static final ClusterFault KILL_ROUTER = new ClusterFault(FaultKind.KILL, Victim.ROUTER);
    private static final String NO_CALL_WAITED =
            "no call waited at it when it went on: what a deposed owner says could not have shown: ";

    private long nanos = 1_000_000_000;
    private final List<String> story = new ArrayList<>();
    private final StageUsers users = new StageUsers(story, () -> nanos);
    private final Stage stage = new Stage(users, story, () -> nanos);

    private static ChaosPlan plan(Order order, Optional<Duration> lasting) {
        return new ChaosPlan(
                List.of(KILL_LEADER),
                Set.of(),
                2,
                new ClusterPlan(3, 3, 2, Duration.ofSeconds(3), new NamespacePlan(1_000, 10, 400, order)),
                24,
                new Timing(1, lasting, Optional.empty()),
                42,
                List.of(new Compound(List.of(KILL_LEADER))),
                List.of(),
                Optional.empty(),
                Path.of("."));
    }

    private Fault done(String name) {
        return new ScriptedFault(name, story, () -> nanos);
    }

    private Round played(ChaosPlan plan, List<ClusterFault> kinds, Fault... faults) {
        return played(plan, new Scene.Act(kinds, Arrays.asList(faults), Optional.empty()));
    }

    private Round played(ChaosPlan plan, Scene.Act act) {
        return played(plan, act, new LiveRecord(new FaultLog(() -> 0), () -> 0, Set.of(), uid -> true));
    }

    private Round played(ChaosPlan plan, Scene.Act act, LiveRecord record) {
        var player = new RoundPlayer(
                plan, stage, new SplittableRandom(42), new Waiting(() -> nanos, parked -> pass(parked)));
        player.play(act);
        return player.played().get(0).seenIn(record.soFar());
    }

    /** Time goes on, and the run with it. */
    private void pass(long passed) {
        nanos += passed;
        users.heart.beat();
    }

    @Test
    void aStoreLeaderThatNobodyNeedsProvesNothing() {
        stage.grantEachSecond(0);
        var round = played(plan(Order.LEASE, Optional.empty()), List.of(KILL_LEADER), done("kill store-1"));
        assertEquals(RoundVerdict.VOID, round.verdict(), round::toString);
        assertEquals(
                List.of("max_seq was not raised meanwhile, and owners need StoreSvr for leases only: that it was"
                        + " away for a shorter time could not have shown: kill store-1"),
                round.words());
        assertEquals(List.of("start kill store-1", "look elsewhere", "stop kill store-1", "ready"), story);
    }

    @Test
    void whatIsRaisedWhileTheLeaderIsAwayShowsThatOthersHaveTakenItsPlace() {
        var round = played(plan(Order.LEASE, Optional.empty()), List.of(KILL_LEADER), done("kill store-1"));
        assertEquals(RoundVerdict.PASS, round.verdict(), round::toString);
        assertTrue(round.endedMillis() >= 2_000, "what followers did not know yet may show once");
    }

    @Test
    void inQuorumOrderEachCallShowsIt() {
        stage.grantEachSecond(0);
        var round = played(plan(Order.QUORUM, Optional.empty()), List.of(KILL_LEADER), done("kill store-1"));
        assertEquals(RoundVerdict.PASS, round.verdict(), round::toString);
    }

    @Test
    void whereAllOfStoreSvrWereAwayItHasToBeRaisedOnceTheyAreBack() {
        var round = played(plan(Order.LEASE, Optional.empty()), List.of(KILL_STORES), done("kill store-1 store-2"));
        assertEquals(RoundVerdict.PASS, round.verdict(), round::toString);
        stage.grantEachSecond(0);
        var without = played(plan(Order.LEASE, Optional.empty()), List.of(KILL_STORES), done("kill store-1 store-2"));
        assertEquals(RoundVerdict.VOID, without.verdict(), without::toString);
    }

    private Round paused(List<ClusterFault> kinds, Fault... faults) {
        var woken = Map.of(faults[0], "127.0.0.1:7721");
        return played(
                plan(Order.LEASE, Optional.empty()),
                new Scene.Act(kinds, Arrays.asList(faults), Optional.empty(), woken));
    }

    @Test
    void anOwnerThatGoesOnAndIsNotAskedByAnybodyProvesNothing() {
        users.givenLate = List.of(StageUsers.ANN);
        users.woken = 0;
        var round = paused(List.of(PAUSE), done("pause alloc-1"));
        assertEquals(
                List.of(
                        "who belongs to [127.0.0.1:7721]",
                        "start pause alloc-1",
                        "look elsewhere",
                        "look who waits at 127.0.0.1:7721",
                        "stop pause alloc-1",
                        "ready"),
                story);
        assertEquals(RoundVerdict.VOID, round.verdict(), round::toString);
        assertEquals(List.of(NO_CALL_WAITED + "pause alloc-1"), round.words());
        users.woken = 1;
        var heard = paused(List.of(PAUSE), done("pause alloc-1"));
        assertEquals(RoundVerdict.PASS, heard.verdict(), heard::toString);
    }

    @Test
    void whateverElseIsAtWorkAnOwnerThatGoesOnHasToBeHeard() {
        users.givenLate = List.of(StageUsers.ANN);
        users.woken = 0;
        var round = paused(List.of(PAUSE, KILL_ROUTER), done("pause alloc-1"), done("kill router-1"));
        assertEquals(RoundVerdict.VOID, round.verdict(), round::toString);
        assertEquals(List.of(NO_CALL_WAITED + "pause alloc-1"), round.words());
        var nobody = paused(List.of(PAUSE, KILL_STORES), done("pause alloc-1"), done("kill store-1 store-2"));
        assertEquals(RoundVerdict.PASS, nobody.verdict(), "nobody can take over");
    }

    @Test
    void whoeverAnOwnerDidNotOwnWhenItStoodStillHearsNothingOfItsFormerNumbers() {
        users.givenLate = List.of(StageUsers.ANN + 1);
        var round = paused(List.of(PAUSE), done("pause alloc-1"));
        assertEquals(List.of(NO_CALL_WAITED + "pause alloc-1"), round.words());
    }

    @Test
    void aRoundThatMovesSegmentsProvesNothingWithoutACallAtAFormerOwner() {
        users.deposed = 7;
        users.deposedOfALook = 0;
        var round = played(plan(Order.LEASE, Optional.empty()), List.of(KILL_ALLOCATOR), done("kill alloc-1"));
        assertEquals(
                List.of("no former owner was asked after its time: what it says then could not have shown:"
                        + " kill alloc-1"),
                round.words());
    }

    /** Who waits while nodes start again waits because of what was done to them, however long they take. */
    @Test
    void whatIsDoneExplainsWaitsUntilTheRoundHasEnded() {
        users.servedAfter = Duration.ofSeconds(40);
        long before = nanos;
        var late = new LiveRecord(stage.log(), () -> nanos, Set.of(), uid -> true);
        users.whenLookedAt = () -> {
            if (nanos - before > Duration.ofSeconds(60).toNanos() && users.asked.isEmpty()) {
                users.asked = Optional.of(late.throughRouters().invoke(StageUsers.ANN));
            }
        };
        played(plan(Order.LEASE, Optional.empty()), List.of(KILL_ALLOCATOR), done("kill alloc-1"));
        users.asked.orElseThrow().returned(1, 1, 7);
        assertEquals("kill alloc-1", late.findings().longest().orElseThrow().cause());
        late.forgetSilences();
        var call = late.throughRouters().invoke(StageUsers.ANN);
        nanos += Duration.ofSeconds(4).toNanos();
        call.returned(2, 2, 7);
        assertEquals("no fault", late.findings().longest().orElseThrow().cause());
    }

    @Test
    void whatIsDoneIsLookedAfterForAsLongAsItIsLetBe() {
        var starve = new ScriptedFault("starve alloc-1", story, () -> nanos);
        var plan = plan(Order.LEASE, Optional.of(Duration.ofSeconds(5)));
        var round = played(plan, List.of(new ClusterFault(FaultKind.STARVE, Victim.ALLOCATOR)), starve);
        assertTrue(starve.keptUp > 200, "every 20 ms");
        assertEquals(RoundVerdict.PASS, round.verdict(), round::toString);
    }

    /** A user waits once, while this happens. */
    private Round waited(Runnable meanwhile) {
        var record = new LiveRecord(stage.log(), () -> nanos, Set.of(), uid -> true);
        stage.log().heedPauses(users.heart::pausedNanos);
        users.whenLookedAt = () -> {
            users.whenLookedAt = () -> {};
            var call = record.throughRouters().invoke(StageUsers.ANN);
            meanwhile.run();
            call.returned(1, 1, 7);
        };
        var act = new Scene.Act(List.of(KILL_ALLOCATOR), List.of(done("kill alloc-1")), Optional.empty());
        return played(plan(Order.LEASE, Optional.empty()), act, record);
    }

    private void passSteadily(Duration time) {
        for (long left = time.toNanos(); left > 0; left -= TimeUnit.MILLISECONDS.toNanos(20)) {
            pass(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Test
    void whatUsersWaitForWhileTheRunItselfStandsStillIsNotLaidToTheCluster() {
        var jumped = waited(() -> pass(Duration.ofSeconds(6).toNanos()));
        assertEquals(RoundVerdict.VOID, jumped.verdict(), jumped::toString);
        assertEquals(
                List.of("a user waited 6,000 ms, of which this program itself stood still for 6,000 ms: what the"
                        + " cluster did could not have shown: kill alloc-1"),
                jumped.words());
    }

    @Test
    void whoWaitsTooLongBesidesIsAMiss() {
        var steady = waited(() -> passSteadily(Duration.ofSeconds(6)));
        assertEquals(RoundVerdict.MISSED, steady.verdict(), steady::toString);
        var both = waited(() -> {
            pass(Duration.ofMillis(300).toNanos());
            passSteadily(Duration.ofSeconds(9));
        });
        assertEquals(RoundVerdict.MISSED, both.verdict(), both::toString);
    }

    /** Calls for her fail, and nothing is done to her owner. */
    private Round failed(long passed) {
        users.bystanderCalls = 60;
        users.whenLookedAt = () -> {
            users.whenLookedAt = () -> {};
            for (int i = 0; i < 3; i++) {
                var call = users.calls.invoke(StageUsers.ANN);
                pass(passed);
                call.unknown("no answer");
            }
            users.early.orElseThrow().told(1, false);
        };
        var act = new Scene.Act(
                List.of(KILL_ALLOCATOR), List.of(done("kill alloc-1")), Optional.of(Set.of("127.0.0.1:7721")));
        return played(plan(Order.LEASE, Optional.empty()), act);
    }

    @Test
    void noMoreIsWhatFailsForBystandersThen() {
        var jumped = failed(Duration.ofMillis(300).toNanos());
        assertEquals(RoundVerdict.VOID, jumped.verdict(), jumped::toString);
        passSteadily(Duration.ofSeconds(2));
        var steady = failed(Duration.ofMillis(100).toNanos());
        assertEquals(RoundVerdict.MISSED, steady.verdict(), steady::toString);
    }

    @Test
    void aPauseExcusesNothingThatFailsLongAfterIt() {
        users.bystanderCalls = 60;
        users.whenLookedAt = () -> {
            users.whenLookedAt = () -> {};
            fail();
            passSteadily(Duration.ofSeconds(2));
            pass(Duration.ofMillis(300).toNanos());
            passSteadily(Duration.ofSeconds(2));
            fail();
            fail();
            users.early.orElseThrow().told(1, false);
        };
        var act = new Scene.Act(
                List.of(KILL_ALLOCATOR), List.of(done("kill alloc-1")), Optional.of(Set.of("127.0.0.1:7721")));
        var round = played(plan(Order.LEASE, Optional.empty()), act);
        assertEquals(RoundVerdict.MISSED, round.verdict(), round::toString);
    }

    private void fail() {
        var call = users.calls.invoke(StageUsers.ANN);
        passSteadily(Duration.ofMillis(100));
        call.unknown("no answer");
    }

    @Test
    void whereAFewCallsWereMadeForBystandersNobodyCouldHaveNoticedAnything() {
        users.bystanderCalls = 40;
        users.whenLookedAt = () -> users.early.ifPresent(call -> {
            users.early = Optional.empty();
            call.told(1, false);
        });
        var act = new Scene.Act(
                List.of(KILL_ALLOCATOR), List.of(done("kill alloc-1")), Optional.of(Set.of("127.0.0.1:7721")));
        var round = played(plan(Order.LEASE, Optional.empty()), act);
        assertEquals(RoundVerdict.VOID, round.verdict(), round::toString);
        assertEquals(
                List.of("41 calls for those whom it was not to touch were answered or refused, and 50 are needed:"
                        + " kill alloc-1"),
                round.words());
    }

    @Test
    void aBrokenPromiseIsToldAtOnceAndOnce() {
        var player = new RoundPlayer(
                plan(Order.LEASE, Optional.empty()),
                stage,
                new SplittableRandom(42),
                new Waiting(() -> nanos, this::pass));
        player.onFirstBreach(() -> story.add("broken: " + seen(player).verdict()));
        users.whenLookedAt = () -> {
            users.whenLookedAt = () -> {};
            users.violated("ORDERED", "user 1 was answered 1 after 2");
        };
        player.play(new Scene.Act(List.of(KILL_ALLOCATOR), List.of(done("kill alloc-1")), Optional.empty()));
        assertEquals(
                List.of("start kill alloc-1", "look elsewhere", "broken: VIOLATED", "stop kill alloc-1", "ready"),
                story);
        assertEquals(RoundVerdict.VIOLATED, seen(player).verdict());
    }

    private static Round seen(RoundPlayer player) {
        return player.played()
                .get(0)
                .seenIn(new LiveRecord(new FaultLog(() -> 0), () -> 0, Set.of(), uid -> true).soFar());
    }

    @Test
    void whereItWasSaidHowLongAllLastsNobodyAsksForRaises() {
        var brief = played(
                plan(Order.LEASE, Optional.of(Duration.ofMillis(500))), List.of(KILL_LEADER), done("kill store-1"));
        assertEquals(RoundVerdict.PASS, brief.verdict(), brief::toString);
        assertTrue(brief.endedMillis() < 2_000, brief::toString);
    }
}
