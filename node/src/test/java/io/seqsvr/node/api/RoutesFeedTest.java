package io.seqsvr.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.FollowedRoutes;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.node.server.ReplyStream;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.RoutesReply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What watchers are told, in virtual time: those who read, and those who do not. */
class RoutesFeedTest {
    private static final long SECOND = 1_000_000_000L;

    private final RoutesFeed feed = new RoutesFeed(3);

    /** A watcher that takes what comes when the test says so. */
    private static final class Reader implements ReplyStream {
        private final Deque<Buffer> sent = new ArrayDeque<>();
        private final Deque<Promise<Void>> untaken = new ArrayDeque<>();
        private final List<RpcException> errors = new ArrayList<>();
        private Runnable gone = () -> {};
        private boolean room = true;

        @Override
        public boolean hasRoom(int length) {
            return room;
        }

        @Override
        public Future<Void> write(Buffer message) {
            sent.add(message);
            Promise<Void> taken = Promise.promise();
            untaken.add(taken);
            return taken.future();
        }

        @Override
        public void fail(RpcException error) {
            errors.add(error);
            gone.run();
        }

        @Override
        public void onGone(Runnable whenGone) {
            gone = whenGone;
        }

        RouteChanges take() {
            try {
                var changes =
                        RoutesCodec.decode(RoutesReply.parseFrom(sent.remove().getBytes()));
                untaken.remove().complete();
                return changes;
            } catch (InvalidProtocolBufferException unreadable) {
                throw new AssertionError(unreadable);
            }
        }
    }

    private static RoutePicture picture(long version) {
        var owners = List.of(new RouteOwner(1, "a:1", "a"), new RouteOwner(2, "b:1", "b"));
        var ranges = new ArrayList<RouteRange>();
        for (int i = 0; i < 10; i++) {
            ranges.add(new RouteRange(1, i * 10, i * 10 + 9, 1 + i % 2, i == 0 ? version : 1));
        }
        return new RoutePicture(
                "cluster-1",
                version,
                List.of(Namespace.ofDefaults(1, "messages")),
                owners,
                new RouteTable(version, ranges));
    }

    private Reader watch(long since) {
        var reader = new Reader();
        feed.watch(since, reader, 0);
        return reader;
    }

    @Test
    void theFirstMessageComesAtOnceAndThenOneForEachChange() {
        feed.learn(picture(10), 0);
        var reader = watch(0);
        assertTrue(reader.take().complete());
        feed.learn(picture(20), 1);
        var change = reader.take();
        assertEquals(List.of(10L, 20L, 1), List.of(change.since(), change.version(), change.size()));
        feed.learn(picture(20), 2);
        assertTrue(reader.sent.isEmpty(), "the same picture is no news");
    }

    @Test
    void whoIsUpToDateHearsSoAtOnce() {
        feed.learn(picture(10), 0);
        var same = watch(10).take();
        assertEquals(List.of(10L, 10L, 0), List.of(same.since(), same.version(), same.size()));
    }

    @Test
    void whoReadsSlowlyIsToldTheRestInOneMessageAndNoneWaits() {
        feed.learn(picture(10), 0);
        var slow = watch(0);
        var quick = watch(0);
        quick.take();
        for (int version = 11; version <= 60; version++) {
            feed.learn(picture(version), version);
            assertEquals(1, slow.sent.size(), "one is on its way, none waits");
            quick.take();
        }
        var followed = new FollowedRoutes();
        followed.take(slow.take());
        assertEquals(10, followed.version());
        followed.take(slow.take());
        assertEquals(60, followed.version());
        assertEquals(
                picture(60).routes().ranges(),
                followed.picture().orElseThrow().routes().ranges());
        assertTrue(slow.sent.isEmpty());
    }

    @Test
    void whoFindsNoRoomIsToldWhenSomebodyElseHasRead() {
        feed.learn(picture(10), 0);
        var first = watch(0);
        var second = new Reader();
        second.room = false;
        feed.watch(0, second, 0);
        var third = new Reader();
        third.room = false;
        feed.watch(0, third, 0);
        feed.learn(picture(20), 1);
        feed.tick(RoutesFeed.SIGN_OF_LIFE_NANOS);
        assertTrue(second.sent.isEmpty() && third.sent.isEmpty());
        third.gone.run();
        third.room = true;
        second.room = true;
        first.take();
        assertEquals(20, second.take().version(), "and that is the newest by then");
        assertTrue(second.errors.isEmpty() && third.sent.isEmpty());
    }

    @Test
    void whatManyAreToldIsEncodedOnce() {
        feed.learn(picture(10), 0);
        var one = watch(10);
        var other = watch(10);
        one.take();
        other.take();
        assertSame(feed.since(0), feed.since(0));
        feed.learn(picture(20), 1);
        assertSame(one.sent.peek(), other.sent.peek());
        assertEquals(20, feed.since(10).getVersion());
    }

    @Test
    void whoGoesByAnOlderPictureIsToldWhatIsNewerAndNobodyElseAnything() {
        assertEquals(Optional.empty(), feed.newerThan(5), "nothing was seen yet");
        feed.learn(picture(10), 0);
        assertEquals(Optional.empty(), feed.newerThan(10));
        assertEquals(Optional.empty(), feed.newerThan(11));
        feed.learn(picture(20), 1);
        var changes = RoutesCodec.decode(feed.newerThan(10).orElseThrow());
        assertEquals(List.of(10L, 20L, 1), List.of(changes.since(), changes.version(), changes.size()));
        assertSame(feed.newerThan(10).orElseThrow(), feed.newerThan(10).orElseThrow(), "it is encoded once");
        assertTrue(RoutesCodec.decode(feed.newerThan(7).orElseThrow()).complete(), "version 7 was never seen here");
    }

    @Test
    void aSignOfLifeComesWhereNothingElseDid() {
        feed.learn(picture(10), 0);
        var reader = watch(0);
        reader.take();
        feed.tick(RoutesFeed.SIGN_OF_LIFE_NANOS - 1);
        assertTrue(reader.sent.isEmpty());
        feed.tick(RoutesFeed.SIGN_OF_LIFE_NANOS);
        assertEquals(0, reader.take().size());
        feed.learn(picture(20), RoutesFeed.SIGN_OF_LIFE_NANOS + 15 * SECOND);
        reader.take();
        feed.tick(2 * RoutesFeed.SIGN_OF_LIFE_NANOS);
        assertTrue(reader.sent.isEmpty(), "a change is a sign of life too");
    }

    @Test
    void whoDoesNotReadGetsNoSignsOfLifeThatPileUp() {
        feed.learn(picture(10), 0);
        var stuck = watch(0);
        for (int look = 1; look < 100; look++) {
            feed.tick(look * RoutesFeed.SIGN_OF_LIFE_NANOS);
        }
        assertEquals(1, stuck.sent.size());
    }

    @Test
    void whoIsAheadOfThisServerIsToldOnlyWhatIsNewerThanItHas() {
        feed.learn(picture(10), 0);
        var ahead = watch(30);
        assertEquals(10, ahead.take().version());
        feed.learn(picture(20), 1);
        var behind = ahead.take();
        assertEquals(List.of(20L, 20L), List.of(behind.since(), behind.version()));
        feed.learn(picture(40), 2);
        assertTrue(ahead.take().complete(), "this server has not seen version 30");
    }

    @Test
    void whoIsGoneIsForgotten() {
        feed.learn(picture(10), 0);
        var reader = watch(0);
        assertEquals(1, feed.watching());
        reader.gone.run();
        assertEquals(0, feed.watching());
        reader.untaken.remove().fail("the connection is lost");
        feed.learn(picture(20), 1);
        assertEquals(1, reader.sent.size());
    }

    @Test
    void atTheEndWhoeverWatchesIsToldToGo() {
        feed.learn(picture(10), 0);
        var one = watch(0);
        var other = watch(0);
        feed.end(RpcException.of(GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "this process stops"));
        assertEquals(ErrorReason.NOT_READY, one.errors.get(0).reason());
        assertEquals(ErrorReason.NOT_READY, other.errors.get(0).reason());
        assertEquals(0, feed.watching());
    }

    @Test
    void moreThanTheBoundAreRefused() {
        feed.learn(picture(10), 0);
        watch(0);
        watch(0);
        var last = watch(0);
        var refused = watch(0);
        assertFalse(last.sent.isEmpty());
        assertTrue(refused.sent.isEmpty());
        assertEquals(ErrorReason.TOO_MANY_WATCHING, refused.errors.get(0).reason());
        last.gone.run();
        assertFalse(watch(0).sent.isEmpty(), "one went, one may come");
    }
}
