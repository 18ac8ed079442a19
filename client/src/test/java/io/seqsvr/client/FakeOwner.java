package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.fail;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.codec.FrameRefusal;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.codec.WireBytes;
import io.seqsvr.proto.rpc.ClusterHeader;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An owner on a free port, with counters of 1,000 users in ten segments, that also tells routes. It serves by itself,
 * or lets a test say what becomes of each frame. All its work is on one event loop.
 */
final class FakeOwner implements AutoCloseable {
    static final int USERS = 1_000;
    static final int SEGMENT = 100;
    static final Namespace MESSAGES = new Namespace(1, "messages", USERS, SEGMENT, 10_000, 1_000, Long.MAX_VALUE);

    private static final long GENEROUS_SECONDS = 20;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final BlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
    private final AtomicInteger watches = new AtomicInteger();
    private final FrameCodec codec = new FrameCodec();
    private final Namespace namespace;
    private final long[] counters;
    private final long[] markOfSegment;
    private long mark;
    private final String host;
    private final HttpServer server;
    private volatile RoutePicture picture = RoutePicture.empty("test");
    private volatile boolean byItself;
    private volatile @Nullable ErrorReason refusing;
    private volatile long epoch = 1;

    FakeOwner() {
        this(MESSAGES);
    }

    /** An owner of another namespace's users. */
    FakeOwner(Namespace namespace) {
        this(namespace, "127.0.0.1");
    }

    /** The same at another address of this machine. */
    FakeOwner(Namespace namespace, String host) {
        this.namespace = namespace;
        this.host = host;
        counters = new long[(int) namespace.capacity()];
        markOfSegment = new long[namespace.segmentCount()];
        server = vertx.createHttpServer()
                .requestHandler(this::accept)
                .listen(0, host)
                .await();
        picture = pictureOf(1, List.of(this), 1);
    }

    /** Serves every frame at once from now on. */
    FakeOwner byItself() {
        byItself = true;
        return this;
    }

    /** Refuses every frame from now on. */
    void refuses(ErrorReason why) {
        refusing = why;
    }

    /** Answers under that epoch from now on. */
    void epoch(long present) {
        epoch = present;
    }

    String address() {
        return new HostPort(host, server.actualPort()).toString();
    }

    /** A picture in which these owners share the segments in turn. */
    static RoutePicture pictureOf(long version, List<FakeOwner> owners, long epoch) {
        var known = new ArrayList<RouteOwner>();
        for (var owner : owners) {
            known.add(new RouteOwner(owner.server.actualPort(), owner.address(), "alloc"));
        }
        var ranges = new ArrayList<RouteRange>();
        for (int segment = 0; segment < owners.get(0).namespace.segmentCount(); segment++) {
            var owner = owners.get(segment % owners.size());
            ranges.add(new RouteRange(1, segment, segment, owner.server.actualPort(), epoch));
        }
        return new RoutePicture(
                "test", version, List.of(owners.get(0).namespace), known, new RouteTable(version, ranges));
    }

    /** Whoever watches from now on is shown this. */
    void shows(RoutePicture shown) {
        picture = shown;
    }

    /** How many watches of the routes have begun here. */
    int watches() {
        return watches.get();
    }

    /** The next frame that came. */
    Arrived frame() {
        return next(arrived);
    }

    private static <T> T next(BlockingQueue<T> queue) {
        try {
            var next = queue.poll(GENEROUS_SECONDS, TimeUnit.SECONDS);
            return next == null ? fail("nothing came") : next;
        } catch (InterruptedException stopped) {
            return fail(stopped);
        }
    }

    /** Says that no frame came that was not asked for. */
    void hasNoFrame() {
        assertNull(arrived.peek());
    }

    private void accept(HttpServerRequest request) {
        var response = request.response();
        response.putHeader("content-type", "application/grpc").setChunked(true);
        boolean routes = request.path().endsWith("/WatchRoutes");
        var unread = new Buffer[] {Buffer.buffer()};
        request.handler(chunk -> {
            if (routes) {
                watches.incrementAndGet();
                var reply = RoutesCodec.encode(picture.complete()).toByteArray();
                response.write(Buffer.buffer()
                        .appendByte((byte) 0)
                        .appendInt(reply.length)
                        .appendBytes(reply));
                return;
            }
            var bytes = unread[0].appendBuffer(chunk);
            int at = 0;
            while (bytes.length() - at >= 5 && bytes.length() - at - 5 >= bytes.getInt(at + 1)) {
                int end = at + 5 + bytes.getInt(at + 1);
                take(request, bytes.getBytes(at + 5, end));
                at = end;
            }
            unread[0] = Buffer.buffer(bytes.getBytes(at, bytes.length()));
        });
        request.exceptionHandler(lost -> {});
        response.exceptionHandler(lost -> {});
    }

    private void take(HttpServerRequest request, byte[] message) {
        var calls = new FrameCalls();
        try {
            codec.readRequest(message, 0, message.length, calls);
        } catch (MalformedMessageException broken) {
            throw new IllegalStateException(broken);
        }
        var frame = new Arrived(request, calls);
        var why = refusing;
        if (why != null) {
            frame.refuse(why);
        } else if (byItself) {
            frame.write(frame.taken());
        } else {
            arrived.add(frame);
        }
    }

    /** A frame that waits for what a test makes of it. */
    final class Arrived {
        private final HttpServerRequest request;
        private final FrameCalls calls;

        private Arrived(HttpServerRequest request, FrameCalls calls) {
            this.request = request;
            this.calls = calls;
        }

        FrameCalls calls() {
            return calls;
        }

        /** The cluster that whoever sent it means; empty if it does not say. */
        String meantCluster() {
            return Objects.requireNonNullElse(request.getHeader(ClusterHeader.NAME), "");
        }

        List<Long> uids() {
            var uids = new ArrayList<Long>();
            for (long uid : calls.uids().toArray()) {
                uids.add(uid);
            }
            return uids;
        }

        /** The numbers are taken, and go back. */
        void serve() {
            vertx.runOnContext(here -> write(taken()));
        }

        /** The numbers are taken, and then the stream is lost. */
        void takeAndReset() {
            vertx.runOnContext(here -> {
                taken();
                request.response().reset(2);
            });
        }

        void refuse(ErrorReason reason) {
            vertx.runOnContext(here -> write(refused(reason)));
        }

        /** It is not the owner, and shows who is. */
        void refuseAndShow(RouteChanges changes) {
            refuseAndShow(Buffer.buffer(RoutesCodec.encode(changes).toByteArray()));
        }

        void refuseAndShow(Buffer routes) {
            vertx.runOnContext(here -> write(refused(ErrorReason.NOT_OWNER).routes(routes)));
        }

        private FrameReply refused(ErrorReason reason) {
            var reply = new FrameReply().correlation(calls.correlation());
            reply.refusals().add(new FrameRefusal(reason.getNumber(), "not here", 0, new IntColumn()));
            return reply;
        }

        /** Every call gets this one as its first. */
        void answer(long seq) {
            vertx.runOnContext(here -> {
                var reply = taken();
                for (int i = 0; i < reply.seqs().size(); i++) {
                    reply.seqs().set(i, seq);
                }
                write(reply);
            });
        }

        private FrameReply taken() {
            var reply = new FrameReply().correlation(calls.correlation());
            mark++;
            for (int i = 0; i < calls.uids().size(); i++) {
                int uid = (int) calls.uids().get(i);
                reply.seqs().add(taken(uid, i));
                int segment = uid / namespace.segmentSize();
                if (markOfSegment[segment] != mark) {
                    reply.segments().add(segment);
                    reply.epochs().add(epoch);
                    markOfSegment[segment] = mark;
                }
            }
            return reply;
        }

        private long taken(int uid, int place) {
            if (calls.verb() == FrameVerb.CURRENT.number()) {
                return counters[uid];
            }
            long floor = calls.floors().isEmpty() ? 0 : calls.floors().get(place);
            if (calls.verb() == FrameVerb.RAISE_FLOOR.number()) {
                counters[uid] = Math.max(counters[uid], floor);
                return counters[uid];
            }
            long first = Math.max(counters[uid] + 1, floor);
            counters[uid] =
                    first + (calls.counts().isEmpty() ? 1 : calls.counts().get(place)) - 1;
            return first;
        }

        private void write(FrameReply reply) {
            var out = new WireBytes();
            out.put(0);
            out.putInt(0);
            codec.writeReply(reply, out);
            out.setInt(1, out.size() - 5);
            request.response().write(out.toBuffer());
        }
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
