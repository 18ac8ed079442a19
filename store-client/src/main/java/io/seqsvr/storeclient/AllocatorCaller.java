package io.seqsvr.storeclient;

import io.seqsvr.core.alloc.PeerMessage;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.proto.codec.PeerMessageCodec;
import io.seqsvr.proto.internal.v1.DrainBegun;
import io.seqsvr.proto.internal.v1.DrainRequest;
import io.seqsvr.proto.internal.v1.HandOverBegun;
import io.seqsvr.proto.internal.v1.HandOverOrder;
import io.seqsvr.proto.internal.v1.SegmentRange;
import io.seqsvr.proto.internal.v1.TellRequest;
import io.seqsvr.proto.rpc.AllocatorsRpc;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Calls the internal service of allocators, each by its session: a process that took over its address refuses. Use it
 * from one context.
 */
public final class AllocatorCaller {
    private static final Set<ErrorReason> NOES =
            Set.of(ErrorReason.NOT_OWNER, ErrorReason.NOT_READY, ErrorReason.MALFORMED_REQUEST);

    private final UnaryCaller caller;
    private final long timeoutMillis;

    /**
     * A caller that has not connected yet.
     *
     * @param timeout how long each call may take
     */
    public AllocatorCaller(Vertx vertx, Duration timeout) {
        this.caller = new UnaryCaller(vertx);
        this.timeoutMillis = timeout.toMillis();
    }

    /**
     * Sends messages about segments on their way.
     *
     * @param address where the receiver serves
     * @param cluster the cluster of both
     * @param from session of the sender
     * @param to session of the receiver
     */
    public Future<Void> tell(HostPort address, String cluster, long from, long to, List<PeerMessage> messages) {
        var request =
                TellRequest.newBuilder().setClusterId(cluster).setFrom(from).setTo(to);
        messages.forEach(message -> request.addMessages(PeerMessageCodec.encode(message)));
        return caller.call(address.socketAddress(), AllocatorsRpc.TELL, request.build(), timeoutMillis)
                .mapEmpty();
    }

    /**
     * Has an owner hand segments over.
     *
     * @param address where the owner serves
     * @param cluster its cluster
     * @param owner its session
     * @param to session of the receiver
     * @param segments which; their owner and epoch do not matter
     * @return how many of them it owns
     */
    public Future<Integer> handOver(HostPort address, String cluster, long owner, long to, List<RouteRange> segments) {
        var order = HandOverOrder.newBuilder()
                .setClusterId(cluster)
                .setSession(owner)
                .setTo(to);
        for (var range : segments) {
            order.addSegments(SegmentRange.newBuilder()
                    .setNamespaceId(range.namespaceId())
                    .setFirst(range.first())
                    .setLast(range.last()));
        }
        return caller.call(address.socketAddress(), AllocatorsRpc.HAND_OVER, order.build(), timeoutMillis)
                .map(HandOverBegun::getSegments);
    }

    /**
     * Has an allocator hand everything over.
     *
     * @param address where it serves
     * @param cluster its cluster
     * @param session its session
     * @return how many segments it still owns
     */
    public Future<Integer> drain(HostPort address, String cluster, long session) {
        var request = DrainRequest.newBuilder()
                .setClusterId(cluster)
                .setSession(session)
                .build();
        return caller.call(address.socketAddress(), AllocatorsRpc.DRAIN, request, timeoutMillis)
                .map(DrainBegun::getSegments);
    }

    /**
     * Whether a call failed because the allocator that got it said no, so that nothing began. Anything else but an
     * {@link RpcException#isUnsent unsent} call leaves the outcome unknown.
     */
    public static boolean saidNo(Throwable failure) {
        return failure instanceof RpcException call && NOES.contains(call.reason());
    }

    /** Closes the connections. */
    public Future<Void> close() {
        return caller.close();
    }
}
