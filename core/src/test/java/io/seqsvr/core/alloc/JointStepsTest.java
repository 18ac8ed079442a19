package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.store.StoreCommand.Raise;
import org.junit.jupiter.api.Test;

/**
 * Calls of one request that are taken one by one: their answers leave together, by one look after the last number was
 * taken.
 */
class JointStepsTest {
    private final Bench bench = Bench.serving(0, 1);

    private JointSteps joint(int calls) {
        return new JointSteps(calls, bench.clock.now());
    }

    @Test
    void answersLeaveTogetherInTheOrderOfTheCalls() {
        var joint = joint(3);
        assertFalse(joint.put(0, bench.step(3, 1)));
        assertFalse(joint.put(1, bench.step(99, 1)));
        assertTrue(joint.put(2, bench.step(3, 2)));
        var answers = joint.release(bench.allocator, bench.clock.now());
        assertEquals(new Answer.Range(3, 1, 1, 1), answers.get(0));
        Bench.assertRefused(Refusal.NOT_OWNER, answers.get(1));
        assertEquals(new Answer.Range(3, 2, 3, 1), answers.get(2));
    }

    @Test
    void aPauseBetweenTwoCallsIsCaught() {
        var joint = joint(2);
        joint.put(0, bench.allocator.next("messages", 3, 1, 0, 0, joint.begun()));
        bench.clock.passMillis(3_000);
        var second = bench.allocator.next("messages", 4, 1, 0, 0, joint.begun());
        assertInstanceOf(Step.Taken.class, second, "taking goes by the look from before the pause");
        joint.put(1, second);
        var answers = joint.release(bench.allocator, bench.clock.now());
        Bench.assertRefused(Refusal.LEASE_EXPIRED, answers.get(0));
        Bench.assertRefused(Refusal.LEASE_EXPIRED, answers.get(1));
    }

    @Test
    void allWaitForTheSlowestCall() {
        bench.holdCommands();
        var joint = joint(2);
        var wait = assertInstanceOf(Step.Waiting.class, bench.step(3, 150));
        assertFalse(joint.put(0, wait));
        assertFalse(joint.put(1, bench.step(4, 1)));
        assertThrows(IllegalStateException.class, () -> joint.release(bench.allocator, bench.clock.now()));
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Range(3, 1, 150, 1), bench.outcome(wait.ticket()));
        assertTrue(joint.put(0, new Step.Confirmed(new Answer.Range(3, 1, 150, 1))));
        var answers = joint.release(bench.allocator, bench.clock.now());
        assertEquals(new Answer.Range(3, 1, 150, 1), answers.get(0));
        assertEquals(new Answer.Range(4, 1, 1, 1), answers.get(1));
    }

    @Test
    void aCallEndsOnceAndThereIsOneAtLeast() {
        var joint = joint(1);
        joint.put(0, bench.step(3, 1));
        assertThrows(IllegalStateException.class, () -> joint.put(0, bench.step(3, 1)));
        assertThrows(IllegalArgumentException.class, () -> joint(0));
    }
}
