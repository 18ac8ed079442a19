package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.NamespaceDefaults;
import io.seqsvr.proto.internal.v1.SegmentStatus;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.internal.v1.WaitingCommands;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is made of a peer's answer about itself, and of none. */
class StatusCallerTest {
    private static final StatusReply.Builder STARTING = StatusReply.newBuilder()
            .setPeerId("n1")
            .setClusterId("cluster")
            .addMembers(GroupMember.newBuilder().setPeerId("n1").setAddress("a:1"));
    private static final List<PeerStatus.Member> MEMBERS = List.of(new PeerStatus.Member("n1", new HostPort("a", 1)));

    private final Loop loop = new Loop();

    @AfterEach
    void close() {
        loop.close();
    }

    private HostPort peer(Future<StatusReply> answer) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        return loop.result(() -> new NodeServer.Builder(loop.vertx(), registry, "storesvr")
                        .method(StoreRpc.STATUS, (request, timeout, caller) -> answer)
                        .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true)))
                .address();
    }

    private PeerStatus answered(StatusReply.Builder reply) {
        var peer = peer(Future.succeededFuture(reply.build()));
        return loop.result(() -> new StatusCaller(loop.vertx(), Duration.ofSeconds(5)).status(peer));
    }

    @Test
    void aSegmentIsToldWhereThePeerHasIt() {
        var facts =
                SegmentStatus.newBuilder().setEpoch(4).setOwner(17).setBase(30).setMaxSeq(20_030);
        var having =
                peer(Future.succeededFuture(STARTING.clone().setSegment(facts).build()));
        var lacking = peer(Future.succeededFuture(STARTING.build()));
        var segment = new SegmentId(1, 2);
        assertEquals(
                Optional.of(new SegmentFacts(4, 17, 30, 20_030)),
                loop.result(() -> new StatusCaller(loop.vertx(), Duration.ofSeconds(5)).segment(having, segment)));
        assertEquals(
                Optional.empty(),
                loop.result(() -> new StatusCaller(loop.vertx(), Duration.ofSeconds(5)).segment(lacking, segment)));
    }

    private Throwable failure(Duration timeout, Future<StatusReply> answer) {
        var peer = peer(answer);
        return loop.failure(() -> new StatusCaller(loop.vertx(), timeout).status(peer));
    }

    @Test
    void aPeerThatKnowsNoClusterYetSaysSo() {
        assertEquals(
                new PeerStatus(
                        "n1",
                        "cluster",
                        OptionalInt.empty(),
                        false,
                        false,
                        0,
                        OptionalLong.empty(),
                        0,
                        Optional.empty(),
                        MEMBERS,
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        0,
                        0,
                        0,
                        new PeerStatus.Waiting(0, 0, 0, 0),
                        0,
                        List.of()),
                answered(STARTING.clone()));
    }

    @Test
    void everythingThatAPeerSaysIsTaken() {
        var reply = STARTING.clone()
                .setIncarnation(2)
                .setLeads(true)
                .setReady(true)
                .setTerm(3)
                .setAppliedIndex(0)
                .setUnapplied(8)
                .setLeaderId("n1")
                .setLeaderAddress("a:1")
                .setLease(io.seqsvr.proto.internal.v1.LeaseTerms.newBuilder()
                        .setTtlNanos(3_000_000_000L)
                        .setDriftPermille(100))
                .setAllocators(4)
                .setRouters(5)
                .setNamespaces(6)
                .setSegments(7)
                .setWaiting(WaitingCommands.newBuilder()
                        .setRenewals(8)
                        .setConfirmations(9)
                        .setOthers(10)
                        .setExpiries(11))
                .setNamespaceDefaults(
                        NamespaceDefaults.newBuilder().setSegmentSize(13).setStep(14))
                .setWatchVersion(12);
        assertEquals(
                new PeerStatus(
                        "n1",
                        "cluster",
                        OptionalInt.of(2),
                        true,
                        true,
                        3,
                        OptionalLong.of(0),
                        8,
                        Optional.of(MEMBERS.get(0)),
                        MEMBERS,
                        Optional.of(new LeaseTerms(3_000_000_000L, 100)),
                        Optional.of(new io.seqsvr.core.namespace.NamespaceDefaults(13, 14)),
                        4,
                        5,
                        6,
                        7,
                        new PeerStatus.Waiting(8, 9, 10, 11),
                        12,
                        List.of()),
                answered(reply));
    }

    @Test
    void anAddressThatCannotBeReadIsNoAnswer() {
        var unreadable = STARTING.clone().setLeaderId("n2").setLeaderAddress("nowhere");
        var failure = failure(Duration.ofSeconds(5), Future.succeededFuture(unreadable.build()));
        assertEquals("'nowhere' is no HOST:PORT with a port from 0 to 65535", failure.getMessage());
    }

    @Test
    void aPeerThatHangsIsNotWaitedFor() {
        var hanging = Promise.<StatusReply>promise();
        var late = assertInstanceOf(RpcException.class, failure(Duration.ofMillis(50), hanging.future()));
        assertEquals(ErrorReason.DEADLINE_PASSED, late.reason());
    }
}
