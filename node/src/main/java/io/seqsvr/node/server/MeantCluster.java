package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.ClusterHeader;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps out requests that say which cluster they mean, where it is another than this node's. */
final class MeantCluster {
    private static final long RETRY_SOON_MILLIS = 50;

    private final Supplier<Optional<String>> own;

    /** Of a node of that cluster, once it knows which it is. */
    MeantCluster(Supplier<Optional<String>> own) {
        this.own = own;
    }

    /** Why a request is refused; null if it means this cluster, or any. */
    @Nullable
    RpcException refusal(HttpServerRequest request) {
        var meant = request.getHeader(ClusterHeader.NAME);
        if (meant == null || meant.isEmpty()) {
            return null;
        }
        var cluster = own.get();
        if (cluster.isEmpty()) {
            // Nobody asks once more: a stream that is let in now would be served when it is known.
            return RpcException.retryable(
                    GrpcStatus.UNAVAILABLE,
                    ErrorReason.NOT_READY,
                    "this server does not know yet whether it is of cluster " + meant,
                    RETRY_SOON_MILLIS);
        }
        if (cluster.get().equals(meant)) {
            return null;
        }
        return RpcException.ofField(
                GrpcStatus.FAILED_PRECONDITION,
                ErrorReason.OTHER_CLUSTER,
                ClusterHeader.NAME,
                ClusterHeader.NAME + " is '" + meant + "', but this server is of cluster " + cluster.get());
    }
}
