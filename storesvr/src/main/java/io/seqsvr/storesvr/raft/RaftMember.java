package io.seqsvr.storesvr.raft;

import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.EntryReplies;
import io.seqsvr.proto.internal.v1.LogEntry;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.disk.Damage;
import io.seqsvr.storesvr.replica.Replica;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.StorageImplUtils;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * This process as a member of the Raft group. An entry is submitted once, under an id drawn at process start: whatever
 * fails after that leaves its outcome unknown.
 */
public final class RaftMember implements AutoCloseable {
    /** Version of the log entries that are written. */
    public static final int ENTRY_FORMAT = 1;

    private final RaftServer server;
    private final StoreStateMachine machine;
    private final RaftGroupId groupId;
    private final RaftPeers peers;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong lastCall = new AtomicLong();

    private RaftMember(RaftServer server, StoreStateMachine machine, RaftGroupId groupId, RaftPeers peers) {
        this.server = server;
        this.machine = machine;
        this.groupId = groupId;
        this.peers = peers;
    }

    /** Formats the Raft part of a data directory for a group. */
    public static void format(Path directory, String group) throws IOException {
        var properties = new RaftProperties();
        RaftSettings.storage(properties, directory);
        Files.createDirectories(directory);
        var groupId = groupId(group);
        StorageImplUtils.initRaftStorage(groupId.getUuid().toString(), RaftStorage.StartupOption.FORMAT, properties)
                .close();
        if (!Files.exists(metaFile(directory, groupId))) {
            throw new IOException("formatting left no " + metaFile(directory, groupId));
        }
    }

    /** Holds the vote and the term: without it a member could vote twice. */
    private static Path metaFile(Path directory, RaftGroupId groupId) {
        return current(directory, groupId).resolve("raft-meta");
    }

    private static Path current(Path directory, RaftGroupId groupId) {
        return directory.resolve(groupId.getUuid().toString()).resolve("current");
    }

    /**
     * Starts the member from a formatted directory.
     *
     * @param group name of the group: {@link GroupName}
     * @param directory Ratis' part of the data directory
     * @param live where the live database goes
     * @param snapshotEvery entries between two snapshots
     * @param fatal stops the process
     */
    public static RaftMember start(
            String group,
            RaftPeers peers,
            Path directory,
            Path live,
            int snapshotEvery,
            Replica replica,
            LeadershipListener leadership,
            Consumer<Throwable> fatal)
            throws StartupException {
        var groupId = groupId(group);
        if (!Files.exists(metaFile(directory, groupId))) {
            throw new StartupException("the Raft log under " + directory
                    + " is gone, although the data directory was formatted: this peer must not vote again; replace it");
        }
        refuseDamage(current(directory, groupId), peers.self());
        refuseTakenPort(peers.own().raft());
        try {
            OpenSegment.secure(current(directory, groupId));
        } catch (IOException unwritable) {
            throw new StartupException(
                    "the Raft log under " + directory + " cannot be made durable: " + unwritable.getMessage());
        }
        var machine = new StoreStateMachine(live, snapshotEvery, replica, leadership, fatal);
        try {
            var server = RaftServer.newBuilder()
                    .setServerId(RaftPeerId.valueOf(peers.self()))
                    .setGroup(group(groupId, peers))
                    .setStateMachine(machine)
                    .setProperties(RaftSettings.server(peers, directory))
                    .setOption(RaftStorage.StartupOption.RECOVER)
                    .build();
            try {
                server.start();
                return new RaftMember(server, machine, groupId, peers);
            } catch (IOException | RuntimeException failed) {
                machine.expectClose();
                server.close();
                replica.close();
                throw failed;
            }
        } catch (IOException | CompletionException broken) {
            if (machine.unreadable().isPresent()) {
                throw Damage.refusal(machine.unreadable().get(), peers.self());
            }
            throw new StartupException(
                    "the Raft member " + peers.self() + " cannot start from " + directory + ": " + rootMessage(broken));
        }
    }

    private static void refuseDamage(Path current, String peer) throws StartupException {
        try {
            var damage = RaftFiles.damage(current);
            if (damage.isPresent()) {
                throw Damage.refusal(damage.get(), peer);
            }
        } catch (IOException unreadable) {
            throw new StartupException("the Raft log in " + current + " cannot be read: " + unreadable);
        }
    }

    /** Ratis ends the process without a word when its port is taken, so it is looked at before. */
    private static void refuseTakenPort(HostPort raft) throws StartupException {
        try (var probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(raft.host(), raft.port()));
        } catch (IOException taken) {
            throw new StartupException("Raft port " + raft.port() + " on " + raft.host() + " cannot be listened on: "
                    + taken.getMessage() + "; stop what uses it or choose another 'raft'");
        }
    }

    private static RaftGroup group(RaftGroupId groupId, RaftPeers peers) {
        return RaftGroup.valueOf(
                groupId,
                peers.all().stream()
                        .map(peer -> RaftPeer.newBuilder()
                                .setId(peer.id())
                                .setAddress(peer.raft().toString())
                                .build())
                        .toList());
    }

    private static RaftGroupId groupId(String group) {
        return RaftGroupId.valueOf(UUID.fromString(group));
    }

    private static String rootMessage(Throwable broken) {
        var root = broken;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    /**
     * Puts commands into one entry and waits until it is applied.
     *
     * @param commands at most 1,024
     * @return their replies, in their order; any failure leaves the outcome of all of them unknown
     */
    public CompletableFuture<List<Reply>> submit(List<Command> commands) {
        var entry = LogEntry.newBuilder()
                .setFormat(ENTRY_FORMAT)
                .addAllCommands(commands)
                .build();
        var request = RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(server.getId())
                .setGroupId(groupId)
                .setCallId(lastCall.incrementAndGet())
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry.toByteArray())))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            return told(server.submitClientRequestAsync(request).thenCompose(RaftMember::replies));
        } catch (IOException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    /** The same outcome; a failure is one sentence for people, without the names of what it was wrapped in. */
    static <T> CompletableFuture<T> told(CompletableFuture<T> outcome) {
        var told = new CompletableFuture<T>();
        var unused = outcome.whenComplete((replies, failure) -> {
            if (failure == null) {
                told.complete(replies);
            } else {
                told.completeExceptionally(new IOException(rootMessage(failure), failure));
            }
        });
        return told;
    }

    private static CompletableFuture<List<Reply>> replies(RaftClientReply reply) {
        try {
            if (!reply.isSuccess()) {
                var reason = reply.getException() == null ? "no reason given" : rootMessage(reply.getException());
                return CompletableFuture.failedFuture(new IOException("the entry may or may not apply: " + reason));
            }
            return CompletableFuture.completedFuture(
                    EntryReplies.parseFrom(reply.getMessage().getContent().asReadOnlyByteBuffer())
                            .getRepliesList());
        } catch (IOException unreadable) {
            return CompletableFuture.failedFuture(unreadable);
        }
    }

    /** The leader that this member knows of. */
    public Optional<RaftPeers.Peer> leader() {
        try {
            return Optional.ofNullable(server.getDivision(groupId).getInfo().getLeaderId())
                    .flatMap(id -> peers.find(id.toString()));
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    /** Whether this member leads now, ready or not. */
    public boolean isLeader() {
        return role() == RaftPeerRole.LEADER;
    }

    private RaftPeerRole role() {
        try {
            return server.getDivision(groupId).getInfo().getCurrentRole();
        } catch (IOException closed) {
            return RaftPeerRole.UNRECOGNIZED;
        }
    }

    /** The member's term. */
    public long term() {
        try {
            return server.getDivision(groupId).getInfo().getCurrentTerm();
        } catch (IOException closed) {
            return 0;
        }
    }

    /** Index of the last entry that this member applied; nothing before the first. */
    public OptionalLong appliedIndex() {
        try {
            long index = server.getDivision(groupId).getInfo().getLastAppliedIndex();
            return index < 0 ? OptionalLong.empty() : OptionalLong.of(index);
        } catch (IOException closed) {
            return OptionalLong.empty();
        }
    }

    @Override
    public void close() throws IOException {
        machine.expectClose();
        server.close();
    }
}
