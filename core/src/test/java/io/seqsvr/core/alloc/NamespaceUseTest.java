package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import java.util.Collection;
import org.junit.jupiter.api.Test;

/** How far a namespace is used up, as its owner tells long before the end. */
class NamespaceUseTest {
    private static final Namespace SHORT =
            new Namespace(1, "messages", 100, 10, Keying.DIRECT, Order.LEASE, 100, 1_000, 10_000, 1_000);

    private final Bench bench = new Bench(new FakeStore(Bench.LEASE, SHORT), new TestClock(), "alloc-1");

    private Collection<NamespaceUse> used() {
        return bench.allocator.namespacesUsed();
    }

    private double ratio() {
        assertEquals(1, used().size());
        return used().iterator().next().ratio();
    }

    @Test
    void itFollowsTheFurthestSegmentUpToTheEnd() {
        assertTrue(used().isEmpty());
        bench.tick();
        bench.assign(0, 1);
        assertEquals(0.1, ratio(), 1e-9);
        bench.raiseFloor(3, 800);
        assertTrue(ratio() >= 0.8);
        double before = ratio();
        bench.request(13, 150, 0, 0);
        assertEquals(before, ratio(), 1e-9, "a segment that is not the furthest changes nothing");
        bench.raiseFloor(3, 1_000);
        assertEquals(1.0, ratio(), 1e-9);
    }

    @Test
    void whoIsDroppedTellsNothing() {
        bench.tick();
        bench.assign(0, 1);
        bench.allocator.close(bench.clock.now());
        assertTrue(used().isEmpty());
    }
}
