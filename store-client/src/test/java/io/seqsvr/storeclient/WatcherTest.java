package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.internal.v1.LeaseTerms;
import io.seqsvr.proto.internal.v1.View;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.internal.v1.WatchRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a process hears of changes, through failures of every kind. */
class WatcherTest {
    private final Loop loop = new Loop();
    private final BlockingQueue<Long> seen = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        loop.close();
    }

    private StoreClient client(FakePeer... peers) {
        var addresses = Stream.of(peers).map(FakePeer::address).toList();
        return loop.result(
                () -> Future.succeededFuture(new StoreClient(loop.vertx(), addresses, Duration.ofSeconds(5))));
    }

    private Watcher watch(StoreClient client) {
        return watch(client, view -> seen.add(view.version()));
    }

    private Watcher watch(StoreClient client, Consumer<StoreView> listener) {
        return loop.result(() -> {
            var watcher = new Watcher(loop.vertx(), client, listener);
            watcher.start();
            return Future.succeededFuture(watcher);
        });
    }

    private long nextSeen() throws InterruptedException {
        var version = seen.poll(10, TimeUnit.SECONDS);
        return version == null ? -1 : version;
    }

    private static WatchReply view(String cluster, long version) {
        return WatchReply.newBuilder()
                .setClusterId(cluster)
                .setVersion(version)
                .setView(View.newBuilder()
                        .setLease(LeaseTerms.newBuilder()
                                .setTtlNanos(3_000_000_000L)
                                .setDriftPermille(100)))
                .build();
    }

    private static Future<WatchReply> unchanged(WatchRequest watch) {
        return Future.succeededFuture(WatchReply.newBuilder()
                .setClusterId(FakePeer.CLUSTER)
                .setVersion(watch.getSince())
                .build());
    }

    /** Answers with the next version each time, up to a last one, and holds the call then. */
    private static Future<WatchReply> nextUpTo(long last, WatchRequest watch) {
        return watch.getSince() < last
                ? Future.succeededFuture(view(FakePeer.CLUSTER, watch.getSince() + 1))
                : FakePeer.never();
    }

    /** Of another version perhaps, or damaged: it would say the same for good. */
    @Test
    void aPeerWhoseViewCannotBeReadIsLeftForTheNext() throws InterruptedException {
        var unreadable = new FakePeer(loop)
                .answersWatches(watch -> Future.succeededFuture(WatchReply.newBuilder()
                        .setClusterId(FakePeer.CLUSTER)
                        .setVersion(7)
                        .setView(View.getDefaultInstance())
                        .build()));
        var elsewhere = new FakePeer(loop)
                .answersWatches(watch -> Future.succeededFuture(view(FakePeer.CLUSTER, 8).toBuilder()
                        .addPeers("nowhere")
                        .build()));
        var good = new FakePeer(loop)
                .answersWatches(watch ->
                        watch.getSince() < 9 ? Future.succeededFuture(view(FakePeer.CLUSTER, 9)) : FakePeer.never());
        watch(client(unreadable, elsewhere, good));
        assertEquals(9, nextSeen());
    }

    @Test
    void everyVersionArrivesInOrder() throws InterruptedException {
        var peer = new FakePeer(loop).answersWatches(watch -> nextUpTo(5, watch));
        watch(client(peer));
        for (long version = 1; version <= 5; version++) {
            assertEquals(version, nextSeen());
        }
        assertEquals(
                List.of(0L, 1L, 2L, 3L, 4L),
                peer.watches().stream().map(WatchRequest::getSince).limit(5).toList());
    }

    @Test
    void anAnswerWithoutChangeIsFollowedByTheNextPollAndReachesNobody() throws InterruptedException {
        var polls = new AtomicInteger();
        var peer = new FakePeer(loop)
                .answersWatches(watch -> polls.incrementAndGet() <= 3 ? unchanged(watch) : nextUpTo(1, watch));
        watch(client(peer));
        assertEquals(1, nextSeen());
        assertTrue(polls.get() >= 4);
        assertTrue(seen.isEmpty());
    }

    @Test
    void afterFailuresItGoesOnWhereItStopped() throws InterruptedException {
        var polls = new AtomicInteger();
        var peer = new FakePeer(loop);
        peer.answersWatches(watch -> {
            int poll = polls.incrementAndGet();
            return poll >= 3 && poll <= 5 ? FakePeer.unknownOutcome() : nextUpTo(4, watch);
        });
        watch(client(peer));
        for (long version = 1; version <= 4; version++) {
            assertEquals(version, nextSeen());
        }
    }

    @Test
    void afterTheDeathOfItsPeerItAsksAnother() throws InterruptedException {
        var dying = new FakePeer(loop).answersWatches(watch -> nextUpTo(2, watch));
        var other = new FakePeer(loop).answersWatches(watch -> nextUpTo(3, watch));
        watch(client(dying, other));
        assertEquals(1, nextSeen());
        assertEquals(2, nextSeen());
        dying.die();
        assertEquals(3, nextSeen());
        assertEquals(2, other.watches().get(0).getSince());
    }

    @Test
    void aPeerThatComesBackAtItsAddressIsHeardAgain() throws InterruptedException, IOException {
        var peer = new FakePeer(loop, FakePeer.lastingAddress()).answersWatches(watch -> nextUpTo(1, watch));
        watch(client(peer));
        assertEquals(1, nextSeen());
        peer.die();
        new FakePeer(loop, peer.address()).answersWatches(watch -> nextUpTo(2, watch));
        assertEquals(2, nextSeen());
    }

    @Test
    void onceEveryPeerThatWasNamedIsReplacedItGoesOnWithThoseThatItWasToldOf() throws InterruptedException {
        var former = new FakePeer(loop);
        var successor = new FakePeer(loop).answersWatches(watch -> nextUpTo(3, watch));
        former.answersWatches(watch -> nextUpTo(1, watch)
                .map(reply -> reply.toBuilder()
                        .addPeers(successor.address().toString())
                        .build()));
        var client = client(former);
        watch(client);
        assertEquals(1, nextSeen());
        former.die();
        assertEquals(2, nextSeen());
        assertEquals(3, nextSeen());
        loop.result(() -> client.execute(new Renew(7)));
        assertEquals(1, successor.commands().size());
    }

    @Test
    void aViewOfAnotherClusterIsRefusedAndTheNextPeerAsked() throws InterruptedException {
        var peer = new FakePeer(loop).answersWatches(watch -> nextUpTo(1, watch));
        var other = new FakePeer(loop).answersWatches(watch -> nextUpTo(2, watch));
        Promise<WatchReply> held = Promise.promise();
        peer.answersWatches(watch -> watch.getSince() == 0 ? nextUpTo(1, watch) : held.future());
        watch(client(peer, other));
        assertEquals(1, nextSeen());
        peer.answersWatches(watch -> Future.succeededFuture(view("cluster-2", 99)));
        held.complete(view("cluster-2", 98));
        assertEquals(2, nextSeen());
    }

    @Test
    void theFirstViewTellsTheClusterAsAnAnswerToACommandDoes() throws InterruptedException {
        var peer = new FakePeer(loop).answersWatches(watch -> nextUpTo(1, watch));
        var client = client(peer);
        watch(client);
        assertEquals(1, nextSeen());
        loop.result(() -> client.execute(new Renew(7)));
        assertEquals(FakePeer.CLUSTER, peer.commands().get(0).getClusterId());
        peer.answers(command -> Future.succeededFuture(FakePeer.reply("cluster-2", 9)));
        assertInstanceOf(IllegalStateException.class, loop.failure(() -> client.execute(new Renew(7))));
    }

    @Test
    void aListenerThatFailsOnceHearsTheNextViewAllTheSame() throws InterruptedException {
        var peer = new FakePeer(loop).answersWatches(watch -> nextUpTo(2, watch));
        watch(client(peer), view -> {
            if (view.version() == 1) {
                throw new IllegalStateException("a defect of the listener, made by the test");
            }
            seen.add(view.version());
        });
        assertEquals(2, nextSeen());
    }

    /** A peer that has nothing to show; tells when it is asked. */
    private static Promise<Void> hang(FakePeer peer) {
        var asked = Promise.<Void>promise();
        peer.answersWatches(watch -> {
            asked.tryComplete();
            return FakePeer.never();
        });
        return asked;
    }

    private void elsewhere(Watcher watcher) {
        loop.result(() -> {
            watcher.elsewhere();
            return Future.succeededFuture();
        });
    }

    @Test
    void toldToLookElsewhereItLeavesAPeerThatShowsNothing() throws InterruptedException {
        var stale = new FakePeer(loop);
        var asked = hang(stale);
        var other = new FakePeer(loop).answersWatches(watch -> nextUpTo(3, watch));
        var watcher = watch(client(stale, other));
        Loop.await(asked.future());
        assertNull(seen.poll());
        elsewhere(watcher);
        assertEquals(1, nextSeen());
        assertEquals(2, nextSeen());
        assertEquals(3, nextSeen());
        assertEquals(1, stale.watches().size(), "it went back to the stale peer");
    }

    @Test
    void toldAgainItGoesOnToTheNextPeer() throws InterruptedException {
        var first = new FakePeer(loop);
        var second = new FakePeer(loop);
        var askedFirst = hang(first);
        var askedSecond = hang(second);
        var third = new FakePeer(loop).answersWatches(watch -> nextUpTo(1, watch));
        var watcher = watch(client(first, second, third));
        Loop.await(askedFirst.future());
        elsewhere(watcher);
        Loop.await(askedSecond.future());
        elsewhere(watcher);
        assertEquals(1, nextSeen());
    }

    @Test
    void itPrefersTheLeaderWhichAnswersRenewalsAndSoIsNotStale() throws InterruptedException {
        var deposed = new FakePeer(loop);
        var follower = new FakePeer(loop);
        var asked = hang(deposed);
        hang(follower);
        var leader = new FakePeer(loop).answersWatches(watch -> nextUpTo(1, watch));
        var client = client(deposed, follower, leader);
        var watcher = watch(client);
        Loop.await(asked.future());
        deposed.answers(command -> FakePeer.notLeader(leader.address().toString()));
        loop.result(() -> client.execute(new Renew(7)));
        elsewhere(watcher);
        assertEquals(1, nextSeen());
        assertEquals(List.of(), follower.watches());
    }

    @Test
    void theOnlyPeerIsAskedAgain() throws InterruptedException {
        var peer = new FakePeer(loop);
        var asked = hang(peer);
        var watcher = watch(client(peer));
        Loop.await(asked.future());
        peer.answersWatches(watch -> nextUpTo(1, watch));
        elsewhere(watcher);
        assertEquals(1, nextSeen());
    }

    @Test
    void aPollThatWasGivenUpMayStillBringNewsButIsFollowedByNoOther() throws InterruptedException {
        Promise<WatchReply> held = Promise.promise();
        var asked = Promise.<Void>promise();
        var slow = new FakePeer(loop).answersWatches(watch -> {
            asked.tryComplete();
            return held.future();
        });
        var other = new FakePeer(loop).answersWatches(watch -> nextUpTo(2, watch));
        var client = client(slow, other);
        var watcher = watch(client);
        Loop.await(asked.future());
        elsewhere(watcher);
        assertEquals(1, nextSeen());
        assertEquals(2, nextSeen());
        held.complete(view(FakePeer.CLUSTER, 3));
        assertEquals(3, nextSeen());
        other.answersWatches(WatcherTest::unchanged);
        loop.result(() -> client.watch(3, Duration.ZERO));
        assertEquals(
                List.of(0L, 1L, 2L, 3L),
                other.watches().stream().map(WatchRequest::getSince).toList(),
                "two watches run side by side");
    }

    @Test
    void onceStoppedItHandsNothingOnAndAsksNoMore() {
        Promise<WatchReply> held = Promise.promise();
        var asked = Promise.<Void>promise();
        var peer = new FakePeer(loop).answersWatches(watch -> {
            asked.tryComplete();
            return held.future();
        });
        var watcher = watch(client(peer));
        Loop.await(asked.future());
        loop.result(() -> {
            watcher.stop();
            watcher.start();
            return Future.succeededFuture();
        });
        held.complete(view(FakePeer.CLUSTER, 1));
        // A second client's call to the same peer comes back only after the watcher's answer went out.
        var other = client(peer);
        peer.answersWatches(WatcherTest::unchanged);
        assertEquals(Optional.empty(), loop.result(() -> other.watch(1, Duration.ZERO)));
        assertNull(seen.poll());
        assertEquals(2, peer.watches().size());
    }
}
