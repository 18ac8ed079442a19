package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.concurrent.TimeUnit;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an AllocSvr shows of itself to Prometheus. */
@Timeout(30)
class AllocSvrMetricsTest {
    private static final long TTL_SECONDS = 20;
    private static final LeaseTerms LEASE = new LeaseTerms(TTL_SECONDS * 1_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 1_000, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final TestAllocSvr alloc = new TestAllocSvr("alloc-1", store.address());

    @AfterEach
    void close() {
        alloc.close();
        store.close();
    }

    @BeforeEach
    void serve() {
        assertEquals(0, value("seqsvr_segments_owned{tier=\"allocsvr\"}"));
        store.assignAll("alloc-1");
        alloc.awaitHealth(ServingStatus.SERVING);
    }

    private double value(String meter) {
        return alloc.scrape()
                .lines()
                .filter(line -> line.startsWith(meter + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(meter.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(meter + " is not in " + alloc.scrape()));
    }

    /** Gauges follow the next tick. */
    private void awaitValue(String meter, DoublePredicate wanted) {
        long startedAt = System.nanoTime();
        while (!wanted.test(value(meter))) {
            assertTrue(
                    System.nanoTime() - startedAt < TimeUnit.SECONDS.toNanos(10), () -> meter + " is " + value(meter));
        }
    }

    @Test
    void sequencesHandedOutAreCountedOneByOne() {
        alloc.take("messages", 7, 5);
        alloc.take("messages", 8, 2);
        Outcome.errorOf(alloc.next("messages", 7, 0));
        assertEquals(7, value("seqsvr_sequences_total{tier=\"allocsvr\"}"));
    }

    @Test
    void raisesAreCountedByWhetherTheyWereAnswered() {
        assertEquals(0, value("seqsvr_raises_total{result=\"answered\",tier=\"allocsvr\"}"));
        alloc.take("messages", 7, 100);
        assertTrue(value("seqsvr_raises_total{result=\"answered\",tier=\"allocsvr\"}") >= 1);
        double before = value("seqsvr_raises_total{result=\"unanswered\",tier=\"allocsvr\"}");
        store.fallSilent();
        var waiting = alloc.next("messages", 7, 1_000);
        awaitValue("seqsvr_requests_waiting{tier=\"allocsvr\"}", now -> now == 1);
        awaitValue("seqsvr_raises_total{result=\"unanswered\",tier=\"allocsvr\"}", now -> now > before);
        store.speak();
        Outcome.replyOf(waiting);
        awaitValue("seqsvr_requests_waiting{tier=\"allocsvr\"}", now -> now == 0);
    }

    @Test
    void leaseAndSegmentsAreShown() {
        awaitValue("seqsvr_segments_owned{tier=\"allocsvr\"}", now -> now == 10);
        awaitValue("seqsvr_lease_remaining_seconds{tier=\"allocsvr\"}", now -> now > 0 && now <= TTL_SECONDS);
    }

    @Test
    void nothingOfAUserIsInAnyLabel() {
        alloc.take("messages", 937, 1);
        var scraped = alloc.scrape();
        assertTrue(scraped.contains("seqsvr_requests_seconds_count{code=\"OK\",tier=\"allocsvr\",verb=\"next\"} 1"));
        // As the value of a label: the digits of a time may be the same.
        assertFalse(scraped.contains("\"937\""), scraped);
        assertFalse(scraped.replace("namespace=\"messages\"", "").contains("messages"), scraped);
    }

    @Test
    void everyVerbIsCounted() {
        Outcome.replyOf(Items.nextMany(alloc, "messages", Items.next(7, 1)));
        Outcome.replyOf(Items.currentMany(alloc, "messages", Items.current(7)));
        Outcome.replyOf(alloc.call(
                SequencesRpc.RAISE_FLOOR,
                RaiseFloorRequest.newBuilder()
                        .setNamespace("messages")
                        .setUid(7)
                        .setFloor(5)
                        .build()));
        for (var verb : new String[] {"nextmany", "currentmany", "raisefloor"}) {
            assertEquals(
                    1, value("seqsvr_requests_seconds_count{code=\"OK\",tier=\"allocsvr\",verb=\"" + verb + "\"}"));
        }
    }
}
