package io.seqsvr.storesvr.raft;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.EntryReplies;
import io.seqsvr.proto.internal.v1.LogEntry;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.disk.Damage;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.Applied;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.StorageImplUtils;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a member of the Raft group. An entry is submitted once, under an id drawn at process start: whatever
 * fails after that leaves its outcome unknown.
 */
public final class RaftMember implements AutoCloseable {
    /** Version of the log entries that are written. */
    public static final int ENTRY_FORMAT = 1;

    private static final Logger LOG = LoggerFactory.getLogger(RaftMember.class);
    /** How to go on without this peer. */
    private static final String REPLACE = "put a new one in its place with 'seqsvr store replace'";

    private static final Duration GIVES_UP_WITHIN = Duration.ofSeconds(1);

    private final RaftServer server;
    private final StoreStateMachine machine;
    private final RaftGroupId groupId;
    private final PeerGroup group;
    private final ConnectionWatch connections;
    private final VoteWatch voteWatch;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong lastCall = new AtomicLong();

    private RaftMember(
            RaftServer server, StoreStateMachine machine, RaftGroupId groupId, PeerGroup group, VoteDirectory votes) {
        this.server = server;
        this.machine = machine;
        this.groupId = groupId;
        this.group = group;
        this.connections = ConnectionWatch.start(new PeerConnections(server, groupId));
        this.voteWatch = VoteWatch.start(votes, this::term);
    }

    /** Formats the Raft part of a data directory for a group. */
    public static void format(Path directory, String group) throws IOException {
        var properties = new RaftProperties();
        RaftSettings.storage(properties, directory);
        Files.createDirectories(directory);
        var groupId = groupId(group);
        StorageImplUtils.initRaftStorage(groupId.getUuid().toString(), RaftStorage.StartupOption.FORMAT, properties)
                .close();
        var vote = VoteDirectory.voteFile(current(directory, groupId));
        if (!Files.exists(vote)) {
            throw new IOException("formatting left no " + vote);
        }
    }

    private static Path current(Path directory, RaftGroupId groupId) {
        return directory.resolve(groupId.getUuid().toString()).resolve("current");
    }

    /**
     * Starts the member from a formatted directory.
     *
     * @param group name of the group: {@link GroupName}
     * @param beginning who counts as the group before the log says so
     * @param directory Ratis' part of the data directory
     * @param live where the live database goes
     * @param snapshotEvery entries between two snapshots
     * @param configurations is told the members of each configuration that is applied, on Raft's thread
     * @param fatal stops the process
     */
    public static RaftMember start(
            String group,
            RaftPeers peers,
            PeerGroup.Beginning beginning,
            Path directory,
            Path live,
            int snapshotEvery,
            Replica replica,
            LeadershipListener leadership,
            Consumer<Set<String>> configurations,
            Consumer<Throwable> fatal)
            throws StartupException {
        var groupId = groupId(group);
        var current = current(directory, groupId);
        var votes = new VoteDirectory(current, fatal);
        try {
            votes.putBack();
        } catch (IOException unwritable) {
            throw undurable(directory, unwritable);
        }
        if (!Files.exists(VoteDirectory.voteFile(current))) {
            throw new StartupException("the Raft log under " + directory
                    + " is gone, although the data directory was formatted: this peer must not vote again; " + REPLACE);
        }
        if (beginning == PeerGroup.Beginning.INSIDE && !holdsConfiguration(current)) {
            throw new StartupException("the Raft log under " + directory + " no longer says who is in the group,"
                    + " although this peer was: it must not vote again; " + REPLACE);
        }
        refuseDamage(current, peers.self());
        refuseTakenPort(peers.own().raft());
        try {
            if (RaftFiles.dropSuperseded(current)) {
                LOG.info("event=log_superseded peer={}; a snapshot that the leader sent goes beyond it", peers.self());
            }
            OpenSegment.secure(current);
            votes.begin();
        } catch (IOException unwritable) {
            throw undurable(directory, unwritable);
        }
        var started = new AtomicReference<@Nullable PeerGroup>();
        var machine = new StoreStateMachine(
                live, snapshotEvery, replica, leadership, cause -> fatal.accept(explained(cause, started.get())));
        machine.onLeader(votes::keep);
        machine.onConfiguration(entry -> {
            votes.keepMembers(entry);
            var configuration = entry.getConfigurationEntry();
            configurations.accept(
                    Stream.concat(configuration.getPeersList().stream(), configuration.getOldPeersList().stream())
                            .map(peer -> RaftPeerId.valueOf(peer.getId()).toString())
                            .collect(Collectors.toSet()));
        });
        try {
            var server = RaftServer.newBuilder()
                    .setServerId(RaftPeerId.valueOf(peers.self()))
                    .setGroup(PeerGroup.given(groupId, peers, beginning))
                    .setStateMachine(machine)
                    .setParameters(votes.answersAfterKeeping())
                    .setProperties(
                            RaftSettings.server(peers.own().raft(), peers.all().size() == 1, directory))
                    .setOption(RaftStorage.StartupOption.RECOVER)
                    .build();
            try {
                server.start();
                var members = new PeerGroup(server, groupId, peers);
                started.set(members);
                members.compareWithSettings();
                return new RaftMember(server, machine, groupId, members, votes);
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
            throw new StartupException("the Raft log in " + current + " cannot be read: " + unreadable
                    + "; mend the device, or " + REPLACE);
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

    /** Why Raft came to an end: a peer that was taken out of the group is told so by an election, if by anything. */
    private static Throwable explained(Throwable cause, @Nullable PeerGroup group) {
        return group != null && group.wasTakenOut() ? new IllegalStateException(group.takenOut(), cause) : cause;
    }

    private static StartupException undurable(Path directory, IOException unwritable) {
        return new StartupException("the Raft log under " + directory + " cannot be made durable: "
                + unwritable.getMessage() + "; free space there or mend the device, then start it again");
    }

    /** Looked at before Ratis starts, which takes the group of the settings where it finds none that it can read. */
    private static boolean holdsConfiguration(Path current) {
        try {
            return RaftFiles.isConfiguration(Files.readAllBytes(VoteDirectory.membersFile(current)));
        } catch (IOException gone) {
            return false;
        }
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

    /** Who is in the group, and who leads it. */
    public PeerGroup group() {
        return group;
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

    /** Index of the last entry in this member's log, applied or not; -1 if there is none. */
    public long lastIndex() {
        try {
            var last = server.getDivision(groupId).getRaftLog().getLastEntryTermIndex();
            return last == null ? -1 : last.getIndex();
        } catch (IOException | IllegalStateException closed) {
            return -1;
        }
    }

    /**
     * Reads the entries with commands that stand in this member's log after one, in their order, whether a majority has
     * them or not. Blocks; entries that come meanwhile are left out.
     *
     * @param index of that one; -1 for all of them
     * @throws IOException if one is not there, or cannot be read
     */
    public void readLogAfter(long index, BiConsumer<Applied, List<StoreCommand>> reader) throws IOException {
        var log = server.getDivision(groupId).getRaftLog();
        var last = log.getLastEntryTermIndex();
        for (long next = index + 1; last != null && next <= last.getIndex(); next++) {
            var entry = log.get(next);
            if (entry == null) {
                throw new IOException("entry " + next + " has just gone from the log of this peer; try again");
            }
            if (entry.hasStateMachineLogEntry()) {
                reader.accept(new Applied(entry.getTerm(), next), LogEntries.commands(entry));
            }
        }
        // Where the last one is still there, so are those before it, each as it was read.
        if (last != null && !last.equals(log.getTermIndex(last.getIndex()))) {
            throw new IOException("a new leader has replaced entries of the log of this peer meanwhile; try again");
        }
    }

    /**
     * Has another member lead, if this one does and there is one; blocks, but not for long. Not where the others are no
     * majority without this one: who leads then alone would hold up the election that is due when one comes back.
     */
    public void giveUpLeadership() {
        if (!isLeader() || !group.electsWithoutThis()) {
            return;
        }
        group.heir().ifPresent(heir -> {
            var result = group.transfer(heir.id(), GIVES_UP_WITHIN).join();
            LOG.info("event=leadership_given_up to={} outcome={}", heir.id(), result.outcome());
        });
    }

    @Override
    public void close() throws IOException {
        connections.close();
        voteWatch.close();
        machine.expectClose();
        server.close();
    }
}
