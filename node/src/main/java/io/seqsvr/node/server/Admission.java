package io.seqsvr.node.server;

import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.node.socket.EarlyEnds;
import io.seqsvr.node.socket.StreamRoom;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcStatus;
import org.jspecify.annotations.Nullable;

/** Who is let in at a port: not more than it has room for, and nobody who means another cluster. For one event loop. */
final class Admission {
    /** With which the paths of calls begin; what else there is serves whoever runs the node. */
    private static final String JSON_CALLS = "/v1/";

    private static final long RETRY_SOON_MILLIS = 200;

    private final StreamRoom room;
    private final @Nullable MeantCluster meantCluster;
    private final RequestMetrics metrics;

    Admission(StreamRoom room, @Nullable MeantCluster meantCluster, RequestMetrics metrics) {
        this.room = room;
        this.meantCluster = meantCluster;
        this.metrics = metrics;
    }

    /** Whether this request was refused, and so is over. */
    boolean refuses(HttpServerRequest request) {
        var excess = room.excess(request.connection());
        var contentType = request.getHeader("content-type");
        boolean grpc = contentType != null && contentType.startsWith("application/grpc");
        var refusal = excess != null ? noRoom(excess) : otherCluster(request, grpc);
        if (refusal == null) {
            return false;
        }
        metrics.turnedAway(refusal.reason().name());
        request.handler(dropped -> {});
        if (grpc) {
            GrpcTrailers.refuse(request, contentType, refusal);
        } else {
            // Its caller may never end it, and what is kept of it would not count as refused.
            EarlyEnds.after(request);
            JsonError.send(request.response(), refusal);
        }
        return true;
    }

    private @Nullable RpcException otherCluster(HttpServerRequest request, boolean grpc) {
        boolean call = grpc || request.path().startsWith(JSON_CALLS);
        return call && meantCluster != null ? meantCluster.refusal(request) : null;
    }

    private static RpcException noRoom(String excess) {
        return RpcException.retryable(
                GrpcStatus.RESOURCE_EXHAUSTED,
                ErrorReason.TOO_MUCH_UNFINISHED,
                excess + "; call again when others have ended",
                RETRY_SOON_MILLIS);
    }
}
