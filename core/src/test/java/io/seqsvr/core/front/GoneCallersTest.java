package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A caller that hangs up: its calls take no numbers that they have not taken yet, and no room of others. */
class GoneCallersTest {
    private static final Answer.Refused NO_LEASE = new Answer.Refused(Refusal.LEASE_EXPIRED, "the lease is over");

    private final CallsBench bench = new CallsBench(new CallLimits(1, 3, 6, CallsBench.PATIENCE));
    private final FakeCaller caller = new FakeCaller();

    private static Answer seq(long uid, long seq) {
        return new Answer.Range(uid, seq, seq, 1);
    }

    private void assertEndedUnanswered(long ticket) {
        assertTrue(bench.hasEnded(ticket));
        assertEquals(Optional.empty(), bench.answerOf(ticket));
    }

    @Test
    void whatHasNotBeenSentIsNeverSent() {
        bench.next(1);
        var frame = bench.onlyFrame();
        long waiting = bench.next(2, caller);
        long ofWhoStays = bench.next(3, caller.beside());
        assertEquals(List.of(), bench.frames(), "both wait for the reply to the first");
        caller.go();
        bench.answer(frame, seq(1, 1));
        assertEquals(List.of(3L), CallsBench.uids(bench.onlyFrame()));
        assertEndedUnanswered(waiting);
        assertFalse(bench.hasEnded(ofWhoStays));
    }

    @Test
    void whatWasSentIsNotSentAgain() {
        long refused = bench.next(1, caller);
        bench.answer(bench.onlyFrame(), NO_LEASE);
        caller.go();
        bench.rest();
        assertEquals(List.of(), bench.frames());
        assertEndedUnanswered(refused);
        assertEquals(0, bench.calls.open());
    }

    @Test
    void whoIsGoneWhenItsCallIsPutDownIsNotServed() {
        caller.go();
        long late = bench.next(1, caller);
        assertEquals(List.of(), bench.frames());
        assertEndedUnanswered(late);
        assertEquals(0, bench.calls.open());
    }

    /** In whichever place they are: in flight, waiting for a frame, at rest. */
    @Test
    void theRoomOfAllItsCallsIsFreeAtOnce() {
        long resting = bench.next(11, caller);
        bench.answer(bench.onlyFrame(), NO_LEASE);
        long inFlight = bench.next(1, caller);
        var frame = bench.onlyFrame();
        long waiting = bench.next(2, caller);
        long ofWhoStays = bench.next(3);
        bench.carryOut();
        assertEquals(4, bench.calls.open());
        caller.go();
        bench.calls.callersLeft(bench.now());
        bench.pass(1);
        assertEquals(1, bench.calls.open());
        List.of(resting, inFlight, waiting).forEach(this::assertEndedUnanswered);
        bench.answer(frame, seq(1, 1));
        assertEquals(List.of(3L), CallsBench.uids(bench.onlyFrame()), "a reply that nobody waits for makes room");
        assertFalse(bench.hasEnded(ofWhoStays));
        assertEndedUnanswered(inFlight);
    }

    @Test
    void theRoomOfItsCallsIsFreeBeforeTheFirstPictureToo() {
        var blind = CallsBench.blind(new CallLimits(1, 3, 6, CallsBench.PATIENCE));
        long ofWhoGoes = blind.next(1, caller);
        long ofWhoStays = blind.next(2);
        blind.carryOut();
        caller.go();
        blind.calls.callersLeft(blind.now());
        blind.pass(1);
        assertEquals(1, blind.calls.open());
        assertTrue(blind.hasEnded(ofWhoGoes));
        assertFalse(blind.hasEnded(ofWhoStays));
        blind.assign(0, "alloc-1");
        assertEquals(List.of(2L), CallsBench.uids(blind.onlyFrame()));
    }

    /** Callers leave at every moment: others must get on meanwhile. */
    @Test
    void afterALookAtAllCallsTheNextOneWaitsForAMoment() {
        bench.next(1);
        bench.carryOut();
        var second = caller.beside();
        bench.next(11, caller);
        bench.next(12, second);
        bench.carryOut();
        caller.go();
        bench.calls.callersLeft(bench.now());
        bench.pass(1);
        assertEquals(2, bench.calls.open());
        second.go();
        bench.calls.callersLeft(bench.now());
        bench.pass(1);
        assertEquals(2, bench.calls.open(), "two were left to look at, half a microsecond each");
        bench.pass(1_000);
        assertEquals(1, bench.calls.open());
    }

    @Test
    void whoSharedItsReadingIsAnswered() {
        var current = new Call.Current("messages", 1);
        long ofWhoGoes = bench.put(current, caller);
        long ofWhoStays = bench.put(current);
        var frame = bench.onlyFrame();
        assertEquals(1, frame.places().size());
        caller.go();
        bench.calls.callersLeft(bench.now());
        bench.pass(1);
        var reading = new Answer.Reading(1, 7, true, 1);
        bench.answer(frame, reading);
        assertEquals(Optional.of(reading), bench.answerOf(ofWhoStays));
        assertEndedUnanswered(ofWhoGoes);
    }
}
