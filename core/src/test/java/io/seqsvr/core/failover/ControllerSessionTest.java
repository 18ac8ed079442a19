package io.seqsvr.core.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
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

/** The session of a router: it gives the controller its place among others, and nothing depends on it. */
class ControllerSessionTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final long RENEWAL_MILLIS = LEASE.renewEveryNanos() / 1_000_000;

    private final FakeStore store =
            new FakeStore(LEASE, new Namespace(1, "messages", 1_000, 1, 100, 10, Long.MAX_VALUE));
    private final TestClock clock = new TestClock();

    private void passMillis(ControllerBench bench, long millis) {
        for (long passed = 0; passed < millis; passed += 10) {
            clock.passMillis(10);
            bench.tick();
        }
    }

    @Test
    void itIsOpenedUnderTheRoutersNameAndAddressAndRenewed() {
        var bench = ControllerBench.registered("router-1", store, clock);
        var session = store.session(bench.controller.session());
        assertEquals(SessionKind.ROUTER, session.kind());
        assertEquals("router-1", session.name());
        assertEquals("router-1:7700", session.address());
        passMillis(bench, 4 * RENEWAL_MILLIS);
        assertNotEquals(session.renewal(), store.session(session.id()).renewal());
        long renewals = bench.effects.stream()
                .filter(effect ->
                        effect instanceof ControllerEffect.Send send && send.command() instanceof StoreCommand.Renew)
                .count();
        assertEquals(5, renewals, "one at once, and one each quarter of a ttl");
    }

    @Test
    void noSegmentGoesToARouter() {
        var bench = ControllerBench.registered("router-1", store, clock);
        long router = bench.controller.session();
        bench.see(store.view());
        assertEquals(Optional.empty(), bench.takePlan());
        assertEquals(List.of(), store.view().receivers());
        long allocator = store.open("alloc-1");
        bench.see(store.view());
        assertEquals(
                List.of(new Move(1, 0, 999, allocator)),
                bench.takePlan().orElseThrow().moves());
        assertInstanceOf(
                StoreReply.RoutesRefused.class,
                store.execute(
                        new StoreCommand.PublishRoutes(store.publishVersion(), List.of(new Move(1, 0, 0, router)))));
    }

    @Test
    void aRenewalThatIsRefusedIsFollowedByOneThatShowsThatItHears() {
        var bench = ControllerBench.registered("router-1", store, clock);
        long session = bench.controller.session();
        bench.refuseRenewals(true);
        passMillis(bench, RENEWAL_MILLIS);
        bench.refuseRenewals(false);
        bench.effects.clear();
        passMillis(bench, 20);
        assertEquals(session, bench.controller.session());
        var renew = bench.effects.stream()
                .filter(ControllerEffect.Send.class::isInstance)
                .map(effect -> (StoreCommand.Renew) ((ControllerEffect.Send) effect).command())
                .findFirst()
                .orElseThrow();
        assertEquals(renew.attempt() - 1, renew.heard());
    }

    @Test
    void afterItEndedAnotherOneIsOpened() {
        var bench = ControllerBench.registered("router-1", store, clock);
        long first = bench.controller.session();
        store.expire(first);
        passMillis(bench, 2 * RENEWAL_MILLIS);
        long second = bench.controller.session();
        assertTrue(second > first);
        assertEquals("router-1", store.session(second).name());
    }

    @Test
    void whoIsExpelledWaitsForTheEndOfItsSessionAndOpensAnother() {
        var bench = ControllerBench.registered("router-1", store, clock);
        long first = bench.controller.session();
        store.execute(new StoreCommand.Expel(first));
        passMillis(bench, 2 * RENEWAL_MILLIS);
        assertEquals(0, bench.controller.session());
        store.expire(first);
        passMillis(bench, 1_000);
        assertTrue(bench.controller.session() > first);
    }

    @Test
    void withoutASessionItPlansAllTheSame() {
        var bench = new ControllerBench("router-1", store, clock);
        passMillis(bench, 1_000);
        store.open("alloc-1");
        bench.see(store.view());
        assertEquals(0, bench.controller.session());
        assertTrue(bench.takePlan().isPresent());
    }

    @Test
    void aCleanStopClosesIt() {
        var bench = ControllerBench.registered("router-1", store, clock);
        long session = bench.controller.session();
        bench.close();
        assertTrue(store.view().session(session).isEmpty());
        passMillis(bench, 5_000);
        assertEquals(List.of(), store.view().sessions(), "a stopped router registered anew");
    }

    @Test
    void aWatchThatDoesNotShowWhatTwoRenewalsToldOfLooksElsewhere() {
        var bench = ControllerBench.registered("router-1", store, clock);
        bench.see(store.view());
        store.open("alloc-1");
        passMillis(bench, RENEWAL_MILLIS);
        assertEquals(0, bench.count(ControllerEffect.WatchElsewhere.class));
        passMillis(bench, RENEWAL_MILLIS);
        assertEquals(1, bench.count(ControllerEffect.WatchElsewhere.class));
        bench.see(store.view());
        assertTrue(bench.takePlan().isPresent());
        passMillis(bench, 3 * RENEWAL_MILLIS);
        assertEquals(1, bench.count(ControllerEffect.WatchElsewhere.class));
    }
}
