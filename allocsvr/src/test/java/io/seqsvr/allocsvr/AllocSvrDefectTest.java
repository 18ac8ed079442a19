package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreReply;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An AllocSvr with a defect does not keep what it can no longer be trusted with. */
@Timeout(30)
final class AllocSvrDefectTest {
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 1_000, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);

    @AfterEach
    void close() {
        store.close();
    }

    /** If it lived on it would renew its lease, and these segments would be served by nobody. */
    @Test
    void anAnswerThatFitsNoRaiseEndsTheProcessAndNobodyGetsANumberByIt() {
        try (var alloc = new TestAllocSvr("alloc-1", store.address())) {
            store.assignAll("alloc-1");
            alloc.awaitHealth(ServingStatus.SERVING);
            store.answerRaisesWith(new StoreReply.Raised(List.of()));
            var waiting = alloc.next("messages", 7, 1_000);
            assertEquals(IllegalStateException.class, alloc.awaitDefect().getClass());
            assertFalse(waiting.succeeded());
        }
    }
}
