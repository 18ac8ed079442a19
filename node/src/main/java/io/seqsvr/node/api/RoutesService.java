package io.seqsvr.node.api;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.node.server.ReplyStream;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.rpc.RoutesRpc;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.GetRoutesRequest;
import io.seqsvr.proto.v1.RoutesReply;
import io.seqsvr.proto.v1.WatchRoutesRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Optional;

/**
 * Tells callers who owns what, as this process has seen it: the same at every router and AllocSvr. Nothing rests on
 * it: authority is at the owner only, so a picture that is old costs a caller a refusal. Runs on the port's event loop.
 */
public final class RoutesService {
    /** Watchers of one process at most; each costs some kilobytes and a message per change. */
    private static final int MAX_WATCHERS = 20_000;
    /** How often to look for watchers that need a sign of life. */
    private static final long TICK_MILLIS = 5_000;
    /** Bytes. Who has to be told more is told by its watch: on a stream of frames, replies wait behind it. */
    private static final int MOST_BESIDE_A_REFUSAL = 256 << 10;

    private final RoutesFeed feed = new RoutesFeed(MAX_WATCHERS);
    private final Vertx vertx;
    private final long timer;

    /**
     * Knows nothing yet, and refuses; to be made on the port's event loop.
     *
     * @param tier tag of its meter
     */
    public RoutesService(Vertx vertx, MeterRegistry registry, String tier) {
        this.vertx = vertx;
        this.timer = vertx.setPeriodic(TICK_MILLIS, fired -> feed.tick(System.nanoTime()));
        Gauge.builder("seqsvr.routes.watchers", feed, RoutesFeed::watching)
                .description("Callers that watch the routes here")
                .tag("tier", tier)
                .register(registry);
    }

    /** Binds the methods to a port, which from then on keeps out who means another cluster. */
    public void bind(NodeServer.Builder port) {
        port.ofCluster(feed::clusterId)
                .method(RoutesRpc.GET, (request, timeout, caller) -> get(request))
                .watch(RoutesRpc.WATCH, this::watch);
    }

    /** Shows callers what was seen of a cluster from now on. */
    public void learn(String clusterId, StoreView view) {
        feed.learn(RoutePicture.of(clusterId, view), System.nanoTime());
    }

    /**
     * What a caller who goes by an old picture is to be shown beside a refusal: the bytes of a RoutesReply.
     *
     * @param version of its picture
     * @return empty if nothing newer was seen here, or it is more than belongs into a reply
     */
    public Optional<Buffer> newerThan(long version) {
        return feed.newerThan(version).filter(changes -> changes.length() <= MOST_BESIDE_A_REFUSAL);
    }

    /** Version of the newest picture; 0 before the first. */
    public long version() {
        return feed.version();
    }

    /** The newest picture; nothing before the first. */
    public Optional<RoutePicture> picture() {
        return feed.picture();
    }

    /** Ends all watches, so that whoever watches goes to another process at once. */
    public void close() {
        vertx.cancelTimer(timer);
        feed.end(PublicApi.error(new Answer.Refused(Refusal.NOT_READY, "this process stops")));
    }

    private Future<RoutesReply> get(GetRoutesRequest request) {
        try {
            check(request.getClusterId(), request.getSet());
        } catch (RpcException refused) {
            return Future.failedFuture(refused);
        }
        return Future.succeededFuture(feed.since(request.getSince()));
    }

    private void watch(WatchRoutesRequest request, ReplyStream replies) {
        try {
            check(request.getClusterId(), request.getSet());
        } catch (RpcException refused) {
            replies.fail(refused);
            return;
        }
        feed.watch(request.getSince(), replies, System.nanoTime());
    }

    private void check(String meant, int set) throws RpcException {
        if (set != RoutesCodec.SET) {
            throw RpcException.ofField(
                    GrpcStatus.NOT_FOUND,
                    ErrorReason.SET_UNKNOWN,
                    "set",
                    "set is " + Integer.toUnsignedString(set) + "; there is set 0 only");
        }
        var cluster = feed.clusterId();
        if (cluster.isEmpty()) {
            throw PublicApi.error(new Answer.Refused(Refusal.NOT_READY, "this process has not seen the cluster yet"));
        }
        if (!meant.isEmpty() && !meant.equals(cluster.get())) {
            throw RpcException.ofField(
                    GrpcStatus.FAILED_PRECONDITION,
                    ErrorReason.OTHER_CLUSTER,
                    "cluster_id",
                    "cluster_id is '" + meant + "', but this server is of cluster " + cluster.get());
        }
    }
}
