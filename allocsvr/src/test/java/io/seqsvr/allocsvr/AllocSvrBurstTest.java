package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More is asked for at once than max_seq allows: by one user, and by all of a segment. */
@Timeout(60)
class AllocSvrBurstTest {
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);
    private static final int STEP = 10;
    private static final int USERS = 100;
    private static final Namespace MESSAGES = new Namespace(1, "messages", USERS, USERS, STEP, 1_000, Long.MAX_VALUE);

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
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
    void fiftyStepsAtOnceForOneUserAreGivenOutToTheLast() {
        int calls = 50 * STEP;
        var replies = IntStream.range(0, calls)
                .mapToObj(i -> alloc.next("messages", 7, 1))
                .toList();
        assertEquals(
                LongStream.rangeClosed(1, calls).boxed().toList(),
                replies.stream()
                        .map(reply -> Outcome.replyOf(reply).getFirst())
                        .sorted()
                        .toList());
    }

    @Test
    void aCallForMoreThanManyStepsWaitsForAllOfThem() {
        var small = alloc.next("messages", 7, 1);
        var large = alloc.next("messages", 7, 999);
        assertEquals(1, Outcome.replyOf(small).getLast());
        assertEquals(1_000, Outcome.replyOf(large).getLast());
    }

    @Test
    void everybodyOfASegmentWantsMoreThanAStepAtTheSameTime() {
        var replies = IntStream.range(0, USERS * 9)
                .mapToObj(i -> alloc.next("messages", i % USERS, 2))
                .toList();
        for (int i = 0; i < replies.size(); i++) {
            var reply = Outcome.replyOf(replies.get(i));
            assertEquals(i % USERS, reply.getUid());
            assertEquals(2L * (i / USERS + 1), reply.getLast());
        }
    }
}
