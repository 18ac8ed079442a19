package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Renew;
import org.junit.jupiter.api.Test;

/** Reading a user's last sequence: it takes nothing, shows nothing that may still vanish, and says what it knows. */
class AllocatorCurrentTest {
    private final Bench bench = Bench.serving(0, 0);

    private void failOver() {
        bench.store.expire(bench.allocator.session());
        bench.passMillis(1_000);
        bench.assign(0, 0);
    }

    @Test
    void aUserWhoNeverHadASequenceStandsExactlyAtZero() {
        assertEquals(new Answer.Reading(3, 0, true, 1), bench.current(3));
    }

    @Test
    void theLastSequenceIsExactAndReadingItTakesNothing() {
        bench.request(3, 7);
        assertEquals(new Answer.Reading(3, 7, true, 1), bench.current(3));
        assertEquals(new Answer.Reading(3, 7, true, 1), bench.current(3));
        assertEquals(8, bench.next(3));
    }

    @Test
    void afterAFailoverOnlyABoundIsKnownUntilTheNextSequence() {
        bench.request(3, 7);
        failOver();
        assertEquals(new Answer.Reading(3, 100, false, 2), bench.current(3));
        assertEquals(new Answer.Reading(4, 100, false, 2), bench.current(4));
        assertEquals(101, bench.next(3));
        assertEquals(new Answer.Reading(3, 101, true, 2), bench.current(3));
        assertEquals(new Answer.Reading(4, 100, false, 2), bench.current(4));
    }

    @Test
    void aNumberAboveMaxSeqIsShownOnlyAfterTheRaise() {
        bench.holdCommands();
        bench.waitFor(3, 150);
        var waits = assertInstanceOf(Step.Waiting.class, bench.currentStep(3));
        bench.assertStillWaits(waits.ticket());
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Reading(3, 150, true, 1), bench.outcome(waits.ticket()));
    }

    @Test
    void whatWasReadIsNeverHandedOutAgain() {
        bench.holdCommands();
        bench.waitFor(3, 150);
        var waits = assertInstanceOf(Step.Waiting.class, bench.currentStep(3));
        bench.store.expire(bench.allocator.session());
        bench.passMillis(750);
        bench.answerCommands();
        bench.execute(bench.takeHeld(Renew.class));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.outcome(waits.ticket()));
        bench.passMillis(1_000);
        bench.assign(0, 0);
        assertEquals(101, bench.next(3));
    }

    @Test
    void aPauseBetweenReadingAndReleasingIsCaught() {
        var taken = assertInstanceOf(Step.Taken.class, bench.currentStep(3));
        bench.clock.passMillis(3_000);
        Bench.assertRefused(Refusal.LEASE_EXPIRED, bench.allocator.release(taken, bench.clock.now()));
        var refused = assertInstanceOf(Step.Refused.class, bench.currentStep(3));
        Bench.assertRefused(Refusal.LEASE_EXPIRED, refused.answer());
    }

    @Test
    void refusalsAreThoseOfTaking() {
        assertRefusedReading(Refusal.NOT_OWNER, 10);
        assertRefusedReading(Refusal.UID_OUT_OF_RANGE, 100);
        assertRefusedReading(Refusal.UID_OUT_OF_RANGE, -1);
        var step = bench.allocator.current("nobody", 3, 0, bench.clock.now());
        Bench.assertRefused(
                Refusal.NAMESPACE_UNKNOWN,
                assertInstanceOf(Step.Refused.class, step).answer());
    }

    private void assertRefusedReading(Refusal refusal, long uid) {
        Bench.assertRefused(
                refusal,
                assertInstanceOf(Step.Refused.class, bench.currentStep(uid)).answer());
    }
}
