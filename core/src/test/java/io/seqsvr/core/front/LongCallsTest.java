package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Calls that last for long, and are tried a thousand times: nothing is kept of tries that nobody answers any more. */
class LongCallsTest {
    private static final int ROUNDS = 1_000;
    private static final long HOUR = 3_600_000_000_000L;
    private static final long TWO_TRIES = 600_000_000L;
    private static final Answer.Refused NO_LEASE = new Answer.Refused(Refusal.LEASE_EXPIRED, "the lease is over");

    private final CallsBench bench = new CallsBench(new CallLimits(1, 3, 6, CallsBench.PATIENCE));
    private final long call = bench.next(1, HOUR);

    /** Tries once; what comes of it is for the caller to say. */
    private WeakReference<Frame.Place> tryOnce(Consumer<Frame> outcome) {
        var frame = bench.onlyFrame();
        outcome.accept(frame);
        bench.rest();
        return new WeakReference<>(frame.places().get(0));
    }

    private static void assertForgotten(WeakReference<?> kept) {
        for (int tries = 1; kept.get() != null; tries++) {
            assertTrue(tries < 50, "something still holds it");
            System.gc();
        }
    }

    @Test
    void ofATryThatWasRefusedNothingIsKept() {
        var first = tryOnce(frame -> bench.answer(frame, NO_LEASE));
        assertForgotten(first);
        for (int round = 1; round < ROUNDS; round++) {
            tryOnce(frame -> bench.answer(frame, NO_LEASE));
        }
        assertFalse(bench.hasEnded(call));
        bench.answer(bench.onlyFrame(), new Answer.Range(1, 5, 5, 1));
        assertTrue(bench.answerOf(call).isPresent());
    }

    /** In an outage of its owner there would be thousands, of each of many calls. */
    @Test
    void ofTriesThatWereGivenUpTheLatestAreKeptAndMayStillAnswer() {
        var first = tryOnce(this::giveUp);
        for (int round = 1; round < ROUNDS; round++) {
            tryOnce(this::giveUp);
        }
        assertForgotten(first);
        var late = bench.onlyFrame();
        giveUp(late);
        bench.answer(late, new Answer.Range(1, 5, 5, 1));
        assertEquals(Optional.of(new Answer.Range(1, 5, 5, 1)), bench.answerOf(call));
        assertEquals(1, bench.calls.lateReplies());
    }

    /** Else they would hold those before them, and so on, back to the first of an outage. */
    @Test
    void whoHasEndedKeepsNothingOfTheTriesThatItShared() {
        var shared = new CallsBench(new CallLimits(1, 3, 6, CallsBench.PATIENCE));
        WeakReference<Frame.Place> first = null;
        shared.next(1, TWO_TRIES);
        for (int round = 0; round < 40; round++) {
            var frame = shared.onlyFrame();
            assertTrue(round == 0 || frame.places().size() > 1, "it was tried alone");
            first = first == null ? new WeakReference<>(frame.places().get(0)) : first;
            shared.calls.unanswered(frame.correlation(), shared.now());
            // The next one leaves with those that have rested.
            shared.next(1, TWO_TRIES);
            shared.rest();
        }
        assertForgotten(Objects.requireNonNull(first));
        assertTrue(shared.calls.open() > 0, "nothing is left that could hold it");
    }

    private void giveUp(Frame frame) {
        bench.calls.unanswered(frame.correlation(), bench.now());
        bench.carryOut();
    }

    @Test
    void itsDeadlineStillTellsTheLastRefusalOrTheOwnerThatSaidNothing() {
        tryOnce(frame -> bench.answer(frame, NO_LEASE));
        giveUp(bench.onlyFrame());
        bench.pass(HOUR);
        assertTrue(bench.hasEnded(call));
        assertEquals(Optional.empty(), bench.answerOf(call), "it may have happened");
        assertEquals("alloc-1:7401", bench.ownerOf(call));
    }
}
