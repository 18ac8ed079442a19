package io.seqsvr.core.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreReply;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several controllers: they act in the order of their sessions, so that mostly one of them does. */
class ControllerTurnTest {
    private static final long PLACE_MILLIS = Controller.PLACE_NANOS / 1_000_000;

    private final FakeStore store = new FakeStore(
            new LeaseTerms(3_000_000_000L, 100), new Namespace(1, "messages", 1_000, 1, 100, 10, Long.MAX_VALUE));
    private final TestClock clock = new TestClock();

    private ControllerBench registered(String name) {
        return ControllerBench.registered(name, store, clock);
    }

    private ControllerBench newcomer(String name) {
        return new ControllerBench(name, store, clock);
    }

    /** How long after it saw this it plans. */
    private long actsAfterMillis(ControllerBench bench) {
        bench.see(store.view());
        for (long millis = 0; millis < 1_000; millis++) {
            if (bench.takePlan().isPresent()) {
                return millis;
            }
            clock.passMillis(1);
            bench.tick();
        }
        throw new AssertionError("it does not plan for " + store.view());
    }

    private void open(String name, String address) {
        assertInstanceOf(
                StoreReply.SessionOpened.class,
                store.execute(new StoreCommand.OpenSession(SessionKind.ROUTER, name.hashCode(), name, address)));
    }

    @Test
    void theFirstActsAtOnceAndEachFurtherOneAPlaceLater() {
        var first = registered("router-z");
        var second = registered("router-m");
        var third = registered("router-a");
        store.open("alloc-1");
        assertEquals(PLACE_MILLIS, actsAfterMillis(second));
        assertEquals(2 * PLACE_MILLIS, actsAfterMillis(third));
        assertEquals(0, actsAfterMillis(first));
    }

    @Test
    void whoseTurnComesWhenAllIsDoneDoesNothing() {
        var first = registered("router-1");
        var second = registered("router-2");
        store.open("alloc-1");
        first.see(store.view());
        second.see(store.view());
        store.execute(first.takePlan().orElseThrow());
        clock.passMillis(3);
        second.see(store.view());
        for (int i = 0; i < 4; i++) {
            clock.passMillis(PLACE_MILLIS);
            second.tick();
        }
        assertEquals(Optional.empty(), second.takePlan());
    }

    @Test
    void ifTheFirstIsDeadTheSecondActsInItsPlace() {
        registered("router-1");
        var second = registered("router-2");
        long a = store.open("alloc-1");
        store.publish(new Move(1, 0, 999, a));
        long b = store.open("alloc-2");
        second.see(store.view());
        clock.passMillis(500);
        store.expire(a);
        second.see(store.view());
        clock.passMillis(PLACE_MILLIS - 1);
        second.tick();
        assertEquals(Optional.empty(), second.takePlan());
        clock.passMillis(1);
        second.tick();
        assertEquals(
                List.of(new Move(1, 0, 999, b)), second.takePlan().orElseThrow().moves());
    }

    @Test
    void whoHasNoSessionActsAfterAllThatHaveOne() {
        registered("router-1");
        registered("router-2");
        store.open("alloc-1");
        assertEquals(2 * PLACE_MILLIS, actsAfterMillis(newcomer("router-3")));
    }

    @Test
    void aSessionThatTheViewDoesNotShowYetIsNoPlaceInTheOrder() {
        store.open("alloc-1");
        open("router-1", "r:1");
        var before = store.view();
        var late = registered("router-2");
        late.see(before);
        assertEquals(Optional.empty(), late.takePlan());
        clock.passMillis(PLACE_MILLIS);
        late.tick();
        assertTrue(late.takePlan().isPresent());
    }

    @Test
    void aLoneRouterThatStartsDoesNotWaitForAnybody() {
        store.open("alloc-1");
        assertEquals(0, actsAfterMillis(newcomer("router-1")));
    }

    @Test
    void itsDeadPredecessorDelaysNoRouter() {
        // Killed and started again: the sessions of the last process are still open, under its name and its address.
        open("router-1", "elsewhere:1");
        open("someone", "router-1:7700");
        store.open("alloc-1");
        assertEquals(0, actsAfterMillis(newcomer("router-1")));
    }

    @Test
    void anExpelledRouterIsNotWaitedFor() {
        var expelled = registered("router-1");
        var second = registered("router-2");
        store.execute(new StoreCommand.Expel(expelled.controller.session()));
        store.open("alloc-1");
        assertEquals(0, actsAfterMillis(second));
    }

    @Test
    void allocatorsAreNotCounted() {
        store.open("alloc-1");
        store.open("alloc-2");
        assertEquals(0, actsAfterMillis(registered("router-1")));
    }

    @Test
    void viewsThatComeOneUponTheOtherDoNotPutATurnOffForEver() {
        registered("router-1");
        var second = registered("router-2");
        store.open("alloc-1");
        long millis = 0;
        for (; second.takePlan().isEmpty(); millis += PLACE_MILLIS / 2) {
            assertTrue(millis < 10_000, "it never acts");
            store.open("newcomer-" + millis);
            second.see(store.view());
            clock.passMillis(PLACE_MILLIS / 2);
            second.tick();
        }
        assertTrue(millis >= 3_000, "it acted while another one may have been at it, after " + millis + " ms");
    }

    @Test
    void planningAnewKeepsTheOrderToo() {
        registered("router-1");
        var second = registered("router-2");
        store.open("alloc-1");
        actsAfterMillis(second);
        second.lost();
        clock.passMillis(3_000);
        second.tick();
        assertEquals(Optional.empty(), second.takePlan());
        clock.passMillis(PLACE_MILLIS);
        second.tick();
        assertTrue(second.takePlan().isPresent());
    }
}
