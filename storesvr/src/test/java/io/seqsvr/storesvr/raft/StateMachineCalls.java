package io.seqsvr.storesvr.raft;

import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CreateCluster;
import io.seqsvr.proto.internal.v1.EntryReplies;
import io.seqsvr.proto.internal.v1.LeaseTerms;
import io.seqsvr.proto.internal.v1.LogEntry;
import io.seqsvr.proto.internal.v1.Namespace;
import io.seqsvr.proto.internal.v1.OpenSession;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.SessionKind;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** What Ratis does with a state machine, call by call. */
final class StateMachineCalls {
    static final Command CREATE = Command.newBuilder()
            .setCreateCluster(CreateCluster.newBuilder()
                    .setClusterId("cluster-1")
                    .setLease(
                            LeaseTerms.newBuilder().setTtlNanos(3_000_000_000L).setDriftPermille(100))
                    .addNamespaces(Namespace.newBuilder()
                            .setId(1)
                            .setName("messages")
                            .setCapacity(100)
                            .setSegmentSize(10)
                            .setKeying(Namespace.Keying.DIRECT)
                            .setOrder(Namespace.Order.LEASE)
                            .setStep(100)
                            .setMaxCount(10)
                            .setMaxSequence(Long.MAX_VALUE)))
            .build();

    /** Ratis' member, which is the lock under which it takes a snapshot in. */
    static final RaftServer.Division DIVISION = (RaftServer.Division) Proxy.newProxyInstance(
            RaftServer.class.getClassLoader(),
            new Class<?>[] {RaftServer.Division.class},
            (self, method, arguments) -> {
                throw new AssertionError("the state machine calls " + method);
            });

    static final LeadershipListener NOBODY = new LeadershipListener() {
        @Override
        public void leading() {}

        @Override
        public void following() {}
    };

    private StateMachineCalls() {}

    /** All that a state machine asks its server is its name, for logs. */
    static RaftServer serverOfNoGroup() {
        return server(() -> {
            throw new AssertionError("nobody is to be told of a snapshot");
        });
    }

    /** Ratis, which is told of a snapshot and asks for it. */
    static RaftServer server(Runnable asks) {
        Map<String, Object> answers = Map.of(
                "getId",
                RaftPeerId.valueOf("peer-1"),
                "getDivision",
                DIVISION,
                "snapshotManagementAsync",
                new CompletableFuture<RaftClientReply>());
        return (RaftServer) Proxy.newProxyInstance(
                RaftServer.class.getClassLoader(), new Class<?>[] {RaftServer.class}, (self, method, arguments) -> {
                    if (method.getName().equals("snapshotManagementAsync")) {
                        asks.run();
                    }
                    return Objects.requireNonNull(
                            answers.get(method.getName()), () -> "the state machine calls " + method);
                });
    }

    static CompletableFuture<Message> apply(StoreStateMachine machine, long index, byte[] data) {
        var entry = LogEntryProto.newBuilder()
                .setTerm(1)
                .setIndex(index)
                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(data)))
                .build();
        return machine.applyTransaction(TransactionContext.newBuilder()
                .setStateMachine(machine)
                .setLogEntry(entry)
                .build());
    }

    static List<Reply> apply(StoreStateMachine machine, long index, Command... commands)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        var entry = LogEntry.newBuilder().setFormat(RaftMember.ENTRY_FORMAT).addAllCommands(List.of(commands));
        var message = apply(machine, index, entry.build().toByteArray()).get(10, TimeUnit.SECONDS);
        return EntryReplies.parseFrom(message.getContent().asReadOnlyByteBuffer())
                .getRepliesList();
    }

    static Command open(String name) {
        return Command.newBuilder()
                .setOpenSession(OpenSession.newBuilder()
                        .setKind(SessionKind.ALLOCATOR)
                        .setNonce(1)
                        .setName(name)
                        .setAddress(name + ":1"))
                .build();
    }
}
