package io.seqsvr.storeclient;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.proto.codec.SettingsCodec;
import io.seqsvr.proto.internal.v1.SegmentName;
import io.seqsvr.proto.internal.v1.SegmentStatus;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.internal.v1.StatusRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Asks single peers about themselves. Use it from one context. */
public final class StatusCaller {
    private final UnaryCaller caller;
    private final Duration timeout;

    /**
     * A caller that has not connected yet.
     *
     * @param timeout how long a peer may take, at least 1 ms
     */
    public StatusCaller(Vertx vertx, Duration timeout) {
        this.caller = new UnaryCaller(vertx);
        this.timeout = timeout;
    }

    /** What a peer says of itself; fails if it does not answer in time, or nothing that can be read. */
    public Future<PeerStatus> status(HostPort peer) {
        return status(peer, StatusRequest.getDefaultInstance());
    }

    /** The same with the digests of its state. */
    public Future<PeerStatus> statusWithDigests(HostPort peer) {
        return status(peer, StatusRequest.newBuilder().setDigests(true).build());
    }

    /** What a peer has of a segment; nothing where it was never assigned nor given a floor. For display. */
    public Future<Optional<SegmentFacts>> segment(HostPort peer, SegmentId segment) {
        var name =
                SegmentName.newBuilder().setNamespaceId(segment.namespaceId()).setSegment(segment.index());
        return caller.call(
                        peer.socketAddress(),
                        StoreRpc.STATUS,
                        StatusRequest.newBuilder().setSegment(name).build(),
                        timeout.toMillis())
                .map(reply -> reply.hasSegment() ? Optional.of(decode(reply.getSegment())) : Optional.empty());
    }

    private static SegmentFacts decode(SegmentStatus segment) {
        return new SegmentFacts(segment.getEpoch(), segment.getOwner(), segment.getBase(), segment.getMaxSeq());
    }

    private Future<PeerStatus> status(HostPort peer, StatusRequest request) {
        return caller.call(peer.socketAddress(), StoreRpc.STATUS, request, timeout.toMillis())
                .map(StatusCaller::decode);
    }

    private static PeerStatus decode(StatusReply reply) {
        var waiting = reply.getWaiting();
        return new PeerStatus(
                reply.getPeerId(),
                reply.getClusterId(),
                reply.hasIncarnation() ? OptionalInt.of(reply.getIncarnation()) : OptionalInt.empty(),
                reply.getLeads(),
                reply.getReady(),
                reply.getTerm(),
                reply.hasAppliedIndex() ? OptionalLong.of(reply.getAppliedIndex()) : OptionalLong.empty(),
                reply.getUnapplied(),
                reply.getLeaderId().isEmpty()
                        ? Optional.empty()
                        : Optional.of(member(reply.getLeaderId(), reply.getLeaderAddress())),
                reply.getMembersList().stream()
                        .map(member -> member(member.getPeerId(), member.getAddress()))
                        .toList(),
                reply.hasLease() ? Optional.of(SettingsCodec.decode(reply.getLease())) : Optional.empty(),
                reply.hasNamespaceDefaults()
                        ? Optional.of(SettingsCodec.decode(reply.getNamespaceDefaults()))
                        : Optional.empty(),
                reply.getAllocators(),
                reply.getRouters(),
                reply.getNamespaces(),
                reply.getSegments(),
                new PeerStatus.Waiting(
                        waiting.getRenewals(), waiting.getConfirmations(), waiting.getOthers(), waiting.getExpiries()),
                reply.getWatchVersion(),
                reply.getDigestsList().stream()
                        .map(one -> new PeerStatus.DigestAt(one.getIndex(), one.getDigest()))
                        .toList());
    }

    private static PeerStatus.Member member(String id, String address) {
        return new PeerStatus.Member(id, HostPort.parse(address));
    }
}
