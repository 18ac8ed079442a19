package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RoutesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.GetRoutesRequest;
import io.seqsvr.proto.v1.RouteOwner;
import io.seqsvr.proto.v1.RoutesReply;
import io.seqsvr.storeclient.fixture.Outcome;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A router tells callers what its watch has seen, and a router that was started again goes on from there. */
@Timeout(30)
class RouterRoutesTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final HostPort SOMEWHERE = new HostPort("127.0.0.1", 1);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);

    @AfterEach
    void close() {
        store.close();
    }

    private static RoutesReply routes(TestRouter router, long since) {
        return Outcome.replyOf(router.call(
                RoutesRpc.GET, GetRoutesRequest.newBuilder().setSince(since).build()));
    }

    /** Asks, over and over, until everything has an owner. */
    private static RoutesReply complete(TestRouter router) {
        long startedAt = System.nanoTime();
        while (true) {
            var answer = router.call(RoutesRpc.GET, GetRoutesRequest.getDefaultInstance())
                    .otherwise(RoutesReply.getDefaultInstance());
            var reply = Outcome.replyOf(answer);
            if (reply.getRangesCount() > 0 && reply.getRanges(0).getOwner() != 0) {
                return reply;
            }
            assertTrue(System.nanoTime() - startedAt < 10_000_000_000L, () -> "no owner yet: " + reply);
        }
    }

    @Test
    void itTellsWhatItsWatchHasSeenAndGoesOnAfterARestart() {
        store.open("alloc-1", SOMEWHERE);
        RoutesReply before;
        try (var router = new TestRouter(store.address())) {
            before = complete(router);
            assertEquals("test-cluster", before.getClusterId());
            assertEquals(List.of("127.0.0.1:1"), addresses(before));
            assertEquals(9, before.getRanges(0).getLastSegment());
            router.stop();
        }
        try (var again = new TestRouter(store.address())) {
            var after = complete(again);
            assertTrue(after.getVersion() >= before.getVersion(), "the version is the store's and goes on");
            assertEquals(0, routes(again, after.getVersion()).getRangesCount());
            assertEquals(before.getRangesList(), after.getRangesList());
            again.stop();
        }
    }

    private static List<String> addresses(RoutesReply reply) {
        return reply.getOwnersList().stream().map(RouteOwner::getAddress).toList();
    }

    @Test
    void whoSawNoClusterYetSaysSo() {
        try (var router = new TestRouter(SOMEWHERE)) {
            var error = Outcome.errorOf(router.call(RoutesRpc.GET, GetRoutesRequest.getDefaultInstance()));
            assertEquals(ErrorReason.NOT_READY, error.reason());
            assertTrue(error.retryAfterMillis() > 0);
        }
    }
}
