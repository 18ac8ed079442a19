package io.seqsvr.storesvr.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.ChangePeersReply;
import io.seqsvr.proto.internal.v1.ChangePeersRequest;
import io.seqsvr.proto.internal.v1.ChangeRefused;
import io.seqsvr.proto.internal.v1.GroupMember;
import io.seqsvr.proto.internal.v1.Joining;
import io.seqsvr.proto.internal.v1.PeerMark;
import io.seqsvr.proto.internal.v1.StatusReply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.seqsvr.storesvr.Deadline;
import io.seqsvr.storesvr.disk.DataDirectory;
import io.seqsvr.storesvr.raft.OwnGroup;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a peer believes of its own standing where its log does not say: another peer, a fake one, is asked. */
@Timeout(120)
class StandingTest {
    private static final String CLUSTER = "2b9d6e0c-6e2c-4a1e-9c39-5a4ad47f8f11";
    private static final int LIFE = 3;
    private static final long TERM = 5;
    private static final RaftPeers.Peer OWN = peer("n1", new HostPort("127.0.0.1", 1));

    @TempDir
    private Path root = Path.of("");

    private final Vertx vertx = NodeServer.newVertx();
    private final CompletableFuture<Throwable> fatal = new CompletableFuture<>();
    private final CompletableFuture<ChangePeersRequest> admission = new CompletableFuture<>();
    private final CompletableFuture<Void> everythingSaid = new CompletableFuture<>();
    private final AtomicInteger asked = new AtomicInteger();
    private List<StatusReply> says = List.of();
    private HostPort other = new HostPort("127.0.0.1", 1);

    private static RaftPeers.Peer peer(String id, HostPort address) {
        return new RaftPeers.Peer(id, address, address);
    }

    /** A group in which nobody leads, as a peer sees it that is half out. */
    private record Silent(List<RaftPeers.Peer> members) implements OwnGroup {
        @Override
        public Optional<RaftPeers.Peer> leader() {
            return Optional.empty();
        }

        @Override
        public long term() {
            return TERM;
        }

        @Override
        public String takenOut() {
            return "n1 was taken out";
        }
    }

    @BeforeEach
    void startTheOther() throws StartupException {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var anywhere = new HostPort("127.0.0.1", 0);
        var listening = NodeServer.onContext(
                vertx.getOrCreateContext(),
                () -> new NodeServer.Builder(vertx, registry, "storesvr")
                        .method(StoreRpc.STATUS, (request, timeout, caller) -> Future.succeededFuture(next()))
                        .method(StoreRpc.CHANGE_PEERS, (request, timeout, caller) -> {
                            admission.complete(request);
                            return Future.succeededFuture(ChangePeersReply.newBuilder()
                                    .setRefused(ChangeRefused.newBuilder().setCause(ChangeRefused.Cause.NOT_LEADER))
                                    .build());
                        })
                        .listen(anywhere, () -> Future.succeededFuture(true)));
        other = NodeServer.await(listening, anywhere).address();
    }

    @AfterEach
    void close() {
        Deadline.await(vertx.close());
    }

    private StatusReply next() {
        int question = asked.getAndIncrement();
        if (question >= says.size()) {
            everythingSaid.complete(null);
        }
        return says.get(question % says.size());
    }

    private static PeerMark.Builder mark() {
        return PeerMark.newBuilder()
                .setFormat(DataDirectory.FORMAT)
                .setClusterId(CLUSTER)
                .setIncarnation(LIFE)
                .setPeerId("n1");
    }

    /** Looks after the standing of a peer with this mark, whose log names the other one as a member beside it. */
    private void watch(PeerMark mark) throws StartupException {
        var directory = DataDirectory.format(root.resolve("n1"), mark);
        directory.completeFormat();
        var standing = new Standing(directory, OWN, fatal::complete);
        var group = new Silent(List.of(OWN, peer("n2", other)));
        Deadline.await(NodeServer.onContext(vertx.getOrCreateContext(), () -> {
            standing.watch(vertx, group);
            return Future.succeededFuture();
        }));
    }

    private static StatusReply.Builder leaderOf(String... members) {
        var leader = StatusReply.newBuilder()
                .setPeerId("n2")
                .setClusterId(CLUSTER)
                .setIncarnation(LIFE)
                .setTerm(TERM)
                .setLeads(true)
                .setReady(true);
        List.of(members)
                .forEach(member -> leader.addMembers(GroupMember.newBuilder().setPeerId(member)));
        return leader;
    }

    @Test
    void aPeerThatTheLeaderLeavesOutStopsAlthoughItsOwnLogStillHasIt() throws StartupException {
        says = List.of(leaderOf("n2", "n3").build());
        watch(mark().setSettled(true).build());
        assertEquals("n1 was taken out", Deadline.await(fatal).getMessage());
    }

    @Test
    void itGoesOnWhereNoLeaderOfItsOwnClusterAndLifeLeavesItOut() throws StartupException {
        says = List.of(
                leaderOf("n1", "n2", "n3").build(),
                leaderOf("n2", "n3").setReady(false).build(),
                leaderOf("n2", "n3").setClusterId("another").build(),
                leaderOf("n2", "n3").setIncarnation(LIFE - 1).build(),
                leaderOf("n2", "n3").clearIncarnation().build(),
                leaderOf("n2", "n3").setTerm(TERM - 1).build());
        watch(mark().setSettled(true).build());
        Deadline.await(everythingSaid);
        assertFalse(fatal.isDone(), fatal::toString);
    }

    @Test
    void aPeerThatAsksForAdmissionSaysOfWhichLifeOfTheClusterItIs() throws StartupException {
        watch(mark().setJoining(Joining.newBuilder().addStore(other.toString())).build());
        var request = Deadline.await(admission);
        assertEquals(CLUSTER, request.getClusterId());
        assertEquals(LIFE, request.getIncarnation());
        assertEquals("n1", request.getAdd().getPeerId());
    }
}
