package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.store.StoreCommand.Raise;
import org.junit.jupiter.api.Test;

/** The calls of a frame at its owner: their answers leave together, by one look after the last number was taken. */
class FrameStepsTest {
    private final Bench bench = Bench.serving(0, 1);

    private FrameSteps frame(int calls) {
        return new FrameSteps(calls, bench.clock.now());
    }

    @Test
    void answersLeaveTogetherInTheOrderOfTheCalls() {
        var frame = frame(3);
        assertFalse(frame.put(0, bench.step(3, 1)));
        assertFalse(frame.put(1, bench.step(99, 1)));
        assertTrue(frame.put(2, bench.step(3, 2)));
        var answers = frame.release(bench.allocator, bench.clock.now());
        assertEquals(new Answer.Range(3, 1, 1, 1), answers.get(0));
        Bench.assertRefused(Refusal.NOT_OWNER, answers.get(1));
        assertEquals(new Answer.Range(3, 2, 3, 1), answers.get(2));
    }

    @Test
    void aPauseBetweenTwoCallsOfAFrameIsCaught() {
        var frame = frame(2);
        frame.put(0, bench.allocator.next("messages", 3, 1, 0, 0, frame.begun()));
        bench.clock.passMillis(3_000);
        var second = bench.allocator.next("messages", 4, 1, 0, 0, frame.begun());
        assertInstanceOf(Step.Taken.class, second, "taking goes by the look from before the pause");
        frame.put(1, second);
        var answers = frame.release(bench.allocator, bench.clock.now());
        Bench.assertRefused(Refusal.LEASE_EXPIRED, answers.get(0));
        Bench.assertRefused(Refusal.LEASE_EXPIRED, answers.get(1));
    }

    @Test
    void aFrameWaitsForItsSlowestCall() {
        bench.holdCommands();
        var frame = frame(2);
        var wait = assertInstanceOf(Step.Waiting.class, bench.step(3, 150));
        assertFalse(frame.put(0, wait));
        assertFalse(frame.put(1, bench.step(4, 1)));
        assertThrows(IllegalStateException.class, () -> frame.release(bench.allocator, bench.clock.now()));
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Range(3, 1, 150, 1), bench.outcome(wait.ticket()));
        assertTrue(frame.put(0, new Step.Confirmed(new Answer.Range(3, 1, 150, 1))));
        var answers = frame.release(bench.allocator, bench.clock.now());
        assertEquals(new Answer.Range(3, 1, 150, 1), answers.get(0));
        assertEquals(new Answer.Range(4, 1, 1, 1), answers.get(1));
    }

    @Test
    void aCallEndsOnceAndAFrameHasCalls() {
        var frame = frame(1);
        frame.put(0, bench.step(3, 1));
        assertThrows(IllegalStateException.class, () -> frame.put(0, bench.step(3, 1)));
        assertThrows(IllegalArgumentException.class, () -> frame(0));
    }
}
