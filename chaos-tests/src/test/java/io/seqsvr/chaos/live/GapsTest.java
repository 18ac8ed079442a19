package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.process.LoadPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a record makes of numbers that a user never got, in a time of its own. */
final class GapsTest {
    private static final long ANN = 1;

    private long nowNanos = Duration.ofHours(1).toNanos();
    private final FaultLog faults = new FaultLog(() -> nowNanos);
    private final LiveRecord record = new LiveRecord(faults, () -> nowNanos, Set.of(ANN), uid -> true);
    private final Recorder calls = record.throughRouters();

    private void pass(long millis) {
        nowNanos += Duration.ofMillis(millis).toNanos();
    }

    /** One call that takes no time. */
    private void answered(long uid, long first, long last, long epoch) {
        calls.invoke(uid).returned(first, last, epoch);
    }

    @Test
    void whereOthersTakeNumbersTooWhatIsLeftOutIsNoGap() {
        var among = new LiveRecord(faults, () -> nowNanos, Set.of(), uid -> false);
        for (var of : List.of(record, among)) {
            of.invoke(ANN).returned(1, 1, 7);
            of.invoke(ANN).returned(5, 5, 7);
        }
        assertEquals(Set.of(Gaps.UNEXPLAINED), record.findings().gaps().keySet());
        assertEquals(Map.of(), among.findings().gaps());
    }

    @Test
    void whatALiftLeavesOutIsNoGapWhoeverSeesItFirst() {
        answered(ANN, 1, 1, 7);
        calls.invoke(ANN).lifted(1, 4, 4);
        answered(ANN, 5, 5, 7);
        var lifting = calls.invoke(ANN);
        answered(ANN, 9, 9, 7);
        lifting.lifted(5, 8, 9);
        answered(ANN, 10, 10, 7);
        assertEquals(Map.of(), record.findings().gaps());
        assertEquals(0, record.findings().broken());
    }

    @Test
    void aHoleThatALateReplyFillsIsNoGap() {
        answered(ANN, 1, 1, 7);
        var slow = calls.invoke(ANN);
        answered(ANN, 3, 3, 7);
        assertEquals(Map.of(), record.findings().gaps());
        slow.returned(2, 2, 7);
        assertEquals(Map.of(), record.findings().gaps());
    }

    @Test
    void aCallWithoutAnAnswerExplainsOneGapHoweverLateItTookItsNumbers() {
        answered(ANN, 1, 1, 7);
        calls.invoke(ANN).unknown("no answer came");
        answered(ANN, 2, 2, 7);
        answered(ANN, 8, 8, 7);
        assertEquals(
                Map.of(Gaps.WITHOUT_ANSWER, new Gaps.Sum(1, 5)),
                record.findings().gaps());
        assertEquals(0, record.findings().unexplainedGaps());
        answered(ANN, 10, 10, 7);
        assertEquals(1, record.findings().unexplainedGaps());
        var told = record.findings().unexplained().get(0);
        assertTrue(told.startsWith("user " + ANN + " never got 9 to 9, as showed "), told);
    }

    /** Former owners refuse all the time, and take nothing of those who serve. */
    @Test
    void aRefusalOfWhoIsNoOwnerExplainsNoGapUnlessARouterHadTriedElsewhereBefore() {
        answered(ANN, 1, 1, 7);
        record.invoke(ANN).refusedByNonOwner("not mine");
        answered(ANN, 9, 9, 7);
        assertEquals(1, record.findings().unexplainedGaps());
        record.late(GivesUp.ROUTER).invoke(ANN).refusedByNonOwner("not mine");
        answered(ANN, 11, 11, 7);
        assertEquals(1, record.findings().unexplainedGaps());
    }

    @Test
    void aCallThatARouterTriedAgainExplainsAGapForEachTry() {
        answered(ANN, 1, 1, 7);
        var patient = record.late(GivesUp.ROUTER).invoke(ANN);
        var direct = record.invoke(ANN);
        pass(2_100);
        direct.returned(3, 3, 7);
        patient.returned(5, 5, 7);
        assertEquals(
                Map.of(Gaps.WITHOUT_ANSWER, new Gaps.Sum(2, 2)),
                record.findings().gaps());
        answered(ANN, 7, 7, 7);
        assertEquals(1, record.findings().unexplainedGaps());
    }

    /** After a connection broke a router rests for 5 ms and then for 10 ms, at least. */
    @Test
    void whereConnectionsAreResetARoutersTryWhoseOwnBrokeExplainsAGapIfThereWasTimeForAnother() {
        answered(ANN, 1, 1, 7);
        slowly(4, 3);
        assertEquals(1, record.findings().unexplainedGaps(), "there was no time for a second try");
        faults.end(faults.begin("delay router-1"));
        var resets = faults.begin(List.of("roughen alloc-1", "reset router-1"));
        slowly(4, 5);
        assertEquals(2, record.findings().unexplainedGaps(), "nor was there here");
        slowly(5, 7);
        slowly(15, 9);
        answered(ANN, 11, 11, 7);
        assertEquals(2, record.findings().unexplainedGaps());
        faults.end(resets);
        pass(1);
        faults.begin("delay router-1");
        slowly(999, 13);
        assertEquals(3, record.findings().unexplainedGaps(), "no connection broke");
    }

    /** A router gives up a stream over which nothing comes for a second, with calls that wait for less. */
    @Test
    void whereAnOwnerStoodStillForASecondACallThatWaitedForLessExplainsAGapToo() {
        answered(ANN, 1, 1, 7);
        faults.begin(List.of("speed-up store-1", "pause alloc-1"));
        pass(400);
        var one = calls.invoke(ANN);
        pass(100);
        var other = calls.invoke(ANN);
        pass(700);
        one.returned(3, 3, 7);
        pass(10);
        other.returned(5, 5, 7);
        slowly(300, 7);
        assertEquals(1, record.findings().unexplainedGaps(), "the last one began when it was over");
    }

    @Test
    void whereNoOwnerStoodStillOrNobodyWaitedItDoesNot() {
        answered(ANN, 1, 1, 7);
        faults.begin(List.of("pause router-1", "cut store-1"));
        pass(400);
        slowly(800, 3);
        assertEquals(1, record.findings().unexplainedGaps(), "another node");
        faults.begin("pause alloc-1");
        pass(900);
        answered(ANN, 4, 4, 7);
        slowly(300, 6);
        assertEquals(2, record.findings().unexplainedGaps(), "others of its users are answered");
    }

    @Test
    void aCallThatEndsUnansweredWhereConnectionsAreResetMayHaveCostSeveralTries() {
        answered(ANN, 1, 1, 7);
        faults.begin("reset router-1");
        var call = calls.invoke(ANN);
        call.takesAtMost(1);
        pass(40);
        call.unknown("no answer came");
        answered(ANN, 6, 6, 7);
        assertEquals(0, record.findings().unexplainedGaps(), "it rested thrice");
        answered(ANN, 8, 8, 7);
        assertEquals(1, record.findings().unexplainedGaps());
    }

    /** A call that takes that long and brings one number. */
    private void slowly(long millis, long number) {
        var call = calls.invoke(ANN);
        pass(millis);
        call.returned(number, number, 7);
    }

    @Test
    void aGapAtAChangeOfOwnerIsLaidToTheFaultThatHadJustEndedOrToNone() {
        answered(ANN, 1, 1, 7);
        faults.end(faults.begin("restart alloc-2"));
        pass(FaultLog.AFTERMATH.toMillis() - 1);
        answered(ANN, 5, 5, 8);
        pass(2);
        answered(ANN, 6, 6, 8);
        pass(1);
        answered(ANN, 9, 9, 9);
        assertEquals(
                Map.of("restart alloc-2", new Gaps.Sum(1, 3), Gaps.CHANGE_OF_OWNER, new Gaps.Sum(1, 2)),
                record.findings().gaps());
    }

    /** Whoever hands over answers before it closes a connection; who no longer listens it cannot answer. */
    @Test
    void whereOwnersHandOverOnlyACallThatWasGivenUpMayHaveTakenWhatIsMissed() {
        answered(ANN, 1, 1, 7);
        var drain = faults.begin("drain alloc-1");
        giveUp(calls);
        answered(ANN, 7, 7, 8);
        assertEquals(
                Map.of(Gaps.WITHOUT_ANSWER, new Gaps.Sum(1, 5)),
                record.findings().gaps());
        assertEquals(
                Map.of(drain.number(), new Gaps.Sum(1, 5)), record.findings().givenUpGaps());
        assertEquals(Map.of(), record.findings().episodeGaps());
        var brokenOff = calls.invoke(ANN);
        pass(800);
        brokenOff.unknown("the connection broke");
        answered(ANN, 9, 9, 9);
        assertEquals(
                Map.of(drain.number(), new Gaps.Sum(1, 1)), record.findings().episodeGaps());
    }

    @Test
    void aCallerThatAsksAnOwnerAndWaitsForASecondGivesUpTooButNotOneThatWaitsForLong() {
        answered(ANN, 1, 1, 7);
        var drain = faults.begin("drain alloc-1");
        giveUp(record.late(GivesUp.CALLER));
        answered(ANN, 3, 3, 8);
        assertEquals(Map.of(), record.findings().episodeGaps());
        giveUp(record);
        answered(ANN, 5, 5, 9);
        assertEquals(
                Map.of(drain.number(), new Gaps.Sum(1, 1)), record.findings().episodeGaps());
    }

    @Test
    void aCallExplainsNoMoreThanItCouldTakeAndNothingThatWasMissedBeforeItBegan() {
        answered(ANN, 1, 1, 7);
        var drain = faults.begin("drain alloc-1");
        giveUp(calls, 1);
        calls.invoke(ANN).unknown("the connection broke");
        answered(ANN, 4, 4, 8);
        assertEquals(
                Map.of(drain.number(), new Gaps.Sum(1, 2)), record.findings().episodeGaps());
        giveUp(calls, 0);
        var hung = record.invoke(ANN);
        answered(ANN, 6, 6, 9);
        giveUp(calls, 5);
        hung.refused("closed");
        assertEquals(
                Map.of(drain.number(), new Gaps.Sum(1, 2)),
                record.findings().episodeGaps(),
                "the call of one number that was given up is still there");
        hung = record.invoke(ANN);
        answered(ANN, 13, 13, 10);
        giveUp(calls, 5);
        hung.refused("closed");
        assertEquals(
                Map.of(drain.number(), new Gaps.Sum(2, 8)), record.findings().episodeGaps());
    }

    @Test
    void whatWasNeverSentAndWhatEndedAMinuteAgoExplainNothing() {
        answered(ANN, 1, 1, 7);
        record.invoke(ANN).notSent("connection refused");
        answered(ANN, 3, 3, 7);
        assertEquals(1, record.findings().unexplainedGaps());
        record.invoke(ANN).refused("not now");
        pass(60_001);
        answered(ANN, 5, 5, 7);
        assertEquals(2, record.findings().unexplainedGaps());
        record.invoke(ANN).refused("not now");
        answered(ANN, 12, 12, 7);
        assertEquals(3, record.findings().unexplainedGaps(), "a call takes five at most");
        answered(ANN, 14, 14, 7);
        assertEquals(3, record.findings().unexplainedGaps());
    }

    private void giveUp(Recorder through) {
        giveUp(through, LoadPlan.MOST_AT_ONCE);
    }

    private void giveUp(Recorder through, long most) {
        var call = through.invoke(ANN);
        call.takesAtMost(most);
        pass(1_000);
        call.unknown("no answer came");
    }
}
