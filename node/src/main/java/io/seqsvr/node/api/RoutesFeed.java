package io.seqsvr.node.api;

import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RouteHistory;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.node.server.ReplyStream;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.RoutesReply;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who watches the routes, and what each was told last. Whoever reads slowly is told what changed meanwhile in one
 * message: no more than one is on its way to a watcher, and none waits. What many have to be told is encoded once.
 */
final class RoutesFeed {
    /** With {@link #tick} some seconds apart, whoever watches hears something every 30 seconds. */
    static final long SIGN_OF_LIFE_NANOS = 20_000_000_000L;

    private final int maxWatchers;
    private final RouteHistory history = new RouteHistory();
    private final Set<Watch> watches = new LinkedHashSet<>();
    /** What is told of the newest picture, by the version that it builds upon. */
    private final Map<Long, Buffer> encoded = new HashMap<>();
    /** All of it, for whoever asks once. */
    private Optional<RoutesReply> complete = Optional.empty();
    /** Who is to be told something, and has to wait for room. */
    private final Set<Watch> late = new LinkedHashSet<>();

    private boolean tellingLate;

    private volatile int watching;

    RoutesFeed(int maxWatchers) {
        this.maxWatchers = maxWatchers;
    }

    /** Takes in a picture and tells everybody. */
    void learn(RoutePicture picture, long nowNanos) {
        if (history.learn(picture)) {
            encoded.clear();
            complete = Optional.empty();
            for (var watch : List.copyOf(watches)) {
                watch.tell(nowNanos);
            }
        }
    }

    /** What is to be told to somebody with a picture of that version; to be called after the first picture. */
    RoutesReply since(long version) {
        var changes = history.since(version);
        if (!changes.complete()) {
            return RoutesCodec.encode(changes);
        }
        complete = complete.or(() -> Optional.of(RoutesCodec.encode(changes)));
        return complete.get();
    }

    /** Version of the newest picture; 0 before the first. */
    long version() {
        return history.newest().map(RoutePicture::version).orElse(0L);
    }

    /** What is newer than that version, encoded; nothing if nothing is. */
    Optional<Buffer> newerThan(long version) {
        return version() <= version ? Optional.empty() : Optional.of(encode(history.since(version)));
    }

    /** The newest picture; nothing before the first. */
    Optional<RoutePicture> picture() {
        return history.newest();
    }

    /** The cluster; nothing before the first picture. */
    Optional<String> clusterId() {
        return history.newest().map(RoutePicture::clusterId);
    }

    /** Tells all that comes to somebody with a picture of that version; to be called after the first picture. */
    void watch(long version, ReplyStream replies, long nowNanos) {
        if (watches.size() >= maxWatchers) {
            replies.fail(RpcException.retryable(
                    GrpcStatus.RESOURCE_EXHAUSTED,
                    ErrorReason.TOO_MANY_WATCHING,
                    maxWatchers + " callers watch the routes here already; another server may have room",
                    1_000));
            return;
        }
        var watch = new Watch(version, replies);
        watches.add(watch);
        watching = watches.size();
        replies.onGone(() -> {
            watches.remove(watch);
            late.remove(watch);
            watching = watches.size();
        });
        watch.tell(nowNanos);
    }

    /** Gives a sign of life to whoever has heard nothing for long. */
    void tick(long nowNanos) {
        for (var watch : List.copyOf(watches)) {
            if (nowNanos - watch.toldAt >= SIGN_OF_LIFE_NANOS) {
                watch.tell(nowNanos);
            }
        }
    }

    /** Ends all watches. */
    void end(RpcException why) {
        for (var watch : List.copyOf(watches)) {
            watch.replies.fail(why);
        }
    }

    /** How many watch; may be asked by any thread. */
    int watching() {
        return watching;
    }

    private Buffer encode(RouteChanges changes) {
        return encoded.computeIfAbsent(
                changes.since(),
                since -> Buffer.buffer(RoutesCodec.encode(changes).toByteArray()));
    }

    private void tellLate(long nowNanos) {
        if (tellingLate) {
            return;
        }
        tellingLate = true;
        boolean room = true;
        while (room && !late.isEmpty()) {
            room = late.iterator().next().tell(nowNanos);
        }
        tellingLate = false;
    }

    /** One watcher. */
    private final class Watch {
        private final ReplyStream replies;
        private long version;
        private long toldAt;
        private boolean telling;

        Watch(long version, ReplyStream replies) {
            this.version = version;
            this.replies = replies;
        }

        /** Whether there was room for it. */
        boolean tell(long nowNanos) {
            if (telling) {
                return true;
            }
            var changes = history.since(version);
            var message = encode(changes);
            if (!replies.hasRoom(message.length())) {
                late.add(this);
                return false;
            }
            late.remove(this);
            telling = true;
            toldAt = nowNanos;
            // A watcher that is ahead stays so, and is told nothing until this server has more.
            version = Math.max(version, changes.version());
            replies.write(message).onComplete(taken -> {
                telling = false;
                if (taken.succeeded()
                        && watches.contains(this)
                        && history.newest().orElseThrow().version() > version) {
                    tell(nowNanos);
                }
                tellLate(nowNanos);
            });
            return true;
        }
    }
}
