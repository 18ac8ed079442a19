package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.rpc.RoutesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.GetRoutesRequest;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An AllocSvr tells callers who owns what, as a router does, so that they get along without one. */
@Timeout(30)
class AllocSvrRoutesTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void itTellsWhoOwnsWhat() {
        try (var alloc = new TestAllocSvr("alloc-1", store.address())) {
            var session = store.awaitSession("alloc-1");
            store.assignAll("alloc-1");
            alloc.awaitHealth(ServingStatus.SERVING);
            var told = alloc.awaitRoutes();
            assertEquals(session.id(), told.getRanges(0).getOwner());
            assertEquals(9, told.getRanges(0).getLastSegment());
            assertEquals(alloc.address().toString(), told.getOwners(0).getAddress());
            assertEquals("alloc-1", told.getOwners(0).getName());
        }
    }

    @Test
    void withoutStoreSvrItSaysThatItKnowsNothingYet() {
        store.fallSilent();
        try (var alloc = new TestAllocSvr("alloc-1", store.address())) {
            var error = Outcome.errorOf(alloc.call(RoutesRpc.GET, GetRoutesRequest.getDefaultInstance()));
            assertEquals(ErrorReason.NOT_READY, error.reason());
        }
    }
}
