package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.core.store.StoreCommand.Raise;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bounded queue of requests that wait for a raise: no place, no number. */
class AllocatorWaitingTest {
    private final Bench bench = Bench.serving(0, 1);

    @BeforeEach
    void fillTheQueue() {
        bench.holdCommands();
        for (int i = 0; i < Bench.MAX_WAITING; i++) {
            bench.waitFor(3, i == 0 ? 101 : 1);
        }
        assertEquals(Bench.MAX_WAITING, bench.allocator.waiting());
    }

    @Test
    void withoutAPlaceNoNumberIsTaken() {
        for (int i = 0; i < 20; i++) {
            bench.assertRefused(Refusal.TOO_MANY_WAITING, 3);
        }
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(100 + Bench.MAX_WAITING + 1, bench.next(3));
    }

    @Test
    void theQueueIsOneForAllSegments() {
        Bench.assertRefused(Refusal.TOO_MANY_WAITING, bench.request(13, 101));
        assertEquals(1, bench.next(13), "what need not wait is served");
        assertEquals(1, bench.next(4));
    }

    @Test
    void aReadingThatMustWaitNeedsAPlaceToo() {
        var step = assertInstanceOf(Step.Refused.class, bench.currentStep(3));
        Bench.assertRefused(Refusal.TOO_MANY_WAITING, step.answer());
    }

    @Test
    void placesAreFreeAgainAfterTheRaise() {
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(0, bench.allocator.waiting());
        for (int i = 0; i < Bench.MAX_WAITING; i++) {
            bench.waitFor(4, i == 0 ? 900 : 1);
        }
        bench.assertRefused(Refusal.TOO_MANY_WAITING, 4);
    }

    @Test
    void placesAreFreeAgainAfterTheLeaseEnded() {
        bench.passMillis(3_000);
        assertEquals(0, bench.allocator.waiting());
    }
}
