package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Renew;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When an allocator may answer: the lease, its renewals, and clocks that fail. */
class AllocatorLeaseTest {
    private final Bench bench = Bench.serving(0, 1);

    private long leaseMillis() {
        return bench.allocator.leaseRemainingNanos(bench.clock.now()) / 1_000_000;
    }

    @Test
    void openingASessionGivesNoLease() {
        var other = new Bench(new FakeStore(Bench.LEASE, Bench.MESSAGES), new TestClock(), "alloc-1");
        other.holdCommands();
        other.tick();
        other.execute(other.takeHeld(OpenSession.class));
        other.assign(0, 0);
        var renewal = other.takeHeld(Renew.class);
        other.execute(other.takeHeld(Claim.class));
        other.assertRefused(Refusal.LEASE_EXPIRED, 3);
        other.execute(renewal);
        assertEquals(1, other.next(3));
    }

    @Test
    void aPauseBetweenTakingAndReleasingIsCaught() {
        var taken = bench.take(3);
        bench.clock.passMillis(3_000);
        Bench.assertRefused(Refusal.LEASE_EXPIRED, bench.allocator.release(taken, bench.clock.now()));
        bench.assertRefused(Refusal.LEASE_EXPIRED, 3);
        bench.tick();
        assertEquals(2, bench.next(3), "the number that was refused is used up, not repeated");
    }

    @Test
    void aSuspendBetweenTakingAndReleasingIsCaughtThoughTheMonotonicClockSawNothing() {
        var taken = bench.take(3);
        bench.clock.suspendMillis(3_000);
        Bench.assertRefused(Refusal.LEASE_EXPIRED, bench.allocator.release(taken, bench.clock.now()));
    }

    @Test
    void losingStoreSvrForLessThanATtlCostsNoRequest() {
        bench.holdCommands();
        long expected = 0;
        for (int i = 0; i < 2_900 / Bench.TICK_MILLIS; i++) {
            bench.passMillis(Bench.TICK_MILLIS);
            if (i % 8 == 0) {
                assertEquals(++expected, bench.next(3));
            }
        }
        bench.answerCommands();
        bench.passMillis(400);
        assertEquals(++expected, bench.next(3));
    }

    @Test
    void whoWaitsWhileStoreSvrIsGoneIsRefusedWhenTheLeaseEndsAndAllIsWellAfterwards() {
        bench.holdCommands();
        long last = 0;
        for (int i = 0; i < 100; i++) {
            last = bench.next(3);
        }
        long ticket = bench.waitFor(3, 5);
        bench.passMillis(2_995);
        bench.assertStillWaits(ticket);
        bench.passMillis(Bench.TICK_MILLIS);
        Bench.assertRefused(Refusal.LEASE_EXPIRED, bench.outcome(ticket));
        assertEquals(0, bench.allocator.waiting());
        bench.passMillis(60_000);
        bench.assertRefused(Refusal.LEASE_EXPIRED, 3);

        bench.answerCommands();
        bench.lose(bench.takeHeld(Raise.class));
        bench.passMillis(1_000);
        long next = bench.next(3);
        assertTrue(next > last + 5, "the refused numbers are used up: " + next);
        assertEquals(next + 1, bench.next(3));
    }

    @Test
    void aRaiseAcceptedAfterTheLeaseEndedDeliversNothing() {
        bench.holdCommands();
        long ticket = bench.waitFor(3, 150);
        var raise = bench.takeHeld(Raise.class);
        bench.clock.passMillis(3_000);
        bench.execute(raise);
        Bench.assertRefused(Refusal.LEASE_EXPIRED, bench.outcome(ticket));
    }

    @Test
    void theLeaseIsRenewedEveryQuarterOfATtl() {
        bench.holdCommands();
        bench.passMillis(745);
        assertEquals(0, bench.countHeld(Renew.class));
        bench.passMillis(5);
        var renewal = bench.takeHeld(Renew.class);
        assertEquals(2_250, leaseMillis());
        bench.execute(renewal);
        assertEquals(3_000, leaseMillis());
        bench.passMillis(745);
        assertEquals(0, bench.countHeld(Renew.class));
        bench.passMillis(5);
        assertEquals(1, bench.countHeld(Renew.class));
    }

    @Test
    void anUnansweredRenewalIsFollowedByOthersEachACommandOfItsOwn() {
        bench.holdCommands();
        bench.passMillis(750 + 3 * 375);
        assertEquals(4, bench.countHeld(Renew.class));
        var calls =
                bench.held.stream().map(AllocatorEffect.Send::call).distinct().count();
        assertEquals(4, calls);
    }

    @Test
    void eachAnswerCountsFromItsOwnSendingHoweverLateAndInWhateverOrder() {
        bench.holdCommands();
        bench.passMillis(750 + 375);
        var first = bench.takeHeld(Renew.class);
        var second = bench.takeHeld(Renew.class);
        bench.passMillis(300);
        bench.execute(first);
        assertEquals(3_000 - 675, leaseMillis());
        bench.execute(second);
        assertEquals(3_000 - 300, leaseMillis());
        bench.execute(first);
        assertEquals(3_000 - 300, leaseMillis());
    }

    @Test
    void aRenewalAnsweredAfterItsTtlGivesNoLease() {
        bench.holdCommands();
        bench.passMillis(750);
        var renewal = bench.takeHeld(Renew.class);
        bench.passMillis(3_000);
        bench.execute(renewal);
        bench.assertRefused(Refusal.LEASE_EXPIRED, 3);
    }

    @Test
    void twoLostRenewalsInARowCostNothing() {
        bench.holdCommands();
        bench.passMillis(750 + 375);
        bench.lose(bench.takeHeld(Renew.class));
        bench.lose(bench.takeHeld(Renew.class));
        bench.passMillis(375);
        assertEquals(1, bench.next(3));
        bench.execute(bench.takeHeld(Renew.class));
        assertEquals(3_000, leaseMillis());
    }

    @Test
    void clocksThatDisagreeStopTheServiceUntilARenewalSentLater() {
        for (long step : List.of(-3_600_000L, 500L, 3_600_000L)) {
            long before = bench.next(3);
            bench.clock.stepWallMillis(step);
            bench.assertRefused(Refusal.LEASE_EXPIRED, 3);
            bench.passMillis(2_000);
            assertEquals(before + 1, bench.next(3), "nothing was taken while the lease was dropped");
        }
        assertEquals(3, bench.events(SessionEvent.LeaseDropped.class).size());
        assertEquals(1, bench.events(SessionEvent.SessionOpened.class).size(), "the session went on");
    }

    @Test
    void aDropIsFollowedByARenewalAtOnce() {
        bench.clock.stepWallMillis(500);
        bench.assertRefused(Refusal.LEASE_EXPIRED, 3);
        bench.passMillis(2 * Bench.TICK_MILLIS);
        assertEquals(1, bench.next(3));
        bench.clock.suspendMillis(1_000);
        bench.passMillis(2 * Bench.TICK_MILLIS);
        assertEquals(2, bench.next(3));
    }

    @Test
    void aRenewalUnderWayWhenTheClocksFailedDoesNotReviveTheLease() {
        bench.holdCommands();
        bench.passMillis(750);
        var inFlight = bench.takeHeld(Renew.class);
        bench.clock.passMillis(10);
        bench.clock.stepWallMillis(-400);
        bench.assertRefused(Refusal.LEASE_EXPIRED, 3);
        bench.execute(inFlight);
        bench.assertRefused(Refusal.LEASE_EXPIRED, 3);
        bench.answerCommands();
        bench.passMillis(1_000);
        assertEquals(1, bench.next(3));
    }

    @Test
    void aSuspendThatOnlyTheBootTimeClockSawDropsTheLeaseOnTheNextTick() {
        bench.passMillis(755);
        bench.holdCommands();
        bench.clock.sleepUnseenMillis(10_000);
        bench.tick();
        bench.assertRefused(Refusal.LEASE_EXPIRED, 3);
        assertEquals(1, bench.events(SessionEvent.LeaseDropped.class).size());
        bench.execute(bench.takeHeld(Renew.class));
        assertEquals(1, bench.next(3));
    }

    @Test
    void theFirstLeaseOfASessionSeesSuchASuspendToo() {
        bench.holdCommands();
        bench.clock.sleepUnseenMillis(10_000);
        bench.tick();
        bench.assertRefused(Refusal.LEASE_EXPIRED, 3);
    }

    @Test
    void aRenewalSentBetweenTwoTicksSeesSuchASuspendToo() {
        var quorum = new Namespace(2, "moments", 10, 10, 100, 10, Long.MAX_VALUE).withOrder(Order.QUORUM);
        var mixed = new Bench(new FakeStore(Bench.LEASE, Bench.MESSAGES, quorum), new TestClock(), "alloc-1");
        mixed.tick();
        mixed.store.publish(new Move(2, 0, 0, mixed.allocator.session()));
        mixed.assign(0, 0);
        mixed.passMillis(100);
        mixed.clock.passMillis(1);
        mixed.allocator.next("moments", 3, 1, 0, 0, mixed.clock.now());
        mixed.wake();
        assertEquals(3_000, mixed.allocator.leaseRemainingNanos(mixed.clock.now()) / 1_000_000);
        mixed.holdCommands();
        mixed.clock.sleepUnseenMillis(10_000);
        mixed.tick();
        mixed.assertRefused(Refusal.LEASE_EXPIRED, 3);
    }

    @Test
    void withoutABootTimeClockTheOtherTwoDecide() {
        bench.allocator.tick(bench.clock.now());
        bench.clock.sleepUnseenMillis(10_000);
        bench.allocator.tick(bench.clock.now());
        assertEquals(1, bench.next(3));
    }

    @Test
    void readinessFollowsTheLease() {
        assertTrue(bench.allocator.ready(bench.clock.now()));
        bench.clock.passMillis(3_000);
        assertFalse(bench.allocator.ready(bench.clock.now()));
        bench.tick();
        assertTrue(bench.allocator.ready(bench.clock.now()));
    }

    @Test
    void serviceWithoutAnInterruptionThroughAMinuteOfRenewals() {
        var drops = new ArrayList<Answer>();
        for (int i = 0; i < 60_000 / Bench.TICK_MILLIS; i++) {
            bench.passMillis(Bench.TICK_MILLIS);
            if (bench.request(3, 1) instanceof Answer.Refused refused) {
                drops.add(refused);
            }
        }
        assertEquals(List.of(), drops);
    }
}
