package io.seqsvr.allocsvr.grpc;

import io.seqsvr.allocsvr.role.AllocatorLoop;
import io.seqsvr.core.alloc.PeerMessage;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.codec.PeerMessageCodec;
import io.seqsvr.proto.internal.v1.DrainBegun;
import io.seqsvr.proto.internal.v1.DrainRequest;
import io.seqsvr.proto.internal.v1.HandOverBegun;
import io.seqsvr.proto.internal.v1.HandOverOrder;
import io.seqsvr.proto.internal.v1.TellReply;
import io.seqsvr.proto.internal.v1.TellRequest;
import io.seqsvr.proto.rpc.AllocatorsRpc;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The internal service of one AllocSvr: what other allocators tell it, and orders to hand over. It is meant for one
 * session: a caller that means another process, or another cluster, is refused.
 */
public final class PeersService {
    private Optional<AllocatorLoop> loop = Optional.empty();

    /** Binds the methods to a port; until {@link #serve} they refuse. */
    public void bind(NodeServer.Builder port) {
        port.method(AllocatorsRpc.TELL, (request, timeout, caller) -> tell(request))
                .method(AllocatorsRpc.HAND_OVER, (request, timeout, caller) -> handOver(request))
                .method(AllocatorsRpc.DRAIN, (request, timeout, caller) -> drain(request));
    }

    /** Takes calls from now on. */
    public void serve(AllocatorLoop ready) {
        loop = Optional.of(ready);
    }

    private Future<TellReply> tell(TellRequest request) {
        try {
            var meant = meant(request.getClusterId(), request.getTo());
            var messages = new ArrayList<PeerMessage>(request.getMessagesCount());
            for (var message : request.getMessagesList()) {
                messages.add(PeerMessageCodec.decode(message));
            }
            meant.heard(request.getFrom(), messages);
            return Future.succeededFuture(TellReply.getDefaultInstance());
        } catch (RpcException | IllegalArgumentException refused) {
            return refused(refused);
        }
    }

    private Future<HandOverBegun> handOver(HandOverOrder order) {
        try {
            var meant = meant(order.getClusterId(), order.getSession());
            var segments = segments(order);
            if (order.getTo() == order.getSession()) {
                throw new IllegalArgumentException("session " + order.getTo() + " owns these segments itself");
            }
            return Future.succeededFuture(HandOverBegun.newBuilder()
                    .setSegments(meant.handOver(segments, order.getTo()))
                    .build());
        } catch (RpcException | IllegalArgumentException refused) {
            return refused(refused);
        }
    }

    private static List<SegmentId> segments(HandOverOrder order) {
        var segments = new ArrayList<SegmentId>();
        for (var range : order.getSegmentsList()) {
            if (range.getFirst() < 0 || range.getLast() < range.getFirst()) {
                throw new IllegalArgumentException("segments " + Integer.toUnsignedString(range.getFirst()) + " to "
                        + Integer.toUnsignedString(range.getLast()) + " are no range");
            }
            if (range.getLast() - range.getFirst() >= StoreCommand.MAX_SEGMENTS - segments.size()) {
                throw new IllegalArgumentException(
                        "one order may name " + StoreCommand.MAX_SEGMENTS + " segments; this one names more");
            }
            // Otherwise the last index there is would have none after it, and the loop no end.
            if (range.getLast() >= Namespace.MAX_SEGMENTS) {
                throw new IllegalArgumentException("segments " + range.getFirst() + " to " + range.getLast()
                        + " do not exist; the last one of a namespace is " + (Namespace.MAX_SEGMENTS - 1) + " at most");
            }
            for (int index = range.getFirst(); index <= range.getLast(); index++) {
                segments.add(new SegmentId(range.getNamespaceId(), index));
            }
        }
        return segments;
    }

    private Future<DrainBegun> drain(DrainRequest request) {
        try {
            var meant = meant(request.getClusterId(), request.getSession());
            return Future.succeededFuture(
                    DrainBegun.newBuilder().setSegments(meant.drain()).build());
        } catch (RpcException refused) {
            return refused(refused);
        }
    }

    private AllocatorLoop meant(String cluster, long session) throws RpcException {
        if (loop.isEmpty() || loop.get().session() == 0) {
            throw RpcException.retryable(
                    GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "this allocator has no session yet", 0);
        }
        var here = loop.get();
        if (here.session() != session || !here.cluster().equals(cluster)) {
            throw RpcException.of(
                    GrpcStatus.FAILED_PRECONDITION,
                    ErrorReason.NOT_OWNER,
                    "this is session " + here.session() + " of cluster " + here.cluster() + ", the call is for session "
                            + session + " of cluster " + cluster);
        }
        return here;
    }

    private static <T> Future<T> refused(Exception why) {
        return Future.failedFuture(
                why instanceof RpcException
                        ? why
                        : RpcException.of(
                                GrpcStatus.INVALID_ARGUMENT,
                                ErrorReason.MALFORMED_REQUEST,
                                String.valueOf(why.getMessage())));
    }
}
