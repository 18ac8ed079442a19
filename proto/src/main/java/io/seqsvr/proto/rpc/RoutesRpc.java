package io.seqsvr.proto.rpc;

import io.seqsvr.proto.v1.GetRoutesRequest;
import io.seqsvr.proto.v1.RoutesReply;
import io.seqsvr.proto.v1.SequencesProto;
import io.seqsvr.proto.v1.WatchRoutesRequest;

/** The methods of the public service {@code seqsvr.v1.Sequences} that tell who owns what. */
public final class RoutesRpc {
    /** Tells who owns what. */
    public static final RpcMethod<GetRoutesRequest, RoutesReply> GET = RpcMethod.of(
            SequencesProto.getDescriptor(),
            "Sequences",
            "GetRoutes",
            GetRoutesRequest.getDefaultInstance(),
            RoutesReply.getDefaultInstance());

    /** Tells who owns what and every change; its replies are a stream. */
    public static final RpcMethod<WatchRoutesRequest, RoutesReply> WATCH = RpcMethod.of(
            SequencesProto.getDescriptor(),
            "Sequences",
            "WatchRoutes",
            WatchRoutesRequest.getDefaultInstance(),
            RoutesReply.getDefaultInstance());

    private RoutesRpc() {}
}
