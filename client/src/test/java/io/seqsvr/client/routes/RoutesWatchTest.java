package io.seqsvr.client.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.proto.fixture.StallingRelay;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller that watches the routes at one of two servers, whatever becomes of the one that it watches. */
@Timeout(60)
class RoutesWatchTest {
    /** Nobody listens there, and no system gives it to anybody who asks for a free one. */
    private static final HostPort NOBODY = new HostPort("127.0.0.1", 1);

    private static final Pace PATIENT = new Pace(30_000, 30_000, 30_000, 1, 2);
    private static final Pace IMPATIENT = new Pace(2_000, 2_000, 2_000, 1, 2);

    private final List<RoutesWatch> watches = new ArrayList<>();
    private final FakeRoutesServer one = new FakeRoutesServer();
    private final FakeRoutesServer other = new FakeRoutesServer();
    private final BlockingQueue<RoutePicture> seen = new LinkedBlockingQueue<>();
    private final BlockingQueue<RoutePicture> confirmed = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> left = new LinkedBlockingQueue<>();
    /** Runs on the thread of the watch, before it asks the next server. */
    private volatile Runnable whenLeft = () -> {};

    @AfterEach
    void close() {
        watches.forEach(RoutesWatch::close);
        one.close();
        other.close();
    }

    private RoutesWatch watch(Pace pace, HostPort... servers) {
        var listener = new RoutesListener() {
            @Override
            public void seen(RoutePicture picture) {
                seen.add(picture);
            }

            @Override
            public void confirmed(RoutePicture picture) {
                confirmed.add(picture);
            }

            @Override
            public void left(String server, String why) {
                left.add(server + " " + why);
                whenLeft.run();
            }
        };
        var addresses = Stream.of(servers).map(HostPort::toString).toList();
        var watch = new RoutesWatch(addresses, listener, new SplittableRandom(1), pace);
        watches.add(watch);
        watch.start();
        return watch;
    }

    private RoutesWatch watchBoth() {
        return watch(PATIENT, one.address(), other.address());
    }

    private static RoutePicture picture(String cluster, long version, long owner) {
        return new RoutePicture(
                cluster,
                version,
                List.of(Namespace.ofDefaults(1, "messages")),
                List.of(new RouteOwner(owner, "10.0.0." + owner + ":7721", "a" + owner)),
                new RouteTable(version, List.of(new RouteRange(1, 0, 42_949, owner, version))));
    }

    private static RoutePicture picture(long version, long owner) {
        return picture("cluster-1", version, owner);
    }

    @Test
    void howeverManyCloseItAtOnceAllComeBack() throws Exception {
        for (int round = 0; round < 20; round++) {
            var watch = watchBoth();
            var together = new CyclicBarrier(4);
            var closers = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < 4; i++) {
                closers.add(CompletableFuture.runAsync(() -> close(watch, together), task -> new Thread(task).start()));
            }
            CompletableFuture.allOf(closers.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
        }
    }

    private static void close(RoutesWatch watch, CyclicBarrier together) {
        try {
            together.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
            throw new IllegalStateException(alone);
        }
        watch.close();
    }

    private static <T> T take(BlockingQueue<T> queue) {
        try {
            var next = queue.poll(FakeRoutesServer.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            return next == null ? fail("nothing came") : next;
        } catch (InterruptedException interrupted) {
            return fail(interrupted);
        }
    }

    private void assertSees(long version, long owner) {
        var picture = take(seen);
        assertEquals(version, picture.version());
        assertEquals(
                List.of(new RouteRange(1, 0, 42_949, owner, version)),
                picture.routes().ranges());
        assertEquals("a" + owner, picture.owner(owner).orElseThrow().name());
    }

    @Test
    void firstThePictureThenEachChange() {
        watchBoth();
        var watcher = one.next();
        assertEquals(0, watcher.request().getSince());
        assertEquals("", watcher.request().getClusterId());
        watcher.tell(picture(10, 1).complete());
        assertSees(10, 1);
        watcher.tell(RouteChanges.between(picture(10, 1), picture(20, 2)));
        assertSees(20, 2);
        watcher.tell(RouteChanges.between(picture(20, 2), picture(20, 2)));
        watcher.tell(RouteChanges.between(picture(20, 2), picture(30, 3)));
        assertSees(30, 3);
        assertTrue(left.isEmpty());
    }

    @Test
    void whoLosesItsServerGoesOnAtTheNextFromWhereItStands() {
        watchBoth();
        var watcher = one.next();
        watcher.tell(picture(10, 1).complete());
        assertSees(10, 1);
        watcher.cutConnection();
        var next = other.next();
        assertEquals(10, next.request().getSince());
        assertEquals("cluster-1", next.request().getClusterId());
        next.tell(RouteChanges.between(picture(10, 1), picture(20, 2)));
        assertSees(20, 2);
    }

    @Test
    void aServerThatStopsIsLeft() {
        watchBoth();
        one.next()
                .refuse(RpcException.retryable(
                        GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "this process stops", 50));
        assertEquals(one.address() + " UNAVAILABLE: this process stops", take(left));
        other.next().end();
        assertEquals(other.address() + " it ended the stream", take(left));
        one.next().tell(picture(10, 1).complete());
        assertSees(10, 1);
    }

    @Test
    void aServerThatNobodyReachesIsLeft() {
        watch(PATIENT, NOBODY, one.address());
        one.next().tell(picture(10, 1).complete());
        assertSees(10, 1);
        assertTrue(take(left).startsWith(NOBODY.toString()));
    }

    /** As a picture of megabytes may be on a slow way. */
    @Test
    void anAnswerThatHasBegunIsWaitedForLonger() {
        watch(new Pace(1_000, 30_000, 30_000, 1, 2), one.address());
        var watcher = one.next();
        watcher.begin();
        watcher.tellAfter(2_000, picture(10, 1).complete());
        assertSees(10, 1);
        assertTrue(left.isEmpty(), left::toString);
    }

    @Test
    void aServerThatFallsSilentIsLeft() {
        watch(IMPATIENT, one.address(), other.address());
        one.next();
        assertTrue(take(left).contains("said nothing"), "not even a first message came");
        other.next().tell(picture(10, 1).complete());
        assertSees(10, 1);
        assertTrue(take(left).contains("said nothing"), "no sign of life came after the picture");
        assertEquals(10, one.next().request().getSince());
    }

    @Test
    void theOnlyServerIsAskedAgainOverAnotherConnectionIfItAcceptedOneAndNeverSpoke() {
        try (var relay = new StallingRelay(one.address().toString())) {
            relay.stallNext();
            watch(IMPATIENT, HostPort.parse(relay.address()));
            assertTrue(take(left).contains("said nothing"));
            one.next().tell(picture(10, 1).complete());
            assertSees(10, 1);
        }
    }

    @Test
    void aServerOfAnotherClusterIsLeftAndNotBelieved() {
        var watch = watchBoth();
        var watcher = one.next();
        watcher.tell(picture(10, 1).complete());
        assertSees(10, 1);
        watcher.cutConnection();
        other.next().tell(picture("cluster-2", 99, 9).complete());
        take(left);
        assertTrue(take(left).contains("another cluster"));
        one.next().tell(RouteChanges.between(picture(10, 1), picture(20, 2)));
        assertSees(20, 2);
        assertEquals("cluster-1", watch.picture().orElseThrow().clusterId());
    }

    @Test
    void aServerThatSendsWhatNobodyCanReadIsLeft() {
        watchBoth();
        one.next().tell(Buffer.buffer(new byte[] {1, 2, 3}));
        assertTrue(take(left).contains("cannot be read"));
        other.next().tell(RouteChanges.between(picture(10, 1), picture(20, 2)));
        assertTrue(take(left).contains("not known here"));
        one.next().tell(picture(30, 3).complete());
        assertSees(30, 3);
    }

    @Test
    void aServerThatIsBehindTakesNobodyBackAndIsLeftWhereThePictureIsOutdated() {
        var watch = watchBoth();
        var watcher = one.next();
        watcher.tell(picture(20, 2).complete());
        assertSees(20, 2);
        whenLeft = watch::elsewhere;
        watch.elsewhere();
        assertTrue(take(left).contains("outdated"));
        var behind = other.next();
        behind.tell(picture(10, 1).complete());
        behind.tell(RouteChanges.between(picture(20, 2), picture(30, 3)));
        assertSees(30, 3);
        assertTrue(one.nobodyWatches(), "who is asking already asks nobody else");
    }

    @Test
    void aServerThatShowsNothingNewerConfirmsWhatWasSeen() {
        var watch = watchBoth();
        one.next().tell(picture(10, 1).complete());
        assertSees(10, 1);
        watch.elsewhere();
        other.next().tell(picture(10, 1).complete());
        assertEquals(10, take(confirmed).version());
        assertTrue(seen.isEmpty());
    }

    @Test
    void whatSomebodyElseToldIsSeenAndTheWatchGoesOnFromWhereItStands() {
        var watch = watchBoth();
        var watcher = one.next();
        watcher.tell(picture(10, 1).complete());
        assertSees(10, 1);
        watch.overheard(RouteChanges.between(picture(10, 1), picture(30, 3)));
        assertSees(30, 3);
        watcher.tell(RouteChanges.between(picture(10, 1), picture(20, 2)));
        watcher.tell(RouteChanges.between(picture(20, 2), picture(30, 3)));
        assertEquals(30, take(confirmed).version());
        watch.overheard(RouteChanges.between(picture(30, 3), picture(40, 4)));
        assertSees(40, 4);
        watcher.tell(RouteChanges.between(picture(30, 3), picture(50, 5)));
        assertSees(50, 5);
        assertTrue(left.isEmpty() && confirmed.isEmpty());
    }

    @Test
    void whatSomebodyElseToldThatIsOlderOrOfAnotherClusterOrDoesNotFitIsNotSeen() {
        var watch = watchBoth();
        watch.overheard(picture(90, 9).complete());
        var watcher = one.next();
        watcher.tell(picture(20, 2).complete());
        assertSees(20, 2);
        watch.overheard(picture(10, 1).complete());
        watch.overheard(picture("cluster-2", 99, 9).complete());
        watch.overheard(RouteChanges.between(picture(10, 1), picture(30, 3)));
        watcher.tell(RouteChanges.between(picture(20, 2), picture(40, 4)));
        assertSees(40, 4);
        assertTrue(confirmed.isEmpty());
    }

    @Test
    void aServerThatHasNotWhatSomebodyElseToldDoesNotConfirmIt() {
        var watch = watchBoth();
        one.next().tell(picture(10, 1).complete());
        assertSees(10, 1);
        watch.overheard(picture(20, 2).complete());
        assertSees(20, 2);
        watch.elsewhere();
        var behind = other.next();
        behind.tell(picture(10, 1).complete());
        behind.tell(RouteChanges.between(picture(10, 1), picture(30, 3)));
        assertSees(30, 3);
        assertTrue(confirmed.isEmpty());
    }

    @Test
    void whoIsLeftForAnotherIsListenedToUntilThatOneSpeaks() {
        var watch = watch(PATIENT, one.address(), NOBODY);
        var first = one.next();
        first.tell(picture(10, 1).complete());
        assertSees(10, 1);
        watch.elsewhere();
        assertTrue(take(left).contains("outdated"));
        assertTrue(take(left).startsWith(NOBODY.toString()));
        var second = one.next();
        first.tell(RouteChanges.between(picture(10, 1), picture(20, 2)));
        assertSees(20, 2);
        second.tell(RouteChanges.between(picture(10, 1), picture(20, 2)));
        second.tell(RouteChanges.between(picture(20, 2), picture(30, 3)));
        assertSees(30, 3);
        // Over an open stream it would come before what the other is told after it.
        first.tell(RouteChanges.between(picture(30, 3), picture(40, 4)));
        second.tell(RouteChanges.between(picture(30, 3), picture(50, 5)));
        assertSees(50, 5);
        assertTrue(left.isEmpty());
    }

    @Test
    void whoStoppedIsToldNothingMore() {
        var watch = watchBoth();
        var watcher = one.next();
        watcher.tell(picture(10, 1).complete());
        assertSees(10, 1);
        watch.close();
        watcher.tell(RouteChanges.between(picture(10, 1), picture(20, 2)));
        watch(PATIENT, one.address());
        one.next().tell(picture(30, 3).complete());
        assertSees(30, 3);
        assertTrue(left.isEmpty());
        assertTrue(other.nobodyWatches());
    }

    /** Vert.x lets none of its workers wait for a future of its own. */
    @Test
    void aWorkerOfAnApplicationOnVertxStopsItToo() throws Exception {
        var watch = watchBoth();
        one.next();
        var application = Vertx.vertx();
        try {
            var closing = application.executeBlocking(() -> {
                watch.close();
                return true;
            });
            assertTrue(closing.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS));
        } finally {
            application.close().await();
        }
    }

    /** It would wait for itself. */
    @Test
    void aListenerCannotStopIt() {
        var refused = new CompletableFuture<String>();
        var watch = watchBoth();
        whenLeft = () -> {
            try {
                watch.close();
                refused.complete("");
            } catch (IllegalStateException told) {
                refused.complete(String.valueOf(told.getMessage()));
            }
        };
        one.next().tell(picture(10, 1).complete());
        assertSees(10, 1);
        watch.elsewhere();
        assertTrue(refused.orTimeout(30, TimeUnit.SECONDS).join().contains("on another thread"));
        other.next().tell(picture(20, 2).complete());
        assertSees(20, 2);
    }

    @Test
    void withoutAServerThereIsNothingToWatch() {
        assertThrows(IllegalArgumentException.class, () -> watch(PATIENT));
    }

    @Test
    void pausesGrowAndAreSpread() {
        var random = new SplittableRandom(1);
        for (int failures = 0; failures < 80; failures++) {
            long most = Math.min(2_000, 20L << Math.min(failures, 20));
            long pause = Pace.USUAL.pauseMillis(failures, random);
            assertTrue(pause >= most / 2 && pause <= most, pause + " ms after " + failures + " failures");
        }
    }
}
