package io.seqsvr.core.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand.Move;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When the controller has living owners hand over: once nothing changes, and not again and again. */
class ControllerBalanceTest {
    private static final long SETTLED_MILLIS = TimeUnit.NANOSECONDS.toMillis(Controller.SETTLED_NANOS);
    private static final long AGAIN_MILLIS = TimeUnit.NANOSECONDS.toMillis(Controller.ORDERED_AGAIN_NANOS);
    private static final long TICK_MILLIS = 10;

    private final FakeStore store = new FakeStore(
            new LeaseTerms(3_000_000_000L, 100), new Namespace(1, "messages", 100, 1, 100, 10, Long.MAX_VALUE));
    private final TestClock clock = new TestClock();

    private void pass(long millis, ControllerBench... benches) {
        for (long passed = 0; passed < millis; passed += TICK_MILLIS) {
            clock.passMillis(TICK_MILLIS);
            for (var bench : benches) {
                bench.tick();
            }
        }
    }

    private static long orders(ControllerBench bench) {
        return bench.count(ControllerEffect.Order.class);
    }

    private void unbalanced() {
        store.publish(new Move(1, 0, 99, store.open("a")));
        store.open("b");
    }

    @Test
    void whoHasJustComeWaitsUntilNothingChanges() {
        var bench = ControllerBench.registered("router-1", store, clock);
        unbalanced();
        bench.see(store.view());
        pass(SETTLED_MILLIS - 50, bench);
        store.open("c");
        bench.see(store.view());
        pass(SETTLED_MILLIS - 50, bench);
        assertEquals(0, orders(bench));
        pass(100, bench);
        assertEquals(2, orders(bench), "b and c get their shares");
    }

    @Test
    void ordersWithoutEffectAreGivenAgainMuchLater() {
        var bench = ControllerBench.registered("router-1", store, clock);
        unbalanced();
        bench.see(store.view());
        pass(SETTLED_MILLIS + 50, bench);
        assertEquals(1, orders(bench));
        pass(AGAIN_MILLIS - 200, bench);
        assertEquals(1, orders(bench));
        pass(300, bench);
        assertEquals(2, orders(bench));
    }

    @Test
    void whatIsBalancedStays() {
        var bench = ControllerBench.registered("router-1", store, clock);
        var sessions = List.of(store.open("a"), store.open("b"));
        for (int segment = 0; segment < 100; segment++) {
            store.publish(new Move(1, segment, segment, sessions.get(segment % 2)));
        }
        bench.see(store.view());
        pass(3 * AGAIN_MILLIS, bench);
        assertEquals(0, orders(bench));
    }

    @Test
    void theSecondControllerWaitsLonger() {
        var first = ControllerBench.registered("router-1", store, clock);
        var second = ControllerBench.registered("router-2", store, clock);
        unbalanced();
        first.see(store.view());
        second.see(store.view());
        pass(SETTLED_MILLIS + 50, first, second);
        assertEquals(1, orders(first));
        assertEquals(0, orders(second));
        pass(SETTLED_MILLIS, first, second);
        assertEquals(1, orders(second), "the first may be dead");
    }
}
