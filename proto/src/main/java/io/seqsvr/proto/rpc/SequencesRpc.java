package io.seqsvr.proto.rpc;

import io.seqsvr.proto.v1.CurrentManyReply;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.RaiseFloorReply;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.seqsvr.proto.v1.SequencesProto;

/**
 * The methods of the public service {@code seqsvr.v1.Sequences}. Of what a request holds that nobody knows here nothing
 * is read: as objects a megabyte of it would take fifty.
 */
public final class SequencesRpc {
    /** Takes sequences of one user. */
    public static final RpcMethod<NextRequest, NextReply> NEXT = RpcMethod.of(
                    SequencesProto.getDescriptor(),
                    "Sequences",
                    "Next",
                    NextRequest.getDefaultInstance(),
                    NextReply.getDefaultInstance())
            .withoutUnknownFields();

    /** Tells the last sequence of one user. */
    public static final RpcMethod<CurrentRequest, CurrentReply> CURRENT = RpcMethod.of(
                    SequencesProto.getDescriptor(),
                    "Sequences",
                    "Current",
                    CurrentRequest.getDefaultInstance(),
                    CurrentReply.getDefaultInstance())
            .withoutUnknownFields();

    /** Lifts one user. */
    public static final RpcMethod<RaiseFloorRequest, RaiseFloorReply> RAISE_FLOOR = RpcMethod.of(
                    SequencesProto.getDescriptor(),
                    "Sequences",
                    "RaiseFloor",
                    RaiseFloorRequest.getDefaultInstance(),
                    RaiseFloorReply.getDefaultInstance())
            .withoutUnknownFields();

    /** Takes sequences of many users. */
    public static final RpcMethod<NextManyRequest, NextManyReply> NEXT_MANY = RpcMethod.of(
                    SequencesProto.getDescriptor(),
                    "Sequences",
                    "NextMany",
                    NextManyRequest.getDefaultInstance(),
                    NextManyReply.getDefaultInstance())
            .withoutUnknownFields()
            .withItems(NextManyRequest.ITEMS_FIELD_NUMBER);

    /** Tells the last sequences of many users. */
    public static final RpcMethod<CurrentManyRequest, CurrentManyReply> CURRENT_MANY = RpcMethod.of(
                    SequencesProto.getDescriptor(),
                    "Sequences",
                    "CurrentMany",
                    CurrentManyRequest.getDefaultInstance(),
                    CurrentManyReply.getDefaultInstance())
            .withoutUnknownFields()
            .withItems(CurrentManyRequest.ITEMS_FIELD_NUMBER);

    /** Takes or reads sequences of many users, frame by frame. */
    public static final StreamMethod ALLOCATE =
            StreamMethod.of(SequencesProto.getDescriptor(), "Sequences", "Allocate");

    private SequencesRpc() {}
}
