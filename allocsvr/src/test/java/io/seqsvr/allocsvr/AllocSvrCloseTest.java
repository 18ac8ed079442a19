package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.alloc.FrameRules;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.Command.KindCase;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.seqsvr.storeclient.fixture.FrameCaller;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An AllocSvr that stops: it seals first, then ends its session, and never waits for ever. One with a defect ends at
 * once.
 */
@Timeout(30)
class AllocSvrCloseTest {
    private static final LeaseTerms LEASE = new LeaseTerms(20_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 1_000, Long.MAX_VALUE);

    /** With room for what a frame takes, so that its answer need not wait. */
    private static final Namespace WIDE = new Namespace(2, "wide", 100, 100, 100_000, 1_000, Long.MAX_VALUE);

    /** Answers to so many frames of most calls are more than a connection takes before they are read. */
    private static final int SLOW_FRAMES = 4;

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES, WIDE);

    @AfterEach
    void close() {
        store.close();
    }

    private TestAllocSvr startServing() {
        var alloc = new TestAllocSvr("alloc-1", store.address());
        store.assignAll("alloc-1");
        alloc.awaitHealth(ServingStatus.SERVING);
        return alloc;
    }

    @Test
    void itsSessionEndsAtOnce() {
        try (var alloc = startServing()) {
            var session = store.awaitSession("alloc-1");
            alloc.stop();
            assertEquals(
                    new StoreCommand.CloseSession(session.id()), store.awaitCommand(StoreCommand.CloseSession.class));
            assertEquals(Optional.empty(), store.session("alloc-1"));
            assertEquals(
                    ErrorReason.OWNER_UNREACHABLE,
                    Outcome.errorOf(alloc.next("messages", 7, 1)).reason());
        }
    }

    @Test
    void callThatWaitsIsRefusedAndStoreSvrThatIsGoneHoldsNobodyUp() {
        try (var alloc = startServing()) {
            store.fallSilent();
            var waiting = alloc.next("messages", 7, 1_000);
            store.awaitIgnored(KindCase.RAISE);
            assertFalse(waiting.isComplete());
            long startedAt = System.nanoTime();
            alloc.stop();
            assertTrue(System.nanoTime() - startedAt < TimeUnit.SECONDS.toNanos(5));
            var refused = Outcome.errorOf(waiting);
            assertEquals(ErrorReason.NOT_READY, refused.reason());
            assertEquals("the allocator is stopping", refused.message());
        }
    }

    /** If it did not, its users would wait for its lease to run out, and its successor too. */
    @Test
    void itsSessionEndsAlthoughNobodyTakesWhatItGivesBack() {
        try (var alloc = startServing()) {
            alloc.take("messages", 7, 1);
            var session = store.awaitSession("alloc-1");
            store.ignore(KindCase.RELEASE);
            alloc.stop();
            assertEquals(
                    new StoreCommand.CloseSession(session.id()), store.awaitCommand(StoreCommand.CloseSession.class));
        }
    }

    /** The numbers of an answer are taken: where it is lost, its users have a gap. */
    @Test
    void itsPortStaysUntilItsLastAnswersAreRead() {
        try (var alloc = startServing();
                var slow = FrameCaller.slow(alloc.address())) {
            var floor = RaiseFloorRequest.newBuilder()
                    .setNamespace("wide")
                    .setUid(7)
                    .setFloor(500_000);
            Outcome.replyOf(alloc.call(SequencesRpc.RAISE_FLOOR, floor.build()));
            for (int frame = 1; frame <= SLOW_FRAMES; frame++) {
                slow.send(manyCalls(frame));
            }
            while (!alloc.scrape().contains("seqsvr_frames_total{tier=\"allocsvr\"} " + SLOW_FRAMES)) {
                Thread.onSpinWait();
            }
            var stopped = CompletableFuture.runAsync(alloc::stop);
            store.awaitCommand(StoreCommand.CloseSession.class);
            slow.read();
            for (int frame = 1; frame <= SLOW_FRAMES; frame++) {
                var reply = slow.take();
                assertEquals(frame, reply.getCorrelation());
                assertEquals(List.of(), reply.getRefusalsList());
                assertEquals(FrameRules.MOST_CALLS, reply.getSeqsCount());
            }
            stopped.join();
        }
    }

    private static FrameCalls manyCalls(long correlation) {
        var calls = FrameCaller.calls(correlation).namespaceName("wide");
        for (int i = 0; i < FrameRules.MOST_CALLS; i++) {
            calls.uids().add(7);
        }
        return calls;
    }

    /** If it lived on it would renew its lease, and these segments would be served by nobody. */
    @Test
    void anAnswerThatFitsNoRaiseEndsTheProcessAndNobodyGetsANumberByIt() {
        try (var alloc = startServing()) {
            store.answerRaisesWith(new StoreReply.Raised(List.of()));
            var waiting = alloc.next("messages", 7, 1_000);
            assertEquals(IllegalStateException.class, alloc.awaitDefect().getClass());
            assertFalse(waiting.succeeded());
        }
    }

    @Test
    void itMayStopBeforeItEverHadASession() {
        store.fallSilent();
        try (var alloc = new TestAllocSvr("alloc-1", store.address())) {
            alloc.stop();
        }
    }

    @Test
    void successorOfTheSameNameWaitsAndThenServesAboveEverythingBefore() {
        try (var first = startServing();
                var second = new TestAllocSvr("alloc-1", store.address())) {
            long before = first.take("messages", 7, 5);
            // Twice refused: it waits as long as the first one lives.
            store.awaitCommand(StoreCommand.OpenSession.class);
            store.awaitCommand(StoreCommand.OpenSession.class);
            assertEquals(
                    first.address().toString(), store.awaitSession("alloc-1").address());
            assertEquals(ServingStatus.NOT_SERVING, second.health());
            first.stop();

            while (store.session("alloc-1").isEmpty()) {
                store.awaitCommand(StoreCommand.OpenSession.class);
            }
            store.assignAll("alloc-1");
            second.awaitHealth(ServingStatus.SERVING);
            assertTrue(second.take("messages", 7, 1) > before);
        }
    }

    @Test
    void portInUseStopsTheStart() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var settings = new AllocSvrSettings(
                    "alloc-1",
                    new HostPort("127.0.0.1", taken.getLocalPort()),
                    Optional.empty(),
                    List.of(store.address()),
                    TestAllocSvr.STORE_TIMEOUT,
                    1,
                    Long.MAX_VALUE);
            var vertx = NodeServer.newVertx();
            try {
                assertThrows(
                        StartupException.class,
                        () -> AllocSvr.start(
                                vertx,
                                settings,
                                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                                broken -> fail("an invariant broke", broken)));
            } finally {
                vertx.close().await();
            }
        }
    }
}
