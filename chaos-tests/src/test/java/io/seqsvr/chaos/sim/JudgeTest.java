package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Frame;
import io.seqsvr.core.namespace.SegmentId;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each promise broken by hand, and kept by hand as narrowly as can be. */
final class JudgeTest {
    private static final Answer REFUSED = new Answer.Refused(Refusal.NOT_OWNER, "not mine");
    private static final int CALLER = 0;
    private static final int OTHER_CALLER = 1;

    private final Mix mix = Mixes.two();
    private final Agenda agenda = new Agenda();
    private final Tally tally = new Tally();
    private Judge judge = watching(EnumSet.allOf(Promise.class));

    private Judge watching(Collection<Promise> promises) {
        return new Judge(mix, agenda, tally, Trace.silent(agenda), promises);
    }

    private Judge.Operation next() {
        return next(1, 0);
    }

    private Judge.Operation next(long count, long bound) {
        return judge.begin(new Ask(Ask.Verb.NEXT, 1, 0, count, bound), CALLER);
    }

    private Judge.Operation current() {
        return judge.begin(new Ask(Ask.Verb.CURRENT, 1, 0, 0, 0), CALLER);
    }

    private Judge.Operation raiseFloor(long bound) {
        return judge.begin(new Ask(Ask.Verb.RAISE_FLOOR, 1, 0, 0, bound), CALLER);
    }

    private static Answer range(long first, long last) {
        return new Answer.Range(0, first, last, 1);
    }

    private static Answer bound(long seq) {
        return new Answer.Reading(0, seq, false, 1);
    }

    private static Answer underEpoch(long epoch, long seq) {
        return new Answer.Range(0, seq, seq, epoch);
    }

    private void assertKept() {
        assertEquals(Optional.empty(), judge.broken());
    }

    private void assertBroken(Promise promise) {
        assertEquals(Optional.of(promise), judge.broken().map(BrokenPromise::promise));
    }

    @Test
    void aSequenceHandedOutTwiceIsSeenWhateverTheOrderOfTheCalls() {
        var one = next(3, 0);
        var other = next(3, 0);
        var third = next(3, 0);
        judge.end(other, range(7, 9));
        judge.end(one, range(4, 6));
        assertKept();
        judge.end(third, range(9, 11));
        assertBroken(Promise.UNIQUE);
    }

    @Test
    void theSameSequencesOfTwoUsersAreTwoThings() {
        judge.end(next(), range(5, 5));
        judge.end(judge.begin(new Ask(Ask.Verb.NEXT, 2, 0, 1, 0), CALLER), new Answer.Range(0, 5, 5, 1));
        judge.end(judge.begin(new Ask(Ask.Verb.NEXT, 1, 1, 1, 0), CALLER), new Answer.Range(1, 5, 5, 1));
        assertKept();
    }

    @Test
    void anAnswerBelowWhatWasReceivedBeforeItsRequestWasSentIsSeen() {
        var underWay = next();
        judge.end(next(), range(5, 5));
        judge.end(underWay, range(4, 4));
        assertKept();
        judge.end(next(), range(3, 3));
        assertBroken(Promise.ORDERED);
    }

    @Test
    void aReadingBelowWhatWasReceivedBeforeItWasAskedForIsSeen() {
        judge.end(next(), range(5, 5));
        judge.end(current(), bound(5));
        assertKept();
        judge.end(current(), bound(4));
        assertBroken(Promise.ORDERED);
    }

    @Test
    void aSequenceThatIsNotAboveAReadingOrALiftBeforeItIsSeen() {
        judge.end(current(), bound(5));
        judge.end(next(), range(6, 6));
        judge.end(raiseFloor(20), new Answer.Lifted(0, 20, 1));
        judge.end(next(), range(21, 21));
        assertKept();
        judge.end(raiseFloor(30), new Answer.Lifted(0, 30, 1));
        judge.end(next(), range(30, 30));
        assertBroken(Promise.ORDERED);
    }

    @Test
    void anExactReadingOfWhatNobodyTookIsSeen() {
        read(5);
        assertBroken(Promise.ORDERED);
    }

    @Test
    void nobodyGetsWhatLiesBelowAFloorThatAnOperatorWasToldOf() {
        var underWay = next();
        judge.floorRaised(1, 0, 100);
        judge.end(underWay, range(7, 7));
        judge.end(next(), range(101, 101));
        assertKept();
        judge.floorRaised(1, 0, 200);
        judge.end(next(), range(200, 200));
        assertBroken(Promise.ORDERED);
    }

    /** Unlike a reading, a floor is no sequence of anybody: it may lie below what was handed out, and inside it. */
    @Test
    void aFloorMayLieInsideOfWhatIsOnItsWay() {
        var underWay = next(10, 0);
        judge.floorRaised(1, 0, 15);
        judge.end(underWay, range(11, 20));
        assertKept();
    }

    @Test
    void whatLeavesAboveMaxSeqIsSeen() {
        for (var answer : List.of(range(9, 11), bound(11), new Answer.Lifted(0, 11, 1))) {
            judge = watching(EnumSet.allOf(Promise.class));
            judge.leaves(answer, 11);
            judge.leaves(REFUSED, 0);
            assertKept();
            judge.leaves(answer, 10);
            assertBroken(Promise.DURABLE);
        }
    }

    @Test
    void anAnswerAboutSomethingElseThanWasAskedIsSeen() {
        judge.end(next(2, 8), range(8, 9));
        assertKept();
        var wrong = List.of(
                new Answer.Range(1, 10, 11, 1),
                new Answer.Range(0, 10, 10, 1),
                new Answer.Range(0, 10, 12, 1),
                new Answer.Range(0, 8, 9, 1));
        for (var answer : wrong) {
            judge = watching(EnumSet.of(Promise.EXACTLY_ASKED));
            judge.end(next(2, 10), answer);
            assertBroken(Promise.EXACTLY_ASKED);
        }
        judge = watching(EnumSet.of(Promise.EXACTLY_ASKED));
        judge.end(next(), range(0, 0));
        assertBroken(Promise.EXACTLY_ASKED);
    }

    @Test
    void aReadingOfSomebodyElseAndALiftThatIsTooLowAreSeen() {
        judge.end(raiseFloor(10), new Answer.Lifted(0, 10, 1));
        assertKept();
        judge.end(raiseFloor(20), new Answer.Lifted(0, 19, 1));
        assertBroken(Promise.EXACTLY_ASKED);
        judge = watching(EnumSet.of(Promise.EXACTLY_ASKED));
        judge.end(current(), new Answer.Reading(1, 5, false, 1));
        assertBroken(Promise.EXACTLY_ASKED);
    }

    @Test
    void aCallerThatGoesBackIsSeen() {
        believed(5, range(6, 6));
        believed(0, bound(6));
        assertKept();
        believed(judge.seenByCaller(next()), range(6, 6));
        assertBroken(Promise.ONE_CALLER_FORWARD);
    }

    @Test
    void whatOneCallerSawBindsNoOther() {
        believed(0, range(6, 6));
        var others = judge.begin(new Ask(Ask.Verb.NEXT, 1, 0, 1, 0), OTHER_CALLER);
        assertEquals(0, judge.seenByCaller(others));
        judge.believed(others, judge.seenByCaller(others), range(4, 4));
        assertKept();
    }

    @Test
    void aCallerThatAskedBeforeItSawMayGetLess() {
        var early = next();
        long seen = judge.seenByCaller(early);
        believed(0, range(6, 6));
        judge.believed(early, seen, range(5, 5));
        assertKept();
    }

    @Test
    void aNewProcessHasSeenNothing() {
        believed(0, range(6, 6));
        judge.forget(CALLER);
        assertEquals(0, judge.seenByCaller(next()));
    }

    /** A frame with one call of the first user that leaves now. */
    private static Frame frame() {
        return frame(new Call.Next("messages", 0, 1, 0));
    }

    private static Frame frame(Call call) {
        return new Frame(1, "alloc-0:7401", List.of(new Frame.Place(call, new SegmentId(1, 0), 0)), Nanos.SECOND);
    }

    @Test
    void aSequenceThatTwoFramesBringIsSeenThoughNobodyWaitsForEither() {
        judge.arrived(frame(), judge.sent(frame()), List.of(range(5, 7)));
        judge.arrived(frame(), judge.sent(frame()), List.of(range(2, 4)));
        assertKept();
        judge.arrived(frame(), judge.sent(frame()), List.of(range(4, 4)));
        assertBroken(Promise.UNIQUE);
    }

    @Test
    void whatAFrameBringsLiesAboveAllThatWasReceivedBeforeItLeftThoughNobodyWaitsForIt() {
        long[] early = judge.sent(frame());
        judge.end(next(), range(6, 6));
        judge.arrived(frame(), early, List.of(range(5, 5)));
        judge.arrived(frame(), judge.sent(frame()), List.of(range(7, 7)));
        judge.arrived(frame(), judge.sent(frame()), List.of(REFUSED));
        assertKept();
        judge.arrived(frame(), judge.sent(frame()), List.of(range(6, 6)));
        assertBroken(Promise.ORDERED);
    }

    @Test
    void aReadingMayShowWhatOneSendingOfACallTookInVain() {
        judge.left(frame(), judge.sent(frame()), List.of(range(6, 6)));
        judge.left(frame(), judge.sent(frame()), List.of(REFUSED));
        read(6);
        read(7);
        assertKept();
        read(8);
        assertBroken(Promise.ORDERED);
    }

    @Test
    void whatTakesNothingExplainsNoReading() {
        judge.giveUp(next());
        judge.end(next(), REFUSED);
        for (var call : List.of(new Call.Current("messages", 0), new Call.RaiseFloor("messages", 0, 3))) {
            judge.sent(frame(call));
            judge.left(frame(call), judge.sent(frame(call)), List.of(REFUSED));
        }
        judge.lost(frame(), judge.sent(frame()));
        assertKept();
        read(1);
        assertBroken(Promise.ORDERED);
    }

    private void read(long seq) {
        var reading = frame(new Call.Current("messages", 0));
        judge.arrived(reading, judge.sent(reading), List.of(new Answer.Reading(0, seq, true, 1)));
    }

    private void believed(long seen, Answer answer) {
        judge.believed(next(), seen, answer);
    }

    @Test
    void aSecondAnswerToOneRequestIsSeen() {
        var operation = next();
        judge.end(operation, range(1, 1));
        assertKept();
        judge.end(operation, range(2, 2));
        assertBroken(Promise.SOUND);
    }

    @Test
    void whatOthersSawIsTakenDown() {
        agenda.runUntil(3 * Nanos.SECOND);
        judge.accuse(Promise.BOUNDED, "the queue is too long");
        assertEquals(
                Optional.of(new BrokenPromise(Promise.BOUNDED, 3 * Nanos.SECOND, "the queue is too long")),
                judge.broken());
        assertEquals(
                "BOUNDED after 3.000 s: the queue is too long",
                judge.broken().orElseThrow().toString());
    }

    @Test
    void theFirstBrokenPromiseIsTheOneThatIsTold() {
        judge.accuse(Promise.ALIVE, "first");
        judge.accuse(Promise.SOUND, "second");
        assertEquals("first", judge.broken().orElseThrow().words());
    }

    @Test
    void onlyWatchedPromisesCount() {
        judge = watching(EnumSet.of(Promise.ALIVE));
        judge.end(next(), range(5, 5));
        judge.end(next(), range(5, 5));
        judge.leaves(range(5, 5), 4);
        judge.accuse(Promise.SOUND, "not watched");
        assertKept();
        judge.accuse(Promise.ALIVE, "watched");
        assertBroken(Promise.ALIVE);
    }

    @Test
    void aRequestWithoutAnAnswerBindsNobody() {
        judge.giveUp(next());
        judge.end(next(), REFUSED);
        judge.end(next(), range(1, 1));
        assertKept();
        assertEquals(3, tally.begun());
        assertEquals(1, tally.operations());
        assertEquals(1, tally.refusals());
        assertEquals(1, tally.unknown());
    }

    @Test
    void anAnswerThatComesAfterAllWaitingIsNotJudgedButASecondOneIsAccused() {
        var lost = next();
        judge.giveUp(lost);
        judge.end(next(), range(2, 2));
        judge.end(lost, range(1, 1));
        assertKept();
        assertEquals(1, tally.unknown());
        var answered = next();
        judge.end(answered, range(3, 3));
        judge.end(answered, range(4, 4));
        assertEquals(Promise.SOUND, judge.broken().orElseThrow().promise());
    }

    @Test
    void anAnswerUnderANewEpochToARequestSentAfterOneUnderTheOldEpochIsAStraddlingPair() {
        judge.end(next(), underEpoch(1, 1));
        judge.end(next(), underEpoch(1, 2));
        assertEquals(0, tally.straddlingPairs());
        judge.end(next(), underEpoch(2, 3));
        assertEquals(1, tally.straddlingPairs());
    }

    @Test
    void aRequestUnderWayAcrossTheChangeIsNoStraddlingPair() {
        var underWay = next();
        judge.end(next(), underEpoch(1, 1));
        judge.end(underWay, underEpoch(2, 2));
        assertEquals(0, tally.straddlingPairs());
    }

    @Test
    void aPairCountsOncePerUserAndChangeHoweverManyFollow() {
        judge.end(next(), underEpoch(1, 1));
        var one = next();
        var other = next();
        judge.end(one, underEpoch(2, 2));
        judge.end(other, underEpoch(2, 3));
        judge.end(next(), underEpoch(2, 4));
        assertEquals(1, tally.straddlingPairs());
        judge.end(next(), underEpoch(3, 5));
        assertEquals(2, tally.straddlingPairs());
        judge.end(judge.begin(new Ask(Ask.Verb.NEXT, 2, 0, 1, 0), CALLER), new Answer.Range(0, 1, 1, 3));
        assertEquals(2, tally.straddlingPairs());
    }

    @Test
    void refusalsAreNoPairs() {
        judge.end(next(), underEpoch(1, 1));
        judge.end(next(), REFUSED);
        assertEquals(0, tally.straddlingPairs());
    }

    @Test
    void itKnowsWhoWasServedAndHowFar() {
        judge.end(next(), range(5, 5));
        judge.end(next(), REFUSED);
        judge.end(current(), bound(5));
        assertEquals(5, judge.highest(1, 0));
        assertEquals(0, judge.highest(2, 0));
        assertEquals(2, judge.served()[0]);
        assertTrue(judge.served().length > mix.segments() * mix.usersPerSegment());
        judge.floorRaised(1, 0, 50);
        assertEquals(50, judge.highest(1, 0));
        assertEquals(0, judge.unjudged());
    }
}
