package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.ChangePeersReply;
import io.seqsvr.proto.internal.v1.ChangePeersRequest;
import io.seqsvr.proto.internal.v1.ChangeRefused;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.PeersNow;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Looking at a group before it is changed: who leads, or why nobody can say. */
class GroupCallerTest {
    private static final HostPort N1 = new HostPort("127.0.0.1", 1);

    private final Loop loop = new Loop();
    private final AtomicInteger looks = new AtomicInteger();

    @AfterEach
    void close() {
        loop.close();
    }

    private static StatusReply status(String cluster, int incarnation, boolean leads) {
        return StatusReply.newBuilder()
                .setPeerId("n1")
                .setClusterId(cluster)
                .setIncarnation(incarnation)
                .setTerm(9 - incarnation)
                .setReady(leads)
                .addMembers(GroupMember.newBuilder()
                        .setPeerId("n1")
                        .setAddress(N1.toString())
                        .setRaft("127.0.0.1:2"))
                .build();
    }

    /** What peers say when they are to change the group, one after the other, the last for ever. */
    private final Deque<Future<ChangePeersReply>> said = new ArrayDeque<>();

    private final List<ChangePeersRequest> changes = new ArrayList<>();

    private static Future<ChangePeersReply> refused(ChangeRefused.Cause cause, String detail) {
        return Future.succeededFuture(ChangePeersReply.newBuilder()
                .setRefused(ChangeRefused.newBuilder().setCause(cause).setDetail(detail))
                .build());
    }

    /** The process dies before it answers. */
    private static Future<ChangePeersReply> lost() {
        return Future.failedFuture(
                RpcException.of(GrpcStatus.UNAVAILABLE, ErrorReason.OWNER_UNREACHABLE, "the connection broke"));
    }

    private GroupCaller.Answer remove(Duration within, HostPort... peers) {
        return loop.result(() -> new GroupCaller(loop.vertx(), within).remove(List.of(peers), "n3"));
    }

    /** A peer that leads from when it was looked at so often. */
    private HostPort peer(String cluster, int followsFor) {
        return peer(cluster, 0, followsFor);
    }

    private HostPort peer(String cluster, int incarnation, int followsFor) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        return loop.result(() -> new NodeServer.Builder(loop.vertx(), registry, "storesvr")
                        .method(StoreRpc.CHANGE_PEERS, (request, timeout, caller) -> {
                            changes.add(request);
                            return said.size() > 1 ? said.remove() : said.element();
                        })
                        .method(
                                StoreRpc.STATUS,
                                (request, timeout, caller) -> Future.succeededFuture(
                                        status(cluster, incarnation, looks.incrementAndGet() > followsFor)))
                        .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true)))
                .address();
    }

    /** It takes calls in, and stands still. */
    private HostPort frozen() {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        return loop.result(() -> new NodeServer.Builder(loop.vertx(), registry, "storesvr")
                        .method(StoreRpc.CHANGE_PEERS, (request, timeout, caller) -> FakePeer.never())
                        .method(StoreRpc.STATUS, (request, timeout, caller) -> FakePeer.never())
                        .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true)))
                .address();
    }

    private GroupPicture.Look look(Duration within, HostPort... peers) {
        return loop.result(() -> new GroupCaller(loop.vertx(), within).look(List.of(peers)));
    }

    @Test
    void whileThePeersElectTheLookWaitsForWhoWins() {
        var seen = look(Duration.ofSeconds(8), peer("one", 2));
        assertEquals(Optional.of("one"), seen.picture().map(GroupPicture::clusterId));
        assertEquals(3, looks.get());
    }

    @Test
    void ifNobodyWinsInTimeItSaysSo() {
        var seen = look(Duration.ofMillis(500), peer("one", Integer.MAX_VALUE));
        assertEquals(
                GroupPicture.Look.leaderless().failure(),
                seen.failure(),
                "after " + looks.get() + " looks: " + seen.picture());
    }

    @Test
    void peersOfTwoClustersAreToldAtOnce() {
        var seen = look(Duration.ofSeconds(8), peer("one", 0), peer("two", 0));
        assertEquals("the peers are of different clusters: one, two", seen.failure());
        assertEquals(2, looks.get());
    }

    @Test
    void aChangeIsForTheClusterThatWasLookedAt() {
        said.add(refused(ChangeRefused.Cause.AGAINST_RULES, "n3 is not in the group"));
        var answer = remove(Duration.ofSeconds(8), peer("one", 0));
        assertEquals(GroupCaller.Outcome.REFUSED, answer.outcome());
        assertEquals("n3 is not in the group", answer.detail());
        assertEquals(
                List.of("one"),
                changes.stream().map(ChangePeersRequest::getClusterId).toList());
    }

    @Test
    void nothingIsChangedWherePeersAreOfTwoClusters() {
        var answer = remove(Duration.ofSeconds(8), peer("one", 0), peer("two", 0));
        assertEquals(GroupCaller.Outcome.UNAVAILABLE, answer.outcome());
        assertEquals("the peers are of different clusters: one, two", answer.detail());
        assertEquals(List.of(), changes);
    }

    @Test
    void nothingIsChangedWhereAnOlderLifeOfTheClusterTakesCommandsToo() {
        var answer = remove(Duration.ofSeconds(8), peer("one", 0, 0), peer("one", 1, 0));
        assertEquals(GroupCaller.Outcome.UNAVAILABLE, answer.outcome());
        assertEquals(
                "peers of two lives of the cluster answer, and the older one takes commands: n1 is of incarnation 0, n1"
                        + " of incarnation 1; stop every peer of the older one, for good",
                answer.detail());
        assertEquals(List.of(), changes);
    }

    @Test
    void aNoAfterALostAnswerIsNoNo() {
        said.addAll(List.of(lost(), refused(ChangeRefused.Cause.AGAINST_RULES, "n3 is not in the group")));
        var answer = remove(Duration.ofSeconds(8), peer("one", 0));
        assertEquals(GroupCaller.Outcome.UNKNOWN, answer.outcome(), "it may be out because of what was asked");
        assertEquals("an answer was lost; then: n3 is not in the group", answer.detail());
        assertEquals(2, changes.size());
    }

    @Test
    void norDoesALaterPeerThatDoesNotLeadMakeItOne() {
        said.addAll(List.of(lost(), refused(ChangeRefused.Cause.NOT_LEADER, "")));
        var answer = remove(Duration.ofSeconds(1), peer("one", 0));
        assertEquals(GroupCaller.Outcome.UNKNOWN, answer.outcome());
    }

    /** It would have all the time there is, and what came of the change would be unknown. */
    @Test
    void aChangeBeginsAtTheLeaderThatWasSeenAndNotAtAPeerThatIsFrozen() {
        said.add(Future.succeededFuture(ChangePeersReply.newBuilder()
                .setNow(PeersNow.newBuilder().setLeaderId("n1"))
                .build()));
        var answer = remove(Duration.ofSeconds(8), frozen(), peer("one", 0));
        assertEquals(GroupCaller.Outcome.DONE, answer.outcome(), answer::detail);
        assertEquals(1, changes.size());
    }

    @Test
    void whereNobodyAnswersItIsTriedForTheTimeThatThereIs() {
        long start = System.nanoTime();
        var answer = remove(Duration.ofSeconds(1), N1);
        assertEquals(GroupCaller.Outcome.UNAVAILABLE, answer.outcome());
        assertEquals("no peer answers", answer.detail());
        assertTrue(System.nanoTime() - start >= 700_000_000, "peers may be about to start");
    }
}
