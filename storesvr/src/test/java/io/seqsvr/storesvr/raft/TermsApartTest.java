package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.HostPort;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.MetadataProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real follower whose disk holds it up, and two leaders, of one term and the next, whose part the test plays: what
 * the first one sent last is on its way to the disk when the other one is elected.
 */
@Timeout(60)
class TermsApartTest {
    private static final long PATIENCE_SECONDS = 20;
    /** Where Ratis looks for code of a test before a member writes its log. */
    private static final String BEFORE_THE_LOG_IS_WRITTEN = "SegmentedRaftLogWorker.runWorker";

    private static final String FOLLOWER = "follower-of-two-terms";

    @TempDir
    private Path directory;

    private final RaftGroupId groupId = RaftGroupId.randomId();
    private final CountDownLatch disk = new CountDownLatch(1);
    private final List<ManagedChannel> channels = new ArrayList<>();
    private RaftServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        CodeInjectionForTesting.put(BEFORE_THE_LOG_IS_WRITTEN, (member, nobody, given) -> {
            if (member != null && member.toString().equals(FOLLOWER)) {
                try {
                    disk.await();
                } catch (InterruptedException closed) {
                    Thread.currentThread().interrupt();
                }
            }
            return true;
        });
        port = freePort();
        server = RaftServer.newBuilder()
                .setServerId(peer(FOLLOWER, port).getId())
                .setGroup(RaftGroup.valueOf(
                        groupId, peer(FOLLOWER, port), peer("first", freePort()), peer("second", freePort())))
                .setStateMachine(new BaseStateMachine())
                .setParameters(new Parameters())
                .setProperties(RaftSettings.server(new HostPort("127.0.0.1", port), false, directory))
                .setOption(RaftStorage.StartupOption.FORMAT)
                .build();
        server.start();
    }

    @AfterEach
    void stop() throws IOException {
        disk.countDown();
        CodeInjectionForTesting.remove(BEFORE_THE_LOG_IS_WRITTEN);
        channels.forEach(ManagedChannel::shutdownNow);
        server.close();
    }

    private static int freePort() throws IOException {
        try (var probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    private static RaftPeer peer(String id, int port) {
        return RaftPeer.newBuilder().setId(id).setAddress("127.0.0.1:" + port).build();
    }

    private RaftRpcRequestProto from(String peer, long call) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(ByteString.copyFromUtf8(peer))
                .setReplyId(ByteString.copyFromUtf8(FOLLOWER))
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(groupId.toByteString()))
                .setCallId(call)
                .build();
    }

    private static TermIndexProto at(long term, long index) {
        return TermIndexProto.newBuilder().setTerm(term).setIndex(index).build();
    }

    private ManagedChannel channel() {
        var channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        channels.add(channel);
        return channel;
    }

    /** A leader's stream of entries, and what is answered: nothing where the stream was ended. */
    private final class Leader {
        private final String name;
        private final long term;
        private final BlockingQueue<Optional<AppendEntriesReplyProto>> replies = new LinkedBlockingQueue<>();
        private final StreamObserver<AppendEntriesRequestProto> requests;
        private long calls;

        Leader(String name, long term) {
            this.name = name;
            this.term = term;
            requests = RaftServerProtocolServiceGrpc.newStub(channel()).appendEntries(new StreamObserver<>() {
                @Override
                public void onNext(AppendEntriesReplyProto reply) {
                    replies.add(Optional.of(reply));
                }

                @Override
                public void onError(Throwable ended) {
                    replies.add(Optional.empty());
                }

                @Override
                public void onCompleted() {
                    replies.add(Optional.empty());
                }
            });
        }

        void sends(long index, Optional<TermIndexProto> previous) {
            var request = AppendEntriesRequestProto.newBuilder()
                    .setServerRequest(from(name, calls++))
                    .setLeaderTerm(term)
                    .setLeaderCommit(-1)
                    .addEntries(LogEntryProto.newBuilder()
                            .setTerm(term)
                            .setIndex(index)
                            .setMetadataEntry(MetadataProto.newBuilder().setCommitIndex(-1)));
            previous.ifPresent(request::setPreviousLog);
            requests.onNext(request.build());
        }

        Optional<AppendResult> hears() throws InterruptedException {
            var reply = replies.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertTrue(reply != null, name + " hears nothing");
            return reply.map(AppendEntriesReplyProto::getResult);
        }
    }

    /** The follower votes only when it has heard nothing of a leader for a while. */
    private void elect(String candidate, long term, TermIndexProto last) {
        var votes = RaftServerProtocolServiceGrpc.newBlockingStub(channel());
        long since = System.nanoTime();
        while (!votes.requestVote(RequestVoteRequestProto.newBuilder()
                        .setServerRequest(from(candidate, 1))
                        .setCandidateTerm(term)
                        .setCandidateLastEntry(last)
                        .build())
                .getServerReply()
                .getSuccess()) {
            assertTrue(
                    System.nanoTime() - since < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS), candidate + " has no vote");
        }
    }

    private void awaitEntries(int wanted) throws IOException {
        long since = System.nanoTime();
        while (server.getDivision(groupId).getRaftLog().getNextIndex() < wanted) {
            assertTrue(System.nanoTime() - since < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS), "no entry comes");
            Thread.onSpinWait();
        }
    }

    @Test
    void whatADeposedLeaderSentIsNotAcknowledgedAfterAVote() throws Exception {
        var first = new Leader("first", 1);
        first.sends(0, Optional.empty());
        first.sends(1, Optional.of(at(1, 0)));
        awaitEntries(1);
        elect("second", 2, at(1, 0));
        disk.countDown();
        assertEquals(Optional.of(AppendResult.NOT_LEADER), first.hears());
        assertEquals(Optional.of(AppendResult.NOT_LEADER), first.hears());
    }

    @Test
    void entriesOfTheNewLeaderAreNotTakenForThoseThatWaitThere() throws Exception {
        var first = new Leader("first", 1);
        first.sends(0, Optional.empty());
        first.sends(1, Optional.of(at(1, 0)));
        awaitEntries(1);
        elect("second", 2, at(1, 0));
        var second = new Leader("second", 2);
        second.sends(1, Optional.of(at(1, 0)));
        disk.countDown();
        first.hears();
        first.hears();
        if (!second.hears().equals(Optional.of(AppendResult.SUCCESS))) {
            var again = new Leader("second", 2);
            again.sends(1, Optional.of(at(1, 0)));
            assertEquals(Optional.of(AppendResult.SUCCESS), again.hears());
        }
        assertEquals(
                2, server.getDivision(groupId).getRaftLog().getTermIndex(1).getTerm(), "the entry that is in the log");
    }
}
