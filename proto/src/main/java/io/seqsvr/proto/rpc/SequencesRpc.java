package io.seqsvr.proto.rpc;

import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.SequencesProto;

/** The methods of the public service {@code seqsvr.v1.Sequences}. */
public final class SequencesRpc {
    /** Takes sequences of one user. */
    public static final RpcMethod<NextRequest, NextReply> NEXT = RpcMethod.of(
            SequencesProto.getDescriptor(),
            "Sequences",
            "Next",
            NextRequest.getDefaultInstance(),
            NextReply.getDefaultInstance());

    /** Tells the last sequence of one user. */
    public static final RpcMethod<CurrentRequest, CurrentReply> CURRENT = RpcMethod.of(
            SequencesProto.getDescriptor(),
            "Sequences",
            "Current",
            CurrentRequest.getDefaultInstance(),
            CurrentReply.getDefaultInstance());

    private SequencesRpc() {}
}
