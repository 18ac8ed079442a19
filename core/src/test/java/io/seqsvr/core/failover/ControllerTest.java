package io.seqsvr.core.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreReply.RoutesPublished;
import io.seqsvr.core.store.StoreReply.RoutesRefused;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the controller plans, and what it makes of the outcome. */
class ControllerTest {
    private final FakeStore store = new FakeStore(
            new LeaseTerms(3_000_000_000L, 100), new Namespace(1, "messages", 5_000, 1, 100, 10, Long.MAX_VALUE));
    private final TestClock clock = new TestClock();
    private final ControllerBench bench = new ControllerBench("router-1", store, clock);

    private Optional<PublishRoutes> plan() {
        bench.tick();
        return bench.takePlan();
    }

    private PublishRoutes planned() {
        return plan().orElseThrow();
    }

    private void see() {
        bench.see(store.view());
    }

    private void assertNoPlan() {
        assertEquals(Optional.empty(), plan());
    }

    @Test
    void withoutAViewThereIsNoPlan() {
        assertNoPlan();
    }

    @Test
    void aPlanExpectsTheTableThatItWasMadeFrom() {
        long a = store.open("a");
        see();
        assertEquals(new PublishRoutes(0, List.of(new Move(1, 0, 1_999, a))), planned());
    }

    @Test
    void onePlanAtATime() {
        store.open("a");
        see();
        planned();
        store.open("b");
        see();
        clock.passMillis(60_000);
        assertNoPlan();
    }

    @Test
    void planAfterPlanUntilEverySegmentHasAnOwner() {
        store.open("a");
        store.open("b");
        see();
        int plans = 0;
        for (var plan = plan(); plan.isPresent(); plan = plan()) {
            plans++;
            bench.told(store.execute(plan.get()));
            assertNoPlan();
            see();
        }
        assertEquals(3, plans);
        assertTrue(AssignmentPlan.complete(store.view()));
    }

    @Test
    void theEndOfASessionIsPlannedForAtOnce() {
        long a = store.open("a");
        store.publish(new Move(1, 0, 1_999, a));
        store.publish(new Move(1, 2_000, 3_999, a));
        store.publish(new Move(1, 4_000, 4_999, a));
        long b = store.open("b");
        see();
        assertNoPlan();
        store.expire(a);
        see();
        assertEquals(new PublishRoutes(store.tableVersion(), List.of(new Move(1, 0, 1_999, b))), planned());
    }

    @Test
    void afterARefusalItLooksAgainBeforeItPlansAgain() {
        store.open("a");
        see();
        var stale = planned();
        store.publish(new Move(1, 0, 9, store.view().sessions().get(0).id()));
        var refused = store.execute(stale);
        assertInstanceOf(RoutesRefused.class, refused);
        bench.told(refused);
        assertNoPlan();
        see();
        assertInstanceOf(RoutesPublished.class, store.execute(planned()));
    }

    @Test
    void afterAnUnknownOutcomeItLooksAgainBeforeItPlansAgain() {
        store.open("a");
        see();
        var plan = planned();
        store.execute(plan);
        bench.lost();
        assertNoPlan();
        see();
        assertEquals(store.tableVersion(), planned().expectedVersion());
    }

    /** Nothing happened, so nothing changes that a watch would show. */
    @Test
    void aPlanThatDidNotReachTheLogIsMadeAgainSoon() {
        store.open("a");
        see();
        var plan = planned();
        for (int election = 0; election < 3; election++) {
            bench.notSubmitted();
            assertNoPlan();
            clock.passMillis(100L << election);
            assertEquals(plan, planned());
        }
        bench.lost();
        clock.passMillis(2_999);
        assertNoPlan();
    }

    @Test
    void itPlansAnewEveryTtlWhateverItHasSeen() {
        store.open("a");
        see();
        planned();
        bench.lost();
        clock.passMillis(2_999);
        assertNoPlan();
        clock.passMillis(1);
        planned();
    }

    @Test
    void planningAnewCountsTheClockThatCountedMost() {
        store.open("a");
        see();
        planned();
        bench.lost();
        clock.suspendMillis(3_000);
        planned();
    }

    @Test
    void anOlderViewIsIgnored() {
        store.open("a");
        var old = store.view();
        long a = store.view().sessions().get(0).id();
        store.publish(new Move(1, 0, 1_999, a));
        see();
        bench.see(old);
        assertEquals(List.of(new Move(1, 2_000, 3_999, a)), planned().moves());
    }

    @Test
    void twoControllersDoNotMixTheirPlans() {
        store.open("a");
        store.open("b");
        var other = new ControllerBench("router-2", store, clock);
        see();
        other.see(store.view());
        var mine = planned();
        var theirs = other.takePlan().orElseThrow();
        assertInstanceOf(RoutesPublished.class, store.execute(mine));
        assertInstanceOf(RoutesRefused.class, store.execute(theirs));
    }

    @Test
    void aRefusalIsFollowedAtOnceByAPlanFromANewerViewThatIsAtHand() {
        long a = store.open("a");
        store.open("b");
        store.publish(new Move(1, 0, 1_999, a));
        store.publish(new Move(1, 2_000, 3_999, a));
        store.publish(new Move(1, 4_000, 4_999, a));
        store.expire(a);
        see();
        var plan = planned();
        // The receiver dies as well, and a third one comes, before the plan is applied; the watch is faster than the
        // reply.
        store.expire(plan.moves().get(0).session());
        long c = store.open("c");
        see();
        bench.told(store.execute(plan));
        assertEquals(c, planned().moves().get(0).session());
    }

    @Test
    void aViewThatCameMeanwhileButDoesNotShowThePlanIsNoReasonForAnother() {
        store.open("a");
        see();
        var plan = planned();
        store.execute(new OpenSession(SessionKind.ROUTER, 1, "router-2", "router-2:7700"));
        see();
        bench.told(store.execute(plan));
        clock.passMillis(200);
        assertNoPlan();
        see();
        clock.passMillis(200);
        assertEquals(store.publishVersion(), planned().expectedVersion());
    }
}
