package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.grpc.Given;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a record makes of the calls of users, in a time of its own. */
final class LiveRecordTest {
    private static final long ANN = 1;
    private static final long BOB = 2;

    private long nowNanos = Duration.ofHours(1).toNanos();
    private final FaultLog faults = new FaultLog(() -> nowNanos);
    private final LiveRecord record = new LiveRecord(faults, () -> nowNanos, Set.of(ANN), uid -> true);
    private final Recorder calls = record.throughRouters();

    private long next = 1;

    private void pass(long millis) {
        nowNanos += Duration.ofMillis(millis).toNanos();
    }

    /** One call that takes no time. */
    private void answered(long uid, long first, long last, long epoch) {
        calls.invoke(uid).returned(first, last, epoch);
    }

    private static long millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis();
    }

    @Test
    void whoIsAnsweredInOrderHasNothingToTell() {
        answered(ANN, 1, 1, 7);
        answered(ANN, 2, 6, 7);
        answered(BOB, 1, 1, 7);
        var seen = record.findings();
        assertEquals(3, seen.operations());
        assertEquals(2, seen.sampled());
        assertEquals(0, seen.broken());
        assertEquals(0, seen.longestNanos());
        assertEquals(Map.of(), seen.gaps());
        assertEquals(Map.of(), seen.silences());
    }

    @Test
    void aNumberThatComesTwiceIsADuplicateAndOneThatIsBehindAStepBack() {
        var early = calls.invoke(BOB);
        answered(BOB, 5, 5, 7);
        early.returned(5, 5, 7);
        answered(BOB, 4, 4, 7);
        var seen = record.findings();
        assertEquals(1, seen.duplicates());
        assertEquals(1, seen.stepsBack());
        assertEquals(2, seen.broken());
        assertEquals(2, seen.violations().size());
    }

    @Test
    void aWitnessShowsBothAnswers() {
        answered(ANN, 8, 9, 7);
        answered(ANN, 9, 9, 7);
        var witness = record.findings().witnesses().get(0);
        assertEquals("ORDERED", witness.rule());
        assertEquals(
                List.of("8", "9"),
                witness.operations().stream()
                        .map(operation -> operation.getString("first"))
                        .toList());
    }

    /** The numbers that each witness shows: the first of an answer, or what was read. */
    private List<List<String>> shown() {
        return record.findings().witnesses().stream()
                .map(witness -> witness.operations().stream()
                        .map(operation -> operation.getString("first", operation.getString("read")))
                        .toList())
                .toList();
    }

    @Test
    void aWitnessShowsAReadingToo() {
        answered(BOB, 9, 9, 7);
        calls.invoke(BOB).told(8, true);
        calls.invoke(BOB).told(12, false);
        answered(BOB, 11, 11, 7);
        assertEquals(List.of(List.of("9", "8"), List.of("12", "11")), shown());
    }

    @Test
    void aWitnessOfTheCrowdShowsTheAnswerThatIsBroken() {
        long before = record.crowd().begin(BOB);
        record.crowd().answered(BOB, before, 0, new Given(BOB, 9, 9, 7), true);
        long then = record.crowd().begin(BOB);
        record.crowd().answered(BOB, then, 0, new Given(BOB, 8, 8, 7), true);
        record.crowd().told(BOB, record.crowd().begin(BOB), 0, 7);
        assertEquals(List.of(List.of("9", "8"), List.of("9", "7")), shown());
    }

    @Test
    void whoOfTheCrowdIsNotAnsweredIsCounted() {
        record.crowd().lost(BOB, record.crowd().begin(BOB));
        assertEquals(1, record.findings().itemsLost());
        long closing = record.crowd().begin(BOB);
        record.freeze();
        record.crowd().lost(BOB, closing);
        assertEquals(1, record.findings().itemsLost(), "the cluster is being taken down");
    }

    @Test
    void theSampleIsJudgedAsAWholeToo() {
        answered(ANN, 9, 9, 7);
        answered(ANN, 8, 8, 7);
        var seen = record.findings();
        assertEquals(1, seen.broken(), "once, although two checkers saw it");
        assertEquals(2, seen.violations().size(), "in the words of both");
        assertEquals(2, seen.witnesses().size(), "each has its own");
        assertEquals(seen.violations().get(1), seen.witnesses().get(1).words());
        assertEquals(0, record.soFar().sampled());
    }

    @Test
    void aReadingBelowWhatWasAnsweredBeforeIsAStepBack() {
        answered(BOB, 1, 5, 7);
        calls.invoke(BOB).told(5, false);
        calls.invoke(BOB).told(9, false);
        assertEquals(0, record.findings().broken());
        calls.invoke(BOB).told(8, false);
        var seen = record.findings();
        assertEquals(1, seen.stepsBack());
        assertEquals(4, seen.operations());
    }

    @Test
    void aNumberAtOrBelowAReadingThatWasToldBeforeIsAStepBack() {
        calls.invoke(BOB).told(9, false);
        answered(BOB, 9, 9, 7);
        assertEquals(1, record.findings().stepsBack());
    }

    @Test
    void aNumberThatALiftLeftOutIsAStepBack() {
        answered(BOB, 1, 1, 7);
        calls.invoke(BOB).lifted(1, 4, 4);
        answered(BOB, 4, 4, 7);
        assertEquals(1, record.findings().stepsBack());
    }

    @Test
    void aReadingIsNoSilenceAndFillsNoHole() {
        answered(ANN, 1, 1, 7);
        var asking = calls.invoke(ANN);
        pass(300);
        asking.told(4, false);
        assertEquals(0, millis(record.findings().longestNanos()));
        answered(ANN, 5, 5, 7);
        assertEquals(3, record.findings().gaps().values().iterator().next().numbers());
    }

    @Test
    void whoIsToldItsLastNumberAndGivenNoneStillWaits() {
        answered(ANN, 1, 1, 7);
        long since = nowNanos;
        for (int i = 0; i < 5; i++) {
            calls.invoke(ANN).refused("not now");
            pass(500);
            calls.invoke(ANN).told(1, false);
            calls.invoke(ANN).lifted(1, 1, 1);
            pass(500);
        }
        assertEquals(5_000, millis(record.findings().longestNanos()));
        assertFalse(record.everybodyIsServedSince(since + 1));
        answered(ANN, 2, 2, 7);
        assertEquals(5_000, millis(record.findings().longestNanos()));
        assertTrue(record.everybodyIsServedSince(since + 1));
    }

    @Test
    void aReadingThatNobodyAnswersIsASilenceUntilANumberIsGiven() {
        answered(ANN, 1, 1, 7);
        var reading = calls.invoke(ANN);
        pass(1_000);
        reading.unknown("no answer came");
        calls.invoke(ANN).told(1, false);
        pass(100);
        answered(ANN, 2, 2, 7);
        assertEquals(1_100, millis(record.findings().longestNanos()));
    }

    @Test
    void aRangeThatIsNoneIsRefused() {
        var call = calls.invoke(ANN);
        assertThrows(IllegalArgumentException.class, () -> call.returned(0, 0, 7));
    }

    /** The longer one may be the own fault of whoever asks, and must not hide it. */
    @Test
    void ofWaitsTheOneCountsOfWhichTheClusterIsToBlameForMost() {
        var heart = new Heartbeat(() -> nowNanos);
        faults.heedPauses(heart::pausedNanos);
        var own = calls.invoke(ANN);
        pass(6_000);
        own.returned(1, 1, 7);
        var waits = calls.invoke(BOB);
        for (int beat = 0; beat < 100; beat++) {
            pass(20);
            heart.beat();
        }
        waits.returned(1, 1, 7);
        var seen = Objects.requireNonNull(record.findings().silences().get(Silences.NO_FAULT));
        assertEquals(ANN, seen.longest().uid());
        assertEquals(6_000, millis(seen.longest().pausedNanos()));
        assertEquals(BOB, seen.worst().uid());
        assertEquals(2_000, millis(seen.worst().blamedNanos()));
    }

    @Test
    void aSilenceLastsFromTheFirstQuestionThatNobodyAnswersAndIsLaidToItsFault() {
        answered(ANN, 1, 1, 7);
        answered(BOB, 1, 1, 7);
        pass(500);
        var kill = faults.begin("kill alloc-1");
        pass(100);
        calls.invoke(ANN).refused("not now");
        pass(3_000);
        calls.invoke(ANN).unknown("no answer came");
        pass(400);
        answered(ANN, 10_001, 10_001, 8);
        faults.end(kill);
        var seen = record.findings();
        assertEquals(3_400, millis(seen.longestNanos()));
        assertEquals("kill alloc-1", seen.longest().orElseThrow().cause());
        assertEquals(Map.of("kill alloc-1", new Silences.Sum(1, seen.longest().orElseThrow())), seen.silences());
        assertEquals(
                "2 calls of user 1, 1 refused, from 0.1 s after it began, whose owner changed (epoch 7, then 8);"
                        + " at last: no answer came",
                seen.longest().orElseThrow().words());
        assertEquals(1, seen.refused());
        assertEquals(1, seen.unknown());
        assertEquals(Map.of("kill alloc-1", new Gaps.Sum(1, 9_999)), seen.gaps());
        assertEquals(1, seen.power().straddles());
    }

    @Test
    void whoStillWaitsHasWaitedUntilNow() {
        answered(ANN, 1, 1, 7);
        var unused = calls.invoke(ANN);
        pass(2_000);
        assertEquals(2_000, millis(record.findings().longestNanos()));
        assertEquals(
                Silences.NO_FAULT, record.findings().longest().orElseThrow().cause());
        record.freeze();
        pass(5_000);
        assertEquals(2_000, millis(record.findings().longestNanos()), "what comes after the freeze counts no more");
    }

    @Test
    void aSilenceThatBeganBeforeItsFaultSaysSoAndWhatFailedBeforeItIsNotToldOfIt() {
        calls.invoke(ANN).refused("not yet");
        answered(ANN, 1, 1, 7);
        var call = calls.invoke(ANN);
        pass(700);
        faults.begin("pause alloc-1");
        pass(1_000);
        call.returned(2, 2, 7);
        assertEquals(
                "user 1, from 0.7 s before it began, whose owner stayed (epoch 7)",
                record.findings().longest().orElseThrow().words());
    }

    private String causeOfAWaitOf(long millis) {
        var call = calls.invoke(ANN);
        pass(millis);
        call.returned(next, next++, 7);
        var longest = record.findings().longest().orElseThrow();
        assertEquals(millis, millis(longest.nanos()));
        record.forgetSilences();
        return longest.cause();
    }

    @Test
    void aFaultExplainsWhatUsersWaitForUntilAllIsWellAndNoWaitThatBeginsLater() {
        var kill = faults.begin("kill store-1");
        pass(1_000);
        faults.undone(kill);
        pass(10_000);
        assertEquals("kill store-1", causeOfAWaitOf(4_000));
        pass(1);
        faults.end(kill);
        pass(1);
        assertEquals(Silences.NO_FAULT, causeOfAWaitOf(4_000));
    }

    @Test
    void aWaitIsOfTheFaultInWhichItBegan() {
        var kill = faults.begin("kill alloc-1");
        pass(100);
        var call = calls.invoke(ANN);
        pass(500);
        faults.end(kill);
        pass(100);
        faults.begin("delay router-1");
        pass(9_000);
        call.returned(1, 1, 7);
        assertEquals("kill alloc-1", record.findings().longest().orElseThrow().cause());
    }

    @Test
    void aWaitThatBeganBetweenTwoFaultsIsOfTheNextOneIfThatWentOnForTheGreaterPart() {
        faults.end(faults.begin("kill alloc-1"));
        pass(100);
        var call = calls.invoke(ANN);
        pass(3_000);
        var delay = faults.begin("delay router-1");
        pass(500);
        call.returned(1, 1, 7);
        assertEquals(
                Silences.NO_FAULT, record.findings().longest().orElseThrow().cause());
        pass(100);
        faults.end(delay);
        record.forgetSilences();
        pass(100);
        var other = calls.invoke(ANN);
        pass(500);
        faults.begin("delay router-2");
        pass(3_000);
        other.returned(2, 2, 7);
        assertEquals("delay router-2", record.findings().longest().orElseThrow().cause());
    }

    @Test
    void whoIsAnsweredByAnOwnerOnlyWaitsForTheRouters() {
        var asked = calls.invoke(ANN);
        pass(1_000);
        record.invoke(ANN).returned(1, 1, 7);
        long since = nowNanos;
        pass(1_000);
        asked.unknown("the deadline passed");
        record.invoke(ANN).returned(2, 2, 7);
        assertFalse(record.everybodyIsServedSince(since));
        assertEquals(2_000, millis(record.findings().longestNanos()));
        answered(ANN, 3, 3, 7);
        assertTrue(record.everybodyIsServedSince(since));
    }

    @Test
    void whoIsAnsweredThroughRoutersStillWaitsForItsJavaClient() {
        long since = nowNanos;
        answered(BOB, 1, 1, 7);
        var call = record.byClient(BOB);
        pass(3_000);
        answered(BOB, 2, 2, 7);
        assertFalse(record.everybodyIsServedSince(since));
        call.failed("no answer within 3 s");
        var next = record.byClient(BOB);
        pass(500);
        next.answered();
        assertTrue(record.everybodyIsServedSince(since));
        assertEquals(3_500, millis(record.findings().longestNanos()));
        assertEquals(
                "a call of user 2, 0 refused; at last: no answer within 3 s",
                record.findings().longest().orElseThrow().words());
    }

    @Test
    void waitingWhileTheClusterWarmsUpIsForgotten() {
        var call = calls.invoke(ANN);
        pass(4_000);
        call.returned(1, 1, 7);
        record.forgetSilences();
        assertEquals(0, record.findings().longestNanos());
    }

    @Test
    void everybodyIsServedOnceACallOfEachThatBeganThenOrLaterWasAnswered() {
        var annsOld = calls.invoke(ANN);
        answered(BOB, 1, 1, 7);
        pass(10);
        long since = nowNanos;
        annsOld.returned(1, 1, 7);
        answered(BOB, 2, 2, 7);
        assertFalse(record.everybodyIsServedSince(since));
        answered(ANN, 2, 2, 7);
        assertTrue(record.everybodyIsServedSince(since));
    }

    @Test
    void whatAnApplicationIsAnsweredIsJudgedAndProvesNothingOfFormerOwners() {
        var application = record.late(GivesUp.APPLICATION);
        application.invoke(BOB).returned(1, 1, 7);
        application.invoke(BOB).returned(2, 2, 8);
        assertEquals(0, record.straddlesOfRound());
        application.invoke(BOB).returned(2, 2, 8);
        assertEquals(1, record.broken());
    }

    @Test
    void whoAskedAFormerOwnerWhileTheClusterWarmedUpDoesNotCount() {
        var owners = record.atOwners(GivesUp.NOBODY, (uid, door) -> door.equals("former:1"));
        owners.invoke(BOB, "former:1").refusedByNonOwner("not mine");
        assertEquals(1, record.deposed());
        record.forgetSilences();
        assertEquals(0, record.deposed());
        owners.invoke(BOB, "former:1").refusedByNonOwner("not mine");
        assertEquals(1, record.deposed());
    }

    @Test
    void whoeverNeverOwnedAUserIsNoFormerOwner() {
        var owners = record.atOwners(GivesUp.NOBODY, (uid, door) -> door.equals("former:1"));
        owners.invoke(BOB, "next:2").refusedByNonOwner("not mine yet");
        calls.invoke(BOB).refusedByNonOwner("a router found no owner");
        assertEquals(0, record.deposed());
    }

    @Test
    void aPairThatStraddlesAChangeOfTheRoundBeforeIsNoneOfThisOne() {
        answered(BOB, 1, 1, 7);
        pass(10);
        var across = calls.invoke(BOB);
        pass(10);
        answered(BOB, 2, 2, 8);
        var late = calls.invoke(BOB);
        across.returned(3, 3, 7);
        record.beginRound();
        pass(10);
        late.returned(4, 4, 8);
        answered(BOB, 5, 5, 8);
        assertEquals(1, record.findings().power().straddles());
        assertEquals(0, record.straddlesOfRound());
        pass(10);
        answered(BOB, 6, 6, 9);
        assertEquals(1, record.straddlesOfRound());
    }

    @Test
    void theSameNonsenseCountsOnce() {
        record.nonsense("seq 0");
        record.nonsense("seq 0");
        assertEquals(1, record.findings().broken());
        assertEquals(1, record.broken(), "a round sees it too");
        assertEquals(1, record.soFar().broken());
    }
}
