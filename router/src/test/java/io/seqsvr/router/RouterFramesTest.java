package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.seqsvr.client.CurrentSequence.Exactness;
import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceClientMeters;
import io.seqsvr.client.SequenceException;
import io.seqsvr.client.SequenceRange;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames through a router: a client that reaches nobody else is served as if one server owned all users. */
@Timeout(30)
class RouterFramesTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 1_000, 100, 10, 50, Long.MAX_VALUE);
    private static final Set<SequenceException.Kind> PASSING =
            EnumSet.of(SequenceException.Kind.UNAVAILABLE, SequenceException.Kind.UNKNOWN_OUTCOME);
    private static final long OF_ALLOC_1 = 1_001;
    private static final long OF_ALLOC_2 = 2_002;

    private final FakeStoreSvr store = new FakeStoreSvr(LEASE, MESSAGES);
    private final FakeAllocSvr alloc1 = new FakeAllocSvr(OF_ALLOC_1);
    private final FakeAllocSvr alloc2 = new FakeAllocSvr(OF_ALLOC_2);

    @AfterEach
    void close() {
        alloc1.close();
        alloc2.close();
        store.close();
    }

    private interface Story {
        void happens(SequenceClient client);
    }

    /** A client behind a router in front of two allocators, each of which has half of the users of {@link #ofAll}. */
    private void tell(Duration timeout, Story story) {
        store.open("alloc-1", alloc1.address());
        store.open("alloc-2", alloc2.address());
        try (var router = new TestRouter(store.address())) {
            router.awaitHealth(ServingStatus.SERVING);
            try (var client = SequenceClient.builder()
                    .endpoint(router.address().toString())
                    .namespace("messages")
                    .timeout(timeout)
                    .rememberedUsers(0)
                    .framesInFlight(64)
                    .viaEndpoint()
                    .build()) {
                story.happens(client);
            }
        }
    }

    private FakeAllocSvr ownerOf(long uid) {
        var owner = store.view()
                .routes()
                .find(MESSAGES.id(), MESSAGES.segmentOf(uid))
                .orElseThrow()
                .owner();
        return store.view().session(owner).orElseThrow().name().equals("alloc-1") ? alloc1 : alloc2;
    }

    private static List<CompletionStage<SequenceRange>> ofAll(SequenceClient client) {
        return LongStream.range(0, 200).mapToObj(i -> client.next(i * 5)).toList();
    }

    private static long usersOf(FakeAllocSvr alloc) {
        return alloc.asked().stream().map(FakeAllocSvr.Asked::uid).distinct().count();
    }

    @Test
    void aFrameIsSplitByOwnerAndAnsweredInItsOrder() {
        tell(Duration.ofSeconds(10), client -> {
            var calls = ofAll(client);
            for (int i = 0; i < calls.size(); i++) {
                var range = SequenceClient.join(calls.get(i));
                assertEquals(5L * i, range.uid());
                assertEquals(ownerOf(range.uid()) == alloc1 ? OF_ALLOC_1 : OF_ALLOC_2, range.first());
                assertEquals(FakeAllocSvr.EPOCH, range.epoch());
            }
            // An owner that is late is asked again.
            assertEquals(100, usersOf(alloc1));
            assertEquals(100, usersOf(alloc2));
            assertTrue(alloc1.frames().size() < 20, () -> alloc1.frames().size() + " frames");
        });
    }

    @Test
    void readingsAndFloorsPassToo() {
        tell(Duration.ofSeconds(10), client -> {
            var reading = SequenceClient.join(client.current(7));
            assertEquals(Exactness.UPPER_BOUND, reading.exactness());
            assertEquals(
                    800,
                    SequenceClient.join(client.raiseFloor("messages", 7, 800)).seq());
        });
    }

    @Test
    void whatIsWrongWithOneCallIsSaidOfItAlone() {
        tell(Duration.ofSeconds(10), client -> {
            var wrong = client.next(1_000);
            var right = client.next(7);
            assertTrue(SequenceClient.join(right).first() > 0);
            var error = assertThrows(SequenceException.class, () -> SequenceClient.join(wrong));
            assertEquals(SequenceException.Kind.INVALID, error.kind());
        });
    }

    @Test
    void callsThatOneOwnerRefusesForAMomentAreAskedForAgainAtTheRouter() {
        var refusing = new AtomicInteger(3);
        alloc1.onFrame(calls -> refusing.getAndDecrement() > 0
                ? FakeAllocSvr.refusal(ErrorReason.NOT_OWNER, "not mine yet")
                : FakeAllocSvr.reply(calls, OF_ALLOC_1, FakeAllocSvr.EPOCH));
        tell(Duration.ofSeconds(10), client -> {
            var registry = new SimpleMeterRegistry();
            new SequenceClientMeters(client).bindTo(registry);
            var retries = registry.get("seqsvr.client.retries").functionCounter();
            double before;
            // A router asks again for as long as a frame may take, which is soon over where the machine is busy.
            int rounds = 0;
            do {
                assertTrue(rounds++ < 20, "the client had to ask again each time");
                refusing.set(3);
                before = retries.count();
                ofAll(client).forEach(SequenceClient::join);
                assertTrue(refusing.get() < 0);
            } while (retries.count() > before);
        });
    }

    /** StoreSvr shows nothing newer here: it is left to who is asked. */
    @Test
    void whoIsNotTheOwnerShowsTheRouterWhoIs() {
        tell(Duration.ofSeconds(10), client -> {
            var shown = new AtomicInteger();
            alloc1.onFrame(calls -> {
                shown.incrementAndGet();
                // Above whatever this StoreSvr may come to.
                var picture = allAtAlloc2(calls.routesVersion() + 1_000_000);
                return FakeAllocSvr.refusal(ErrorReason.NOT_OWNER, "moved")
                        .routes(Buffer.buffer(
                                RoutesCodec.encode(picture.complete()).toByteArray()));
            });
            for (var call : ofAll(client)) {
                assertEquals(OF_ALLOC_2, SequenceClient.join(call).first());
            }
            assertTrue(shown.get() > 0);
            alloc1.frames().clear();
            ofAll(client).forEach(SequenceClient::join);
            assertEquals(List.of(), List.copyOf(alloc1.frames()), "it is not asked any more");
        });
    }

    private RoutePicture allAtAlloc2(long version) {
        return new RoutePicture(
                FakeStoreSvr.CLUSTER,
                version,
                List.of(MESSAGES),
                List.of(new RouteOwner(77, alloc2.address().toString(), "alloc-2")),
                new RouteTable(
                        version, List.of(new RouteRange(1, 0, MESSAGES.segmentCount() - 1, 77, FakeAllocSvr.EPOCH))));
    }

    @Test
    void answersOfAFormerOwnerAreAskedForAgain() {
        var stale = new AtomicInteger(2);
        tell(Duration.ofSeconds(10), client -> {
            ofAll(client).forEach(SequenceClient::join);
            alloc2.onFrame(calls -> FakeAllocSvr.reply(
                    calls, OF_ALLOC_2 + 1, FakeAllocSvr.EPOCH - (stale.getAndDecrement() > 0 ? 1 : 0)));
            for (var call : ofAll(client)) {
                var range = SequenceClient.join(call);
                assertEquals(FakeAllocSvr.EPOCH, range.epoch());
            }
            assertTrue(stale.get() < 0);
        });
    }

    /** Else its caller might believe an answer elsewhere that is older than this one. */
    @Test
    void aFrameThatTwoOwnersAnsweredIsToldWithTheEpochOfTheNewerOne() {
        var epoch = new AtomicLong(FakeAllocSvr.EPOCH);
        var ofBoth = new ConcurrentLinkedQueue<Long>();
        tell(Duration.ofSeconds(10), client -> {
            var registry = new SimpleMeterRegistry();
            new SequenceClientMeters(client).bindTo(registry);
            var retries = registry.get("seqsvr.client.retries").functionCounter();
            ownerOf(0).onFrame(calls -> lastOneMoves(calls, epoch, ofBoth));
            List<SequenceRange> ranges;
            double before;
            int rounds = 0;
            do {
                assertTrue(rounds++ < 20, "no frame of several calls was answered by both in its time");
                ofBoth.clear();
                before = retries.count();
                ranges = LongStream.range(0, 20).mapToObj(client::next).toList().stream()
                        .map(SequenceClient::join)
                        .toList();
            } while (ofBoth.isEmpty() || retries.count() > before);
            for (var range : ranges) {
                if (ofBoth.contains(range.uid())) {
                    assertEquals(epoch.get(), range.epoch(), range::toString);
                }
            }
        });
    }

    /** The first calls that come together are answered but for the last one: that is somebody else's from then on. */
    private static FrameReply lastOneMoves(FrameCalls calls, AtomicLong epoch, Collection<Long> ofBoth) {
        var reply = FakeAllocSvr.reply(calls, OF_ALLOC_1, epoch.get());
        int last = calls.uids().size() - 1;
        if (last > 0 && ofBoth.isEmpty()) {
            for (int i = 0; i < last; i++) {
                ofBoth.add(calls.uids().get(i));
            }
            reply.seqs().set(last, 0);
            reply.refusals()
                    .addAll(FakeAllocSvr.refusal(ErrorReason.NOT_OWNER, "moved", last)
                            .refusals());
            epoch.incrementAndGet();
        }
        return reply;
    }

    @Test
    void anOwnerThatAnswersOthersMayTakeItsTimeForAFrame() {
        tell(Duration.ofSeconds(10), client -> {
            ofAll(client).forEach(SequenceClient::join);
            alloc2.takesItsTime(350);
            alloc2.asked().clear();
            var calls = ofAll(client);
            // Else one of those below would share a frame with them.
            while (alloc2.asked().size() < 100) {
                Thread.onSpinWait();
            }
            while (!calls.stream().allMatch(call -> call.toCompletableFuture().isDone())) {
                assertEquals(OF_ALLOC_2, SequenceClient.join(client.next(999)).first());
            }
            calls.forEach(SequenceClient::join);
            var asked =
                    alloc2.asked().stream().filter(each -> each.uid() != 999).toList();
            assertEquals(100, asked.size(), "nobody was asked again");
        });
    }

    @Test
    void anOwnerThatHangsCostsItsOwnCallsOnly() {
        alloc2.onFrame(calls -> null);
        tell(Duration.ofSeconds(4), client -> {
            int answered = 0;
            for (var call : ofAll(client)) {
                try {
                    assertEquals(OF_ALLOC_1, SequenceClient.join(call).first());
                    answered++;
                } catch (SequenceException noAnswer) {
                    assertTrue(PASSING.contains(noAnswer.kind()), noAnswer::toString);
                }
            }
            assertEquals(100, answered);
        });
    }
}
