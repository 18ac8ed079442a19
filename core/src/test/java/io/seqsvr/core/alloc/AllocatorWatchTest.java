package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.store.StoreView;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An allocator whose watch shows nothing new: it notices by its renewals. */
class AllocatorWatchTest {
    private static final long RENEWAL_MILLIS = Bench.LEASE.renewEveryNanos() / 1_000_000;

    @Test
    void aWatchThatDoesNotShowWhatTwoRenewalsToldOfLooksElsewhere() {
        var bench = Bench.serving(0, 9);
        bench.passMillis(3 * RENEWAL_MILLIS);
        assertEquals(0, bench.watchedElsewhere, "it has seen all there is");
        bench.store.open("alloc-2");
        bench.passMillis(RENEWAL_MILLIS);
        assertEquals(0, bench.watchedElsewhere, "the news may be on its way");
        bench.passMillis(RENEWAL_MILLIS);
        assertEquals(1, bench.watchedElsewhere);
        bench.wake();
        bench.passMillis(3 * RENEWAL_MILLIS);
        assertEquals(1, bench.watchedElsewhere);
    }

    @Test
    void theTimeOfTheWatchIsNotCutShortByConfirmations() {
        var quorum =
                new Namespace(1, "messages", 100, 10, Keying.DIRECT, Order.QUORUM, 100, 1_000, 1_000, Long.MAX_VALUE);
        var bench = new Bench(new FakeStore(Bench.LEASE, quorum), new TestClock(), "alloc-1");
        bench.tick();
        bench.assign(0, 9);
        bench.store.open("alloc-2");
        for (int i = 0; i < 20; i++) {
            bench.outcome(bench.waitFor(7, 1));
        }
        assertEquals(0, bench.watchedElsewhere);
        bench.passMillis(2 * RENEWAL_MILLIS);
        assertEquals(1, bench.watchedElsewhere);
    }

    @Test
    void anOlderViewThatComesLateIsNoSignOfLife() {
        var bench = Bench.serving(0, 4);
        var old = bench.store.view();
        bench.store.open("alloc-2");
        bench.wake();
        bench.store.open("alloc-3");
        bench.passMillis(RENEWAL_MILLIS);
        bench.allocator.woken(old, bench.clock.now());
        bench.passMillis(RENEWAL_MILLIS);
        assertEquals(1, bench.watchedElsewhere);
    }

    @Test
    void settingsDoNotGoBackWithAnOlderView() {
        var bench = Bench.serving(0, 9);
        var old = bench.store.view();
        var younger = new StoreView(
                old.version() + 1,
                old.lease(),
                List.of(new Namespace(1, "messages", 100, 10, 100, 5, Long.MAX_VALUE)),
                old.sessions(),
                old.publishVersion(),
                old.routes(),
                old.released());
        assertInstanceOf(Answer.Range.class, bench.request(7, 6));
        bench.allocator.woken(younger, bench.clock.now());
        assertInstanceOf(Answer.Refused.class, bench.request(7, 6));
        bench.allocator.woken(old, bench.clock.now());
        assertInstanceOf(Answer.Refused.class, bench.request(7, 6), "at most 5 in one request, since the younger view");
    }
}
