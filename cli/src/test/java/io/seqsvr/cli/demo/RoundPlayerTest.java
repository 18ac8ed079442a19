package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.Power;
import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.live.Findings;
import io.seqsvr.chaos.live.Gaps;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.report.Round;
import io.seqsvr.chaos.report.RoundVerdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How a round goes, in virtual time. */
final class RoundPlayerTest {
    private static final ClusterFault KILL = new ClusterFault(FaultKind.KILL, Victim.ALLOCATOR);
    private static final ClusterFault RESTART = new ClusterFault(FaultKind.RESTART, Victim.ROUTER);
    private static final Findings NOTHING = gaps(Map.of());

    /** Of all that may be seen, nothing but these. */
    private static Findings gaps(Map<Integer, Gaps.Sum> gaps) {
        return gaps(gaps, Map.of());
    }

    private static Findings gaps(Map<Integer, Gaps.Sum> gaps, Map<Integer, Gaps.Sum> givenUp) {
        return new Findings(
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                List.of(),
                0,
                0,
                0,
                new Power(0, 0, 0, 0, OptionalLong.empty(), 0),
                Optional.empty(),
                Map.of(),
                Map.of(),
                Map.of(),
                gaps,
                givenUp,
                List.of(),
                List.of(),
                List.of());
    }

    private long nanos = 1_000_000_000;
    private final List<String> story = new ArrayList<>();
    private final StageUsers users = new StageUsers(story, () -> nanos);
    private final Stage stage = new Stage(users, story, () -> nanos);
    private final ChaosPlan plan = new ChaosPlan(
            List.of(KILL, RESTART),
            Set.of(),
            2,
            new ClusterPlan(3, 3, 2, Duration.ofSeconds(3), new NamespacePlan(1_000, 10)),
            24,
            new Timing(1, Optional.empty(), Optional.empty()),
            42,
            List.of(new Compound(List.of(KILL))),
            List.of(),
            Optional.empty(),
            Path.of("."));
    private RoundPlayer player = player(plan);

    private RoundPlayer player(ChaosPlan of) {
        return new RoundPlayer(
                of, stage, new SplittableRandom(42), new Waiting(() -> nanos, parked -> nanos += parked));
    }

    private ScriptedFault done(String name) {
        return new ScriptedFault(name, story, () -> nanos);
    }

    private static Scene.Act act(List<ClusterFault> kinds, Fault... faults) {
        return new Scene.Act(kinds, Arrays.asList(faults), Optional.empty());
    }

    private Round last() {
        var played = player.played();
        return played.get(played.size() - 1).seenIn(NOTHING);
    }

    @Test
    void aFaultIsUndoneWhenUsersAreServedWithoutItsNodeAndTheRoundEndsWhenAllIsWell() {
        player.play(act(List.of(KILL), done("kill alloc-1")));
        assertEquals(List.of("start kill alloc-1", "look elsewhere", "stop kill alloc-1", "ready"), story);
        assertEquals(RoundVerdict.PASS, last().verdict(), last()::toString);
        assertEquals("kill-allocator", last().cell());
        assertEquals(List.of("kill alloc-1"), last().faults());
        assertEquals(1, player.pairsNeeded());
        assertTrue(last().endedMillis() >= 200, last()::toString);
    }

    @Test
    void theRoundGoesOnUntilEveryRouterHasAnswered() {
        users.routersAnswerAfter = Duration.ofSeconds(7);
        player.play(act(List.of(KILL), done("kill alloc-1")));
        assertTrue(last().endedMillis() >= 7_000, last()::toString);
        assertEquals(RoundVerdict.PASS, last().verdict());
    }

    @Test
    void aRouterThatAnswersNobodyForLongIsAMissOfTheRoundInWhichItBegan() {
        users.routersAnswerAfter = Duration.ofHours(1);
        player.play(act(List.of(RESTART), done("restart router-1")));
        assertEquals(RoundVerdict.MISSED, last().verdict());
        assertEquals(
                List.of("a router answered nobody for 20 s after it was undone: restart router-1"), last().words());
    }

    @Test
    void aCallForManyThatIsNotAnsweredInFullForLongIsAMissToo() {
        users.crowdIsServedAfter = Duration.ofHours(1);
        player.play(act(List.of(RESTART), done("restart router-1")));
        assertEquals(RoundVerdict.MISSED, last().verdict());
        assertEquals(
                List.of("calls for many users were not answered in full for 20 s after it was undone:"
                        + " restart router-1"),
                last().words());
    }

    @Test
    void anApplicationThatWasHarmedMustGetNumbersAgain() {
        var cut = new ClusterFault(FaultKind.CUT, Victim.CALLER);
        users.callersAreServedAfter = Duration.ofSeconds(7);
        player.play(act(List.of(cut), done("cut caller-1")));
        assertTrue(last().endedMillis() >= 7_000, last()::toString);
        assertEquals(RoundVerdict.PASS, last().verdict());
        users.callersAreServedAfter = Duration.ofHours(1);
        player.play(act(List.of(cut), done("cut caller-1")));
        assertEquals(RoundVerdict.MISSED, last().verdict());
        assertEquals(
                List.of("an application got no number for 20 s after it was undone: cut caller-1"), last().words());
    }

    @Test
    void whereOwnersHandOverNobodyMayMissANumber() {
        var drain = new ClusterFault(FaultKind.DRAIN, Victim.ALLOCATOR);
        player.play(act(List.of(drain), done("drain alloc-1")));
        var gap = gaps(Map.of(1, new Gaps.Sum(1, 9_999)));
        var round = player.played().get(0).seenIn(gap);
        assertEquals(RoundVerdict.MISSED, round.verdict());
        assertEquals(
                List.of("1 gaps of 9,999 numbers, where owners hand over and nobody is to miss any: drain alloc-1"),
                round.words());
        player.play(act(List.of(drain), done("drain alloc-1")));
        var again = player.played().get(1).seenIn(gap);
        assertEquals(RoundVerdict.PASS, again.verdict(), again::toString);
        player.play(act(List.of(KILL), done("kill alloc-1")));
        var killed = player.played().get(2).seenIn(gaps(Map.of(3, new Gaps.Sum(1, 9_999))));
        assertEquals(RoundVerdict.PASS, killed.verdict(), killed::toString);
    }

    @Test
    void whereACallWasGivenUpNobodyCanTellWhetherOwnersThatHandOverMissedANumber() {
        var drain = new ClusterFault(FaultKind.DRAIN, Victim.ALLOCATOR);
        player.play(act(List.of(drain), done("drain alloc-1")));
        player.play(act(List.of(KILL), done("kill alloc-1")));
        var gaps = gaps(Map.of(), Map.of(1, new Gaps.Sum(1, 5), 2, new Gaps.Sum(1, 5)));
        var round = player.played().get(0).seenIn(gaps);
        assertEquals(RoundVerdict.VOID, round.verdict());
        assertEquals(
                List.of("1 gaps of 5 numbers may be of calls that were given up after a second: a number that nobody"
                        + " got could not have shown: drain alloc-1"),
                round.words());
        assertEquals(RoundVerdict.PASS, player.played().get(1).seenIn(gaps).verdict());
    }

    @Test
    void aFaultThatLeavesNothingWhereThatIsWhatMattersProvesNothing() {
        var suspend = done("suspend router-1");
        suspend.leavesWhatItMust = false;
        player.play(act(List.of(RESTART), suspend));
        assertEquals(List.of("suspend router-1 did not take effect"), last().words());
    }

    @Test
    void aRoundThatIsOverIsNotBlamedForTheNextOneThatCannotBegin() {
        player.play(act(List.of(KILL), done("kill alloc-1")));
        player.brokenOff("too few nodes are left");
        assertEquals(RoundVerdict.PASS, last().verdict(), last()::toString);
    }

    @Test
    void whoIsNotServedForAMinuteIsNotWaitedForAnyMore() {
        users.servedAfter = Duration.ofHours(1);
        player.play(act(List.of(KILL), done("kill alloc-1")));
        assertTrue(last().endedMillis() >= 120_000 && last().endedMillis() < 130_000, last()::toString);
        assertEquals(List.of("somebody was not served for 60 s after it was undone: kill alloc-1"), last().words());
    }

    @Test
    void whereNoRouterIsLeftToPlanNobodyIsWaitedForUntilOneIsBack() {
        users.servedAfter = Duration.ofSeconds(20);
        var routers = new ClusterFault(FaultKind.KILL, Victim.ROUTERS);
        player.play(act(List.of(KILL, routers), done("kill alloc-1"), done("kill router-1 router-2")));
        assertTrue(last().endedMillis() < 30_000, last()::toString);
        assertTrue(last().boundMillis() >= 30_000, last()::toString);
        assertEquals(0, player.pairsNeeded());
    }

    /** A damaged frame is seen only once there is one. */
    @Test
    void whereNobodyIsLeftWhatIsDrawnMayTakeAsLongAsItsLastFaultIsSoughtFor() {
        player = player(plan.withCells(List.of()));
        var routers = new ClusterFault(FaultKind.KILL, Victim.ROUTERS);
        var late = done("damage store-1");
        late.showsAtNanos = nanos + Duration.ofSeconds(40).toNanos();
        var together = List.of(routers, RESTART);
        player.play(act(together, done("kill router-1 router-2"), late));
        long least = plan.boundOf(together).toMillis();
        assertTrue(last().boundMillis() >= least + 40_000, last()::toString);
        assertTrue(last().boundMillis() < least + 41_000, last()::toString);
        late.showsAtNanos = nanos + Duration.ofSeconds(40).toNanos();
        player.play(act(List.of(KILL, RESTART), done("kill alloc-1"), late));
        assertEquals(plan.boundOf(List.of(KILL, RESTART)).toMillis(), last().boundMillis(), "others serve meanwhile");
    }

    @Test
    void aFaultThatDoesNotShowProvesNothing() {
        var kill = done("kill alloc-1");
        kill.shows = false;
        player.play(act(List.of(KILL), kill));
        assertEquals(RoundVerdict.VOID, last().verdict());
        assertEquals(List.of("kill alloc-1 did not take effect"), last().words());
    }

    @Test
    void aRoundThatMovesSegmentsProvesNothingWithoutAPairThatStraddles() {
        users.pairsOfALook = 0;
        player.play(act(List.of(RESTART), done("restart router-1")));
        assertEquals(0, player.pairsNeeded(), "a router owns nothing");
        assertEquals(RoundVerdict.PASS, last().verdict());
        player.play(act(List.of(KILL), done("kill alloc-1")));
        assertEquals(1, player.pairsNeeded());
        assertEquals(RoundVerdict.VOID, last().verdict());
        assertEquals(List.of("no straddling pair because of kill alloc-1"), last().words());
    }

    @Test
    void whatWasDoneIsUndoneWhenTheNextThingCannotBe() {
        var kill = done("kill alloc-1");
        var restart = done("restart router-1");
        restart.cannot = Optional.of("router-1 does not stop");
        var failure = assertThrows(NodeFailure.class, () -> player.play(act(List.of(KILL, RESTART), kill, restart)));
        assertEquals("router-1 does not stop", failure.getMessage());
        assertEquals(List.of("start kill alloc-1", "start restart router-1", "stop kill alloc-1"), story);
        player.brokenOff("router-1 does not stop");
        assertEquals(List.of("broken off: router-1 does not stop"), last().words());
    }

    @Test
    void everythingIsUndoneAlsoWhenOneThingCannotBe() {
        var kill = done("kill alloc-1");
        kill.cannotBeUndone = Optional.of("alloc-1 does not start");
        var failure = assertThrows(
                NodeFailure.class, () -> player.play(act(List.of(KILL, RESTART), kill, done("restart router-1"))));
        assertEquals("alloc-1 does not start", failure.getMessage());
        assertEquals(List.of("stop kill alloc-1", "stop restart router-1"), story.subList(3, story.size()));
    }

    @Test
    void aNodeThatGoesOnThoughItMustNotIsToldOfOnce() {
        var kill = done("wipe store-1");
        kill.shows = false;
        kill.breach = Optional.of("store-1 goes on without its data");
        player.play(act(List.of(KILL), kill));
        assertEquals(List.of("NODE_STOPS_WHEN_ITS_DATA_IS_IN_DOUBT: store-1 goes on without its data"), users.broken);
        assertEquals(RoundVerdict.VIOLATED, last().verdict());
    }

    @Test
    void callsOfBystandersCountUntilAllIsWellAndThoseUnderWayAreWaitedForAWhile() {
        users.bystanderCalls = 0;
        var struck = Set.of("127.0.0.1:7721");
        long before = nanos;
        player.play(new Scene.Act(List.of(KILL), List.of(done("kill alloc-1")), Optional.of(struck)));
        assertEquals("watch those without " + struck, story.get(0));
        assertTrue(nanos - before >= Duration.ofSeconds(5).toNanos(), "one call never ended");
        users.calls.invoke(StageUsers.ANN).unknown("no answer came");
        users.calls.invoke(StageUsers.ANN).unknown("no answer came");
        assertEquals(0, last().bystanders().calls(), "they came after it");
        users.early.orElseThrow().unknown("no answer came");
        assertEquals(1, last().bystanders().failed(), "it began in the round");
    }

    @Test
    void whoeverAStruckOwnerIsGivenBeforeItShowsIsNoBystander() {
        var struck = Set.of("127.0.0.1:7721");
        users.givenLate = List.of(StageUsers.ANN);
        player.play(new Scene.Act(List.of(KILL), List.of(done("kill alloc-1")), Optional.of(struck)));
        assertTrue(story.indexOf("start kill alloc-1") < story.indexOf("who belongs to " + struck));
        users.early.orElseThrow().unknown("no answer came");
        assertEquals(0, last().bystanders().calls());
    }

    @Test
    void aRoundProvesNothingIfNobodyAskedWhomItWasNotToTouch() {
        users.givenLate = List.of(StageUsers.ANN);
        var struck = Set.of("127.0.0.1:7721");
        player.play(new Scene.Act(List.of(KILL), List.of(done("kill alloc-1")), Optional.of(struck)));
        assertEquals(RoundVerdict.VOID, last().verdict());
        assertEquals(
                List.of("0 calls for those whom it was not to touch were answered or refused, and 50 are needed:"
                        + " kill alloc-1"),
                last().words());
    }

    @Test
    void whereCellsAreTriedTheNextOneBeginsWhenOwnersHaveTheirSharesAgain() {
        users.sharedAtNanos = nanos + Duration.ofSeconds(12).toNanos();
        player.play(act(List.of(KILL), done("kill alloc-1")));
        long next = nanos;
        assertTrue(next >= users.sharedAtNanos);
        users.sharedAtNanos = Long.MAX_VALUE;
        player.play(act(List.of(KILL), done("kill alloc-1")));
        assertTrue(nanos - next < Duration.ofSeconds(30).toNanos(), "it is no reason to wait for ever");
        assertEquals(RoundVerdict.MISSED, last().verdict());
        assertEquals(List.of("owners had not their shares 20 s after it was over: kill alloc-1"), last().words());
    }

    @Test
    void norDoesTheNextOneBeginBeforeEveryStoreSvrPeerFollowsAgain() {
        stage.storesFollowAt(nanos + Duration.ofSeconds(12).toNanos());
        player.play(act(List.of(KILL), done("kill alloc-1")));
        assertEquals(RoundVerdict.PASS, last().verdict());
        long next = nanos;
        assertTrue(next >= 1_000_000_000 + Duration.ofSeconds(12).toNanos());
        stage.storesFollowAt(Long.MAX_VALUE);
        player.play(act(List.of(KILL), done("kill alloc-1")));
        assertTrue(nanos - next < Duration.ofSeconds(70).toNanos(), "it is no reason to wait for ever");
        assertEquals(RoundVerdict.MISSED, last().verdict());
        assertTrue(last().words().toString().contains("did not follow within 60 s"), last()::toString);
    }

    @Test
    void roundsAreKeptInTheirOrder() {
        player.play(act(List.of(KILL), done("kill alloc-1")));
        player.play(act(List.of(RESTART), done("restart router-1")));
        assertEquals(
                List.of(1, 2),
                player.played().stream()
                        .map(round -> round.seenIn(NOTHING).number())
                        .toList());
        assertEquals(RoundVerdict.PASS, last().verdict());
    }
}
