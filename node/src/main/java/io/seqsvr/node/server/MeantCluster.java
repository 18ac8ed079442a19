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
    private final Supplier<Optional<String>> own;

    /** Of a node of that cluster, once it knows which it is; until then it mostly has no answer to any call. */
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
        if (cluster.isEmpty() || cluster.get().equals(meant)) {
            return null;
        }
        return RpcException.ofField(
                GrpcStatus.FAILED_PRECONDITION,
                ErrorReason.OTHER_CLUSTER,
                ClusterHeader.NAME,
                ClusterHeader.NAME + " is '" + meant + "', but this server is of cluster " + cluster.get());
    }
}
