package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.storeclient.fixture.FrameCaller;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an owner keeps for a while holds up nobody else at a router: it reads no more of a stream then. */
@Timeout(60)
class HeldFramesTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final Namespace ORDERS =
            new Namespace(2, "orders", 1_000, 100, 10, 50, Long.MAX_VALUE).withOrder(Order.QUORUM);
    private static final long ANSWER = 1_001;
    /** More than an owner keeps of one stream. */
    private static final int MANY = 40;

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES, ORDERS);
    private final FakeAllocSvr alloc = new FakeAllocSvr(ANSWER);

    @AfterEach
    void close() {
        alloc.close();
        store.close();
    }

    private interface Story {
        void happens(FrameCaller greedy, FrameCaller other, TestRouter router);
    }

    private void tell(Story story) {
        store.open("alloc-1", alloc.address());
        try (var router = new TestRouter(store.address());
                var greedy = new FrameCaller(router.address());
                var other = new FrameCaller(router.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            other.ask(frame(0, "messages", 1));
            story.happens(greedy, other, router);
        }
    }

    private static FrameCalls frame(long correlation, String namespace, long uid) {
        return FrameCaller.calls(correlation, uid).namespaceName(namespace).timeoutMillis(FrameCaller.GENEROUS_MILLIS);
    }

    /** The owner keeps frames of that namespace for one user, as those that wait for a confirmation or a raise. */
    private void keeps(long uid) {
        alloc.onFrame(
                calls -> calls.uids().get(0) == uid ? null : FakeAllocSvr.reply(calls, ANSWER, FakeAllocSvr.EPOCH));
    }

    private static void sendMany(FrameCaller greedy, String namespace, long uid) {
        var frames = Buffer.buffer();
        for (int i = 1; i <= MANY; i++) {
            frames.appendBuffer(FrameCaller.framed(new FrameCodec().writeRequest(frame(i, namespace, uid))));
        }
        greedy.push(frames);
    }

    private void awaitKept(long uid) {
        // A router keeps no more of one caller's stream either.
        while (alloc.asked().stream().filter(each -> each.uid() == uid).count() < 32) {
            Thread.onSpinWait();
        }
    }

    @Test
    void framesThatWaitForTheLogHoldUpNoneThatDoNot() {
        tell((greedy, other, router) -> {
            keeps(7);
            sendMany(greedy, "orders", 7);
            awaitKept(7);
            var reply = other.ask(frame(1, "messages", 8));
            assertEquals(ANSWER, reply.getSeqs(0));
        });
    }

    /** It is there, and may be about to answer: asked again it would take other numbers, and as long again. */
    @Test
    void anOwnerThatAnswersOthersMayTakeItsTimeForTheLog() {
        tell((patient, other, router) -> {
            alloc.takesItsTime(350);
            patient.send(FrameCaller.calls(1, 7, 8).namespaceName("orders"));
            for (int i = 1; patient.nothingCame(); i++) {
                other.ask(frame(i, "messages", 1));
            }
            assertEquals(List.of(), patient.take().getRefusalsList());
        });
    }

    @Test
    void framesThatAreKeptHoldUpNoCallOfOthers() {
        tell((greedy, other, router) -> {
            keeps(7);
            sendMany(greedy, "messages", 7);
            awaitKept(7);
            var reply = TestRouter.replyOfHasty(() -> router.hastyNext("messages", 8));
            assertEquals(ANSWER, reply.getFirst());
        });
    }
}
