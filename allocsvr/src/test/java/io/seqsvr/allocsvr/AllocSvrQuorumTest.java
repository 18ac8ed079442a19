package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An AllocSvr in namespaces of QUORUM order and HASHED keying, over the wire. */
@Timeout(30)
class AllocSvrQuorumTest {
    /** No pause of a busy machine outlasts it. */
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);

    private static final Namespace LEASED = new Namespace(1, "leased", 1_000, 100, 10, 1_000, Long.MAX_VALUE);
    private static final Namespace QUORUM =
            new Namespace(2, "quorum", 1_000, 100, Keying.DIRECT, Order.QUORUM, 10, 1_000, 0, Long.MAX_VALUE);
    private static final Namespace HASHED =
            new Namespace(3, "hashed", 2, 1, Keying.HASHED, Order.LEASE, 10, 1_000, 0, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, LEASED, QUORUM, HASHED);
    private final TestAllocSvr alloc = new TestAllocSvr("alloc-1", store.address());

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

    @Test
    void eachAnswerInQuorumOrderWaitsForAConfirmationThatIsSentAfterItsNumbers() {
        store.fallSilent();
        var waiting = alloc.next("quorum", 107, 3);
        assertEquals(
                List.of(Holding.newBuilder()
                        .setNamespaceId(2)
                        .setSegment(1)
                        .setEpoch(1)
                        .build()),
                store.awaitIgnoredConfirmation());
        assertFalse(waiting.isComplete());
        assertEquals(1, alloc.take("leased", 107, 1), "a namespace of the other order waits for nobody");
        assertFalse(waiting.isComplete());
        store.speak();
        assertEquals(3, Outcome.replyOf(waiting).getLast());
        assertTrue(alloc.scrape().contains("seqsvr_sequences_total{tier=\"allocsvr\"} 4.0"), alloc::scrape);
    }

    @Test
    void aReadingInQuorumOrderWaitsToo() {
        assertEquals(3, alloc.take("quorum", 7, 3));
        store.fallSilent();
        var waiting = alloc.current("quorum", 7);
        store.awaitIgnoredConfirmation();
        assertFalse(waiting.isComplete());
        store.speak();
        assertEquals(3, Outcome.replyOf(waiting).getSeq());
    }

    @Test
    void numbersBeyondMaxSeqWaitForTheRaiseAndThenForTheConfirmation() {
        assertEquals(500, alloc.take("quorum", 7, 500));
        assertTrue(store.maxSeq(QUORUM, 0) >= 500);
        assertEquals(501, alloc.take("quorum", 7, 1));
    }

    @Test
    void whoOwnsTheSegmentNoLongerAnswersNothingInQuorumOrderThoughItsLeaseIsValid() {
        var session = store.awaitSession("alloc-1");
        store.fallSilent();
        var waiting = alloc.next("quorum", 7, 1);
        store.awaitIgnoredConfirmation();
        store.expire(session);
        store.command(new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "alloc-2", "127.0.0.1:1"));
        store.assignAll("alloc-2");
        store.speak();
        assertEquals(ErrorReason.NOT_OWNER, Outcome.errorOf(waiting).reason());
    }

    @Test
    void anyUidHasASequenceWhereUidsAreHashed() {
        for (long uid : new long[] {0, 999, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
            var first = Outcome.replyOf(alloc.next("hashed", uid, 1)).getFirst();
            assertEquals(
                    first + 1, Outcome.replyOf(alloc.next("hashed", uid, 1)).getFirst());
            var reading = Outcome.replyOf(alloc.current("hashed", uid));
            assertEquals(first + 1, reading.getSeq());
            assertEquals(Exactness.UPPER_BOUND, reading.getExactness(), "others may share the counter");
        }
    }
}
