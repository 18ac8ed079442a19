package io.seqsvr.allocsvr;

import static io.seqsvr.storeclient.fixture.FrameCaller.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.v1.AllocateReply;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.RoutesReply;
import io.seqsvr.storeclient.fixture.FrameCaller;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames over a real socket: what they get, what refuses them, and that nothing is left behind. */
@Timeout(120)
class AllocateTest {
    private static final LeaseTerms SHORT_LEASE = new LeaseTerms(1_500_000_000L, 100);
    /** Long enough for the slowest machine to send some frames, short enough to wait for its end. */
    private static final LeaseTerms STORY_LEASE = new LeaseTerms(3_000_000_000L, 100);

    private static final LeaseTerms LONG_LEASE = new LeaseTerms(30_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10_000, 1_000, Long.MAX_VALUE);

    private interface Story {
        void happens(FakeStoreSvr store, TestAllocSvr alloc, FrameCaller caller);
    }

    private static void tell(LeaseTerms lease, Story story) {
        try (var store = new FakeStoreSvr(lease, MESSAGES);
                var alloc = new TestAllocSvr(new AllocSvrSettings(
                        "alloc-1",
                        new HostPort("127.0.0.1", 0),
                        Optional.empty(),
                        List.of(store.address()),
                        TestAllocSvr.STORE_TIMEOUT,
                        1_000,
                        Long.MAX_VALUE));
                var caller = new FrameCaller(alloc.address())) {
            store.assignAll("alloc-1");
            alloc.awaitHealth(ServingStatus.SERVING);
            story.happens(store, alloc, caller);
        }
    }

    @Test
    void framesAreAnsweredAndCallsRefusedByThemselves() {
        tell(LONG_LEASE, (store, alloc, caller) -> {
            var reply = caller.ask(calls(5, 7, 150, 7, 5_000));
            assertEquals(List.of(1L, 1L, 2L, 0L), reply.getSeqsList());
            assertEquals(List.of(0, 1), reply.getSegmentsList());
            assertEquals(List.of(1L, 1L), reply.getEpochsList());
            assertEquals(1, reply.getRefusalsCount());
            assertEquals(ErrorReason.UID_OUT_OF_RANGE, reply.getRefusals(0).getReason());
            assertEquals(List.of(3), reply.getRefusals(0).getPlacesList());
            assertEquals(3, alloc.take("messages", 7, 1), "single calls and frames share the counters");

            assertWhole(ErrorReason.FRAME_MALFORMED, caller.ask(calls(6, 7).verb(9)));
            assertWhole(ErrorReason.NAMESPACE_UNKNOWN, caller.ask(calls(7, 7).namespaceName("mesages")));
            assertWhole(
                    ErrorReason.FRAME_MALFORMED,
                    caller.ask(calls(8, 7), calls -> calls.counts().extend(3)));
            var huge = caller.ask(calls(9, 7), calls -> calls.counts().add(Long.MAX_VALUE));
            assertEquals(ErrorReason.COUNT_OUT_OF_BOUNDS, huge.getRefusals(0).getReason());
            assertEquals(4, caller.ask(calls(10, 7)).getSeqs(0));
            caller.halfClose();
            assertEquals(GrpcStatus.OK, caller.end());
            assertMeters(alloc.scrape());
        });
    }

    private static void assertWhole(ErrorReason reason, AllocateReply reply) {
        assertEquals(reason, reply.getRefusals(0).getReason());
        assertEquals(0, reply.getRefusals(0).getPlacesCount());
        assertEquals(0, reply.getSeqsCount());
    }

    private static void assertMeters(String scrape) {
        assertTrue(scrape.contains("seqsvr_sequences_total{tier=\"allocsvr\"} 5.0"), scrape);
        assertTrue(scrape.contains("seqsvr_frames_total{tier=\"allocsvr\"} 6.0"), scrape);
        assertTrue(
                scrape.contains("seqsvr_frame_refusals_total{reason=\"FRAME_MALFORMED\",tier=\"allocsvr\"} 2.0"),
                scrape);
    }

    @Test
    void manyFramesInFlightGetEachNumberOnceAlsoWhereTheyWaitForRaises() {
        tell(LONG_LEASE, (store, alloc, caller) -> {
            int frames = 400;
            for (int i = 0; i < frames; i++) {
                var calls = calls(i, 7, 7, 150);
                for (int call = 0; call < 3; call++) {
                    calls.counts().add(100);
                }
                caller.push(FrameCaller.framed(new FrameCodec().writeRequest(calls)));
            }
            var correlations = new HashSet<Long>();
            var firsts = new HashSet<Long>();
            for (int i = 0; i < frames; i++) {
                var reply = caller.take();
                correlations.add(reply.getCorrelation());
                assertEquals(List.of(), reply.getRefusalsList());
                firsts.add(reply.getSeqs(0));
                firsts.add(reply.getSeqs(1));
            }
            assertEquals(frames, correlations.size());
            assertEquals(2 * frames, firsts.size());
            assertEquals(2 * frames * 100 + 1, alloc.take("messages", 7, 1));
        });
    }

    @Test
    void storeSvrGoneForLongerThanTheLeaseRefusesByReasonAndThenTheNumbersGoOn() {
        tell(SHORT_LEASE, (store, alloc, caller) -> {
            assertEquals(1, caller.ask(calls(1, 7)).getSeqs(0));
            store.fallSilent();
            alloc.awaitHealth(ServingStatus.NOT_SERVING);
            var refused = caller.ask(calls(2, 7, 8));
            assertEquals(List.of(0L, 0L), refused.getSeqsList());
            assertEquals(ErrorReason.LEASE_EXPIRED, refused.getRefusals(0).getReason());
            assertEquals(50, refused.getRefusals(0).getRetryDelayMs());
            assertEquals(2, refused.getRefusals(0).getPlacesCount());
            store.speak();
            alloc.awaitHealth(ServingStatus.SERVING);
            assertEquals(2, caller.ask(calls(3, 7)).getSeqs(0));
        });
    }

    @Test
    void whenTheTimeOfAFrameIsOverWhatStoreSvrKeepsWaitingIsRefusedAndTheOthersAreAnswered() {
        tell(LONG_LEASE, (store, alloc, caller) -> {
            assertEquals(1, caller.ask(calls(1, 7)).getSeqs(0));
            // Its time runs out while the next one waits, and is nobody's any more: it waited for a raise that came.
            caller.ask(calls(9).timeoutMillis(300), calls -> ofUser(250, calls));
            store.fallSilent();
            // More than StoreSvr has granted, and somebody else.
            var late = caller.ask(calls(2, 150).timeoutMillis(400), calls -> {
                calls.counts().add(1);
                ofUser(7, calls);
            });
            assertEquals(1, late.getSeqs(0));
            assertEquals(2, late.getSeqs(1));
            assertEquals(0, late.getSeqs(25));
            assertEquals(ErrorReason.DEADLINE_PASSED, late.getRefusals(0).getReason());
            int refused = late.getRefusals(0).getPlacesCount();
            assertTrue(refused > 0 && refused < 25, late::toString);
            store.speak();
            assertEquals(25_002, caller.ask(calls(3, 7)).getSeqs(0), "what was refused is a gap");
        });
    }

    private static void ofUser(long uid, FrameCalls calls) {
        for (int i = 0; i < 25; i++) {
            calls.uids().add(uid);
            calls.counts().add(1_000);
        }
    }

    @Test
    void whoGoesByAnOldPictureIsShownTheNewOneOnce() {
        tell(LONG_LEASE, (store, alloc, caller) -> {
            long old = alloc.awaitRoutes().getVersion();
            assertFalse(caller.ask(calls(1, 7).routesVersion(old)).hasRoutes(), "it answers, and shows nothing");
            store.expire(store.session("alloc-1").orElseThrow());
            long heir = store.open("alloc-2", new HostPort("127.0.0.1", 1));
            store.assignAll("alloc-2");

            var seen = new RoutesSeen(caller, old);
            while (seen.next().getRangesList().stream().noneMatch(range -> range.getOwner() == heir)) {
                // It was refused before this AllocSvr had seen all of it.
            }
            assertEquals("127.0.0.1:1", seen.addresses.get(heir));
            seen.awaitNone();
            try (var other = new FrameCaller(alloc.address())) {
                assertFalse(refused(other, -1).hasRoutes(), "there is no such version");
                assertFalse(refused(other, 0).hasRoutes(), "who names no version wants none");
                assertTrue(refused(other, old).hasRoutes(), "each stream is shown what is new to it");
                assertFalse(refused(other, Long.MAX_VALUE).hasRoutes(), "nothing is newer");
            }
        });
    }

    /** The reply to a frame that is refused with NOT_OWNER, as soon as one is. */
    private static AllocateReply refused(FrameCaller caller, long routesVersion) {
        long startedAt = System.nanoTime();
        while (true) {
            var reply = caller.ask(calls(2, 7).routesVersion(routesVersion));
            if (reply.getRefusalsCount() > 0 && reply.getRefusals(0).getReason() == ErrorReason.NOT_OWNER) {
                return reply;
            }
            assertFalse(reply.hasRoutes(), reply::toString);
            assertTrue(Outcome.isInTime(startedAt), "it is never refused");
        }
    }

    /** What one caller is shown that goes on to name the version that it had at first: no version twice. */
    private static final class RoutesSeen {
        private final FrameCaller caller;
        private final long named;
        private final Map<Long, String> addresses = new HashMap<>();
        private long version;

        RoutesSeen(FrameCaller caller, long named) {
            this.caller = caller;
            this.named = named;
            this.version = named;
        }

        RoutesReply next() {
            long startedAt = System.nanoTime();
            var reply = refused(caller, named);
            while (!reply.hasRoutes()) {
                assertTrue(Outcome.isInTime(startedAt), "nothing is shown");
                reply = refused(caller, named);
            }
            take(reply.getRoutes());
            return reply.getRoutes();
        }

        private void take(RoutesReply shown) {
            assertTrue(shown.getVersion() > version, "a version is shown once");
            assertTrue(shown.getSince() == 0 || shown.getSince() == version, "it builds upon what was shown before");
            version = shown.getVersion();
            shown.getOwnersList().forEach(owner -> addresses.put(owner.getSession(), owner.getAddress()));
        }

        /** Until there is nothing newer: sessions come and go. */
        void awaitNone() {
            long startedAt = System.nanoTime();
            for (var reply = refused(caller, named); reply.hasRoutes(); reply = refused(caller, named)) {
                take(reply.getRoutes());
                assertTrue(Outcome.isInTime(startedAt), "it is shown something each time");
            }
        }
    }

    @Test
    void aStreamThatIsResetWithFramesWaitingLeavesNothingBehind() {
        tell(STORY_LEASE, (store, alloc, caller) -> {
            store.fallSilent();
            for (int i = 0; i < 25; i++) {
                var calls = calls(i, 7, 7);
                calls.counts().add(1_000);
                calls.counts().add(1_000);
                caller.send(calls);
            }
            awaitGauge(alloc, "seqsvr_requests_waiting{tier=\"allocsvr\"}", true);
            caller.reset();
            awaitGauge(alloc, "seqsvr_requests_waiting{tier=\"allocsvr\"}", false);
            store.speak();
            alloc.awaitHealth(ServingStatus.SERVING);
            assertTrue(alloc.take("messages", 7, 1) > 1);
        });
    }

    private static void awaitGauge(TestAllocSvr alloc, String name, boolean above) {
        long startedAt = System.nanoTime();
        while (value(alloc.scrape(), name) > 0 != above) {
            long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt);
            assertTrue(passed < FrameCaller.GENEROUS_MILLIS, () -> alloc.scrape());
        }
    }

    private static double value(String scrape, String name) {
        return scrape.lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(
                        line -> Double.parseDouble(line.substring(name.length()).trim()))
                .sum();
    }

    @Test
    void anyBytesEndTheirStreamOrAreAnsweredAndTheNextStreamIsServed() {
        long seed = Long.getLong("seqsvr.seed", System.nanoTime());
        System.out.println(
                "seed " + seed + "; replay with mvn -pl allocsvr test -Dtest=AllocateTest -Dseqsvr.seed=" + seed);
        var random = new SplittableRandom(seed);
        tell(LONG_LEASE, (store, alloc, first) -> {
            for (int round = 0; round < 60; round++) {
                try (var caller = new FrameCaller(alloc.address())) {
                    var message = new FrameCodec().writeRequest(calls(1, 7, 8, 9));
                    for (int i = random.nextInt(4); i > 0; i--) {
                        message.setByte(random.nextInt(message.length()), (byte) random.nextInt());
                    }
                    var framed = FrameCaller.framed(message);
                    if (random.nextInt(4) == 0) {
                        framed.setByte(random.nextInt(5), (byte) random.nextInt());
                    }
                    caller.send(framed);
                    caller.halfClose();
                    var status = caller.end();
                    assertTrue(
                            List.of(
                                            GrpcStatus.OK,
                                            GrpcStatus.INVALID_ARGUMENT,
                                            GrpcStatus.UNIMPLEMENTED,
                                            GrpcStatus.RESOURCE_EXHAUSTED)
                                    .contains(status),
                            status + " with seed " + seed);
                }
            }
            assertEquals(0, first.ask(calls(2, 7)).getRefusalsCount());
        });
    }

    @Test
    void aSlowReaderHoldsNobodyElseUpAndGetsEverythingInTheEnd() {
        tell(LONG_LEASE, (store, alloc, other) -> {
            try (var slow = FrameCaller.slow(alloc.address())) {
                var calls = calls(1);
                for (int i = 0; i < 10_000; i++) {
                    calls.uids().add(i % 1_000);
                }
                var framed = FrameCaller.framed(new FrameCodec().writeRequest(calls));
                int frames = 60;
                for (int i = 0; i < frames; i++) {
                    slow.push(framed);
                }
                for (int i = 0; i < 50; i++) {
                    assertEquals(0, other.ask(calls(i, 7)).getRefusalsCount());
                }
                slow.read();
                for (int i = 0; i < frames; i++) {
                    assertEquals(10_000, slow.take().getSeqsCount());
                }
            }
        });
    }

    @Test
    void aMessageThatIsNoFrameEndsTheStream() {
        tell(LONG_LEASE, (store, alloc, caller) -> {
            caller.send(FrameCaller.framed(Buffer.buffer(new byte[] {0, 1, 2})));
            assertEquals(GrpcStatus.INVALID_ARGUMENT, caller.end());
        });
    }
}
