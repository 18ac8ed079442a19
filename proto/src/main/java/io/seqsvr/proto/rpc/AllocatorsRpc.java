package io.seqsvr.proto.rpc;

import io.seqsvr.proto.internal.v1.AllocatorsProto;
import io.seqsvr.proto.internal.v1.DrainBegun;
import io.seqsvr.proto.internal.v1.DrainRequest;
import io.seqsvr.proto.internal.v1.HandOverBegun;
import io.seqsvr.proto.internal.v1.HandOverOrder;
import io.seqsvr.proto.internal.v1.TellReply;
import io.seqsvr.proto.internal.v1.TellRequest;

/** The methods of the internal service {@code seqsvr.internal.v1.Allocators}. */
public final class AllocatorsRpc {
    /** Messages of one allocator to another. */
    public static final RpcMethod<TellRequest, TellReply> TELL = RpcMethod.of(
            AllocatorsProto.getDescriptor(),
            "Allocators",
            "Tell",
            TellRequest.getDefaultInstance(),
            TellReply.getDefaultInstance());

    /** Has an allocator hand segments over. */
    public static final RpcMethod<HandOverOrder, HandOverBegun> HAND_OVER = RpcMethod.of(
            AllocatorsProto.getDescriptor(),
            "Allocators",
            "HandOver",
            HandOverOrder.getDefaultInstance(),
            HandOverBegun.getDefaultInstance());

    /** Has an allocator hand everything over. */
    public static final RpcMethod<DrainRequest, DrainBegun> DRAIN = RpcMethod.of(
            AllocatorsProto.getDescriptor(),
            "Allocators",
            "Drain",
            DrainRequest.getDefaultInstance(),
            DrainBegun.getDefaultInstance());

    private AllocatorsRpc() {}
}
