package io.seqsvr.storeclient;

import io.seqsvr.proto.internal.v1.BackupReply;
import io.seqsvr.proto.internal.v1.BackupRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;

/** Asks one peer for its state, page by page. Use it from one context. */
public final class BackupCaller {
    private final UnaryCaller caller;
    private final HostPort peer;
    private final Duration timeout;

    /**
     * A caller that has not connected yet.
     *
     * @param timeout how long each page may take, at least 1 ms
     */
    public BackupCaller(Vertx vertx, HostPort peer, Duration timeout) {
        this.caller = new UnaryCaller(vertx);
        this.peer = peer;
        this.timeout = timeout;
    }

    /** The first page of a new picture; fails if it does not come in time. */
    public Future<BackupPage> begin() {
        return call("", 0);
    }

    /** A further page of a picture, from 1 on; fails if it does not come in time, or the peer has it no longer. */
    public Future<BackupPage> page(String picture, int number) {
        return call(picture, number);
    }

    private Future<BackupPage> call(String picture, int number) {
        var request =
                BackupRequest.newBuilder().setPicture(picture).setPage(number).build();
        return caller.call(peer.socketAddress(), StoreRpc.BACKUP, request, timeout.toMillis())
                .map(BackupCaller::decode);
    }

    private static BackupPage decode(BackupReply reply) {
        return new BackupPage(
                reply.getPicture(),
                reply.getPeerId(),
                reply.getClusterId(),
                reply.getIncarnation(),
                reply.getTerm(),
                reply.getIndex(),
                reply.getConfirmed(),
                reply.getUnapplied(),
                reply.getGrowthPerSecond(),
                Duration.ofSeconds(reply.getGrowthOverSeconds()),
                Buffer.buffer(reply.getRows().toByteArray()),
                reply.getLast());
    }
}
