package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A namespace whose owners say nothing takes its own room, and not that of the others. */
class OpenRoomTest {
    private static final CallLimits LIMITS = new CallLimits(1, 3, 6, 4, CallsBench.PATIENCE);

    private static Answer seq(long uid, long seq) {
        return new Answer.Range(uid, seq, seq, 1);
    }

    @Test
    void noMoreCallsAreTakenThanTheBound() {
        var bench = new CallsBench(new CallLimits(1, 3, 6, CallsBench.PATIENCE));
        for (long uid = 1; uid <= 6; uid++) {
            bench.next(uid);
        }
        long tooMany = bench.next(7);
        bench.carryOut();
        var answer = (Answer.Refused) bench.answerOf(tooMany).orElseThrow();
        assertEquals(Refusal.TOO_MANY_WAITING, answer.refusal());
        assertEquals(6, bench.calls.open());
    }

    @Test
    void callsOfOneNamespaceLeaveRoomForThoseOfOthers() {
        var shared = new CallsBench(LIMITS);
        for (long uid = 1; uid <= 4; uid++) {
            shared.next(uid);
        }
        assertEquals(List.of(1L, 2L, 3L), CallsBench.uids(shared.onlyFrame()));
        shared.losePatience();
        long fifth = shared.next(5);
        long ofAnother = shared.put(new Call.Next("moments", 1, 1, 0));
        var frame = shared.onlyFrame();
        var refused = (Answer.Refused) shared.answerOf(fifth).orElseThrow();
        assertEquals(Refusal.TOO_MANY_WAITING, refused.refusal());
        assertTrue(refused.message().startsWith("4 calls of this caller to namespace messages"), refused::message);
        assertEquals(
                Refusal.NAMESPACE_UNKNOWN,
                ((Answer.Refused) shared.answerOf(ofAnother).orElseThrow()).refusal(),
                "it was taken, and looked for");
        shared.answer(frame, seq(4, 1));
        long sixth = shared.next(6);
        shared.carryOut();
        assertFalse(shared.hasEnded(sixth), "there is room again for this one too");
    }

    /** Where an owner dies the calls to its users pile up; those to the users of others end as ever. */
    @Test
    void callsToWhoeverAnswersFindRoomBesideThoseToWhoDoesNot() {
        var bench = new CallsBench(LIMITS);
        for (long uid = 1; uid <= 4; uid++) {
            bench.next(uid);
        }
        assertEquals(List.of(1L, 2L, 3L), CallsBench.uids(bench.onlyFrame()));
        bench.losePatience();
        assertEquals(List.of(4L), CallsBench.uids(bench.onlyFrame()), "three rest, and all take room");
        long ofADeadOwner = bench.next(5);
        long ofALivingOne = bench.next(11);
        var frame = bench.onlyFrame();
        assertEquals(
                Refusal.TOO_MANY_WAITING,
                ((Answer.Refused) bench.answerOf(ofADeadOwner).orElseThrow()).refusal());
        bench.answer(frame, seq(11, 1));
        assertEquals(Optional.of(seq(11, 1)), bench.answerOf(ofALivingOne));
        bench.next(12);
        bench.next(13);
        long oneTooMany = bench.next(14);
        bench.carryOut();
        assertTrue(bench.hasEnded(oneTooMany), "half as many again, and no more");
    }

    /** Opens as many calls as it may for a user without an owner: each takes room until its deadline. */
    private static int openAtOnce(CallsBench bench, Caller... connections) {
        int refusedInARow = 0;
        for (int i = 0; refusedInARow < connections.length; i++) {
            int before = bench.calls.open();
            bench.next(21, connections[i % connections.length]);
            refusedInARow = bench.calls.open() > before ? 0 : refusedInARow + 1;
        }
        return bench.calls.open();
    }

    @Test
    void aConnectionHasNoMoreCallsOpenThanItLeavesToOthers() {
        var bench = new CallsBench(new CallLimits(1, 3, 24, 12, CallsBench.PATIENCE));
        assertEquals(6, openAtOnce(bench, new FakeCaller()), "half of what one namespace may have");
        assertEquals(6 + 3, openAtOnce(bench, new FakeCaller()), "and half of the rest");
        long first = bench.next(21, new FakeCaller());
        bench.carryOut();
        assertFalse(bench.hasEnded(first), "whoever comes with its first call finds room");
        assertEquals(12, openAtOnce(bench, Caller.ALONE), "who shares with nobody has all of it");
        long late = bench.next(21, new FakeCaller());
        bench.carryOut();
        var full = (Answer.Refused) bench.answerOf(late).orElseThrow();
        assertTrue(full.message().startsWith("12 calls of this caller to namespace messages"), full::message);
    }

    @Test
    void connectionsThatTakeWhatTheyGetShareEqually() {
        var bench = new CallsBench(new CallLimits(1, 3, 24, 12, CallsBench.PATIENCE));
        var one = new FakeCaller();
        var other = new FakeCaller();
        assertEquals(8, openAtOnce(bench, one, other), "a third each, and a third for others");
        assertEquals(4, one.share().open);
        long tooMany = bench.next(21, one.beside());
        bench.carryOut();
        var refused = (Answer.Refused) bench.answerOf(tooMany).orElseThrow();
        assertEquals(Refusal.TOO_MANY_WAITING, refused.refusal());
        assertTrue(
                refused.message().startsWith("4 calls of this connection are open, and there is room for 4 more"),
                refused::message);
    }

    @Test
    void whatAConnectionHadIsFreeWhenItsCallsHaveEnded() {
        var bench = new CallsBench(new CallLimits(1, 3, 24, 12, CallsBench.PATIENCE));
        var one = new FakeCaller();
        openAtOnce(bench, one);
        bench.pass(CallsBench.TIMEOUT);
        assertEquals(0, one.share().open);
        assertEquals(6, openAtOnce(bench, one));
        one.go();
        bench.calls.callersLeft(bench.now());
        bench.pass(1);
        assertEquals(0, one.share().open);
    }

    /** What a connection piles up where nobody answers does not refuse its calls to a living one. */
    @Test
    void aConnectionFindsRoomForCallsToWhoeverAnswers() {
        var bench = new CallsBench(new CallLimits(1, 3, 24, 12, CallsBench.PATIENCE));
        var one = new FakeCaller();
        openAtOnce(bench, one);
        long whereNobodyIs = bench.next(21, one);
        long ofALivingOne = bench.next(11, one);
        bench.carryOut();
        assertTrue(bench.hasEnded(whereNobodyIs));
        assertFalse(bench.hasEnded(ofALivingOne));
    }

    /** In an outage one call is overdue at every moment. */
    @Test
    void aLookAtAllOpenCallsIsFollowedByAPause() {
        var room = new OpenRoom(new CallLimits(1, 1, 10, CallsBench.PATIENCE));
        var share = room.of("messages");
        var first = openUntil(share, 1_000);
        var second = openUntil(share, 1_100);
        room.admit(first);
        room.admit(second);
        assertTrue(room.isOverdue(1_000));
        room.release(first);
        room.sweptDownTo(List.of(second), 1_000);
        assertFalse(room.isOverdue(1_200));
        assertTrue(room.isOverdue(1_500));
        room.release(second);
        room.admit(openUntil(share, 1_200));
        assertTrue(room.isOverdue(1_200), "nothing was left to look at");
    }

    private static OpenCall<Long> openUntil(OpenShare share, long deadlineNanos) {
        return new OpenCall<>(1L, new Call.Current("messages", 1), Caller.ALONE, share, 0, deadlineNanos);
    }

    @Test
    void namesOfNamespacesThatDoNotExistAreNotKept() {
        var room = new OpenRoom(LIMITS);
        var kept = room.of("messages");
        room.admit(openUntil(kept, 1));
        for (int i = 0; i < 3 * OpenRoom.NAMES_KEPT; i++) {
            room.of("nothing-" + i);
        }
        assertTrue(room.names() <= OpenRoom.NAMES_KEPT, () -> room.names() + " names");
        assertSame(kept, room.of("messages"));
    }

    /** A caller may send megabytes as a name, packed into some kilobytes. */
    @Test
    void namesThatAreTooLongForAnyAreNotKeptAtAll() {
        var room = new OpenRoom(LIMITS);
        var kept = room.of("messages");
        for (int i = 0; i < 300; i++) {
            assertSame(room.of("x".repeat(64)), room.of(i + "x".repeat(1 << 20)), "one share for all of them");
        }
        assertEquals(1, room.names());
        assertSame(kept, room.of("messages"));
        room.of("x".repeat(63));
        assertEquals(2, room.names(), "this one may be there");
    }
}
