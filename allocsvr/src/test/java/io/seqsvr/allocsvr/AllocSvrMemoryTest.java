package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers ask for users without end: the heap is not theirs to fill. */
@Timeout(30)
class AllocSvrMemoryTest {
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);
    private static final long MOST_BYTES = 100_000;
    /** Users so far apart that no two share a page. */
    private static final long APART = 1_024;

    private static final Namespace SPARSE = new Namespace(
            1, "sparse", 10_000_000, 1_000_000, Keying.DIRECT, Order.LEASE, 10_000, 10_000, 1_000_000, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, SPARSE);
    private final TestAllocSvr alloc = new TestAllocSvr(new AllocSvrSettings(
            "alloc-1",
            new HostPort("127.0.0.1", 0),
            Optional.empty(),
            List.of(store.address()),
            TestAllocSvr.STORE_TIMEOUT,
            1_000,
            MOST_BYTES));

    @BeforeEach
    void serve() {
        store.assignAll("alloc-1");
        alloc.awaitHealth(ServingStatus.SERVING);
    }

    @AfterEach
    void close() {
        alloc.close();
        store.close();
    }

    /** Why a user gets no sequence, if so. */
    private Optional<RpcException> refusal(long uid) {
        var request =
                NextRequest.newBuilder().setNamespace("sparse").setUid(uid).setCount(1);
        return Outcome.replyOf(alloc.call(SequencesRpc.NEXT, request.build())
                .map(reply -> Optional.<RpcException>empty())
                .otherwise(failure -> Optional.of((RpcException) failure)));
    }

    @Test
    void usersWhoDoNotExistFillNoHeap() {
        long uid = 0;
        var refused = refusal(uid);
        while (refused.isEmpty()) {
            uid += APART;
            refused = refusal(uid);
        }
        assertTrue(uid > 500 * APART, uid / APART + " users were served");
        assertEquals(GrpcStatus.RESOURCE_EXHAUSTED, refused.get().status());
        assertEquals(ErrorReason.TOO_MANY_USERS, refused.get().reason());
        var message = refused.get().message();
        assertTrue(message.contains("user " + uid + " was never served here"), message);
        assertTrue(message.contains("counter_memory_percent"), message);
        assertEquals(Optional.empty(), refusal(0), "whoever was served goes on");
    }

    @Test
    void theMemoryIsShown() {
        assertEquals(Optional.empty(), refusal(7));
        assertTrue(
                alloc.scrape().contains("seqsvr_counters_memory_max_bytes{tier=\"allocsvr\"} 100000.0"), alloc::scrape);
    }
}
