package io.seqsvr.proto.rpc;

import io.seqsvr.proto.internal.v1.BackupReply;
import io.seqsvr.proto.internal.v1.BackupRequest;
import io.seqsvr.proto.internal.v1.ChangePeersReply;
import io.seqsvr.proto.internal.v1.ChangePeersRequest;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.internal.v1.StatusRequest;
import io.seqsvr.proto.internal.v1.StoreProto;
import io.seqsvr.proto.internal.v1.TransferLeaderRequest;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.internal.v1.WatchRequest;

/** The methods of the internal service {@code seqsvr.internal.v1.Store}. */
public final class StoreRpc {
    /** Puts one command through the Raft log: what the peers know of it, and nothing else. */
    public static final RpcMethod<ExecuteRequest, ExecuteReply> EXECUTE = RpcMethod.of(
                    StoreProto.getDescriptor(),
                    "Store",
                    "Execute",
                    ExecuteRequest.getDefaultInstance(),
                    ExecuteReply.getDefaultInstance())
            .withoutUnknownFields();

    /** Long poll for a newer view. */
    public static final RpcMethod<WatchRequest, WatchReply> WATCH = RpcMethod.of(
            StoreProto.getDescriptor(),
            "Store",
            "Watch",
            WatchRequest.getDefaultInstance(),
            WatchReply.getDefaultInstance());

    /** What a peer knows of itself and its group; for display only. */
    public static final RpcMethod<StatusRequest, StatusReply> STATUS = RpcMethod.of(
            StoreProto.getDescriptor(),
            "Store",
            "Status",
            StatusRequest.getDefaultInstance(),
            StatusReply.getDefaultInstance());

    /** One page of a peer's state at one place of the log. */
    public static final RpcMethod<BackupRequest, BackupReply> BACKUP = RpcMethod.of(
            StoreProto.getDescriptor(),
            "Store",
            "Backup",
            BackupRequest.getDefaultInstance(),
            BackupReply.getDefaultInstance());

    /** Adds a peer to the group, takes one out, or both; by the leader. */
    public static final RpcMethod<ChangePeersRequest, ChangePeersReply> CHANGE_PEERS = RpcMethod.of(
            StoreProto.getDescriptor(),
            "Store",
            "ChangePeers",
            ChangePeersRequest.getDefaultInstance(),
            ChangePeersReply.getDefaultInstance());

    /** Has another peer lead. */
    public static final RpcMethod<TransferLeaderRequest, ChangePeersReply> TRANSFER_LEADER = RpcMethod.of(
            StoreProto.getDescriptor(),
            "Store",
            "TransferLeader",
            TransferLeaderRequest.getDefaultInstance(),
            ChangePeersReply.getDefaultInstance());

    private StoreRpc() {}
}
