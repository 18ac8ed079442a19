package io.seqsvr.storesvr.raft;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.codec.CommandDecoder;
import io.seqsvr.proto.codec.ReplyEncoder;
import io.seqsvr.proto.internal.v1.EntryReplies;
import io.seqsvr.proto.internal.v1.LogEntry;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.Applied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.FileUtils;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the entries of the Raft log to a {@link Replica}. It decides nothing itself; it lives by Ratis' rules:
 * applied in order on one thread, snapshots as checkpoints, and after a restart everything after the last snapshot
 * once more.
 */
final class StoreStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(StoreStateMachine.class);

    private final SnapshotDirectory snapshots = new SnapshotDirectory();
    private final Path live;
    private final Replica replica;
    private final LeadershipListener leadership;
    private final Consumer<Throwable> fatal;
    private volatile Consumer<RaftConfigurationProto> configurations = nobody -> {};
    private volatile boolean closing;

    /**
     * A state machine without data.
     *
     * @param live where the live database goes, outside of Ratis' directories
     * @param fatal stops the process: called when an entry cannot be applied
     */
    StoreStateMachine(Path live, Replica replica, LeadershipListener leadership, Consumer<Throwable> fatal) {
        this.live = live;
        this.replica = replica;
        this.leadership = leadership;
        this.fatal = fatal;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage) throws IOException {
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            super.initialize(server, groupId, storage);
                            snapshots.init(storage);
                            load();
                        },
                        IOException.class);
    }

    /** Makes the live database from the newest snapshot; Ratis then applies the log from there on. */
    private void load() throws IOException {
        FileUtils.deleteFully(live);
        Files.createDirectories(live);
        var snapshot = snapshots.latest();
        if (snapshot.isPresent()) {
            copy(snapshot.get().path());
        }
        var applied = replica.open(live);
        if (snapshot.isPresent() && !snapshot.get().at().equals(termIndex(applied))) {
            throw new IOException("snapshot " + snapshot.get().path() + " holds the state after " + applied);
        }
        setLastAppliedTermIndex(termIndex(applied));
        LOG.info("event=state_loaded term={} index={}", applied.term(), applied.index());
    }

    /** Table files never change, so a hard link will do. */
    private void copy(Path snapshot) throws IOException {
        try (var files = Files.newDirectoryStream(snapshot)) {
            for (var file : files) {
                var target = live.resolve(file.getFileName());
                if (file.toString().endsWith(".sst")) {
                    Files.createLink(target, file);
                } else if (!file.toString().endsWith(".md5")) {
                    Files.copy(file, target);
                }
            }
        }
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        replica.close();
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        load();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return snapshots;
    }

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        return TransactionContext.newBuilder()
                .setStateMachine(this)
                .setClientRequest(request)
                .setLogData(request.getMessage().getContent())
                .build();
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        var entry = transaction.getLogEntry();
        try {
            var commands = commands(entry);
            var replies = replica.apply(new Applied(entry.getTerm(), entry.getIndex()), commands);
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            return CompletableFuture.completedFuture(encode(replies));
        } catch (IOException | RuntimeException broken) {
            // While a snapshot is installed older entries may still come; it holds what they did.
            if (!getLifeCycleState().isPausingOrPaused()) {
                fatal.accept(broken);
            }
            return CompletableFuture.failedFuture(broken);
        }
    }

    private static List<StoreCommand> commands(LogEntryProto entry) throws IOException {
        ByteString data = entry.getStateMachineLogEntry().getLogData();
        var decoded = LogEntry.parseFrom(data.asReadOnlyByteBuffer());
        if (decoded.getFormat() != RaftMember.ENTRY_FORMAT) {
            throw new IOException("log entry " + entry.getIndex() + " has format " + decoded.getFormat()
                    + "; this version reads format " + RaftMember.ENTRY_FORMAT);
        }
        return decoded.getCommandsList().stream().map(CommandDecoder::decode).toList();
    }

    private static Message encode(List<StoreReply> replies) {
        var encoded = EntryReplies.newBuilder();
        replies.forEach(reply -> encoded.addReplies(ReplyEncoder.encode(reply)));
        return Message.valueOf(UnsafeByteOperations.unsafeWrap(encoded.build().toByteArray()));
    }

    @Override
    public long takeSnapshot() throws IOException {
        var at = getLastAppliedTermIndex();
        if (at.getIndex() < 0) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        var place = snapshots.place(at);
        if (!Files.exists(place)) {
            var draft = snapshots.draft(at);
            FileUtils.deleteFully(draft);
            replica.checkpoint(new Applied(at.getTerm(), at.getIndex()), draft);
            snapshots.complete(at);
            LOG.info("event=snapshot_taken term={} index={}", at.getTerm(), at.getIndex());
        }
        return at.getIndex();
    }

    /** Ratis would go on leading without ever writing again: each later entry fails, and nobody takes over. */
    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failedEntry) {
        if (!closing) {
            fatal.accept(cause);
        }
    }

    @Override
    public void notifyLeaderReady() {
        leadership.leading();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        leadership.following();
    }

    /** Tells of each configuration of the group that is applied; to be set before Raft starts. */
    void onConfiguration(Consumer<RaftConfigurationProto> listener) {
        configurations = listener;
    }

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        configurations.accept(configuration);
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        LOG.info("event=leader_changed peer={} leader={}", member.getPeerId(), leader);
    }

    /** From now on an end is what we want. */
    void expectClose() {
        closing = true;
    }

    @Override
    public void close() {
        replica.close();
        if (!closing) {
            // Ratis closes a member that hit a defect, and leaves the process standing without one.
            fatal.accept(new IllegalStateException("Raft ended this member by itself; its log says why"));
        }
    }

    private static TermIndex termIndex(Applied applied) {
        return applied.index() < 0 ? TermIndex.INITIAL_VALUE : TermIndex.valueOf(applied.term(), applied.index());
    }
}
