package io.seqsvr.storesvr.raft;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.proto.codec.ReplyEncoder;
import io.seqsvr.proto.internal.v1.EntryReplies;
import io.seqsvr.storesvr.disk.DiskFailure;
import io.seqsvr.storesvr.disk.Shortage;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.Applied;
import io.seqsvr.storesvr.rocks.OtherFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.FileUtils;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the entries of the Raft log to a {@link Replica}. It decides nothing itself; it lives by Ratis' rules:
 * applied in order on one thread, snapshots as checkpoints, and after a restart everything after the last snapshot
 * once more. Ratis' own trigger for snapshots is off: it would take them on the thread that applies.
 */
final class StoreStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(StoreStateMachine.class);

    private static final long TELL_TIMEOUT_MILLIS = 60_000;

    private final SnapshotDirectory snapshots = new SnapshotDirectory();
    private final SnapshotTrial trial = new SnapshotTrial(snapshots);
    private final SnapshotTaker taker;
    private final ClientId teller = ClientId.randomId();
    private final AtomicLong lastCall = new AtomicLong();
    private final AtomicBoolean telling = new AtomicBoolean();
    private final Path live;
    private final Replica replica;
    private final LeadershipListener leadership;
    private final Consumer<Throwable> fatal;
    private volatile @Nullable String unreadable;
    private volatile @Nullable Path log;
    private volatile Consumer<LogEntryProto> configurations = nobody -> {};
    private volatile LongConsumer leaders = term -> {};
    private volatile @Nullable RaftPeerId leader;
    /** While paused: the last entry in the snapshot that Ratis is to put in place. */
    private volatile long placing;

    private volatile boolean closing;
    private volatile boolean leads;
    private volatile int members = 1;

    /**
     * A state machine without data.
     *
     * @param live where the live database goes, outside of Ratis' directories
     * @param snapshotEvery entries between two snapshots
     * @param fatal stops the process: called when an entry cannot be applied
     */
    StoreStateMachine(
            Path live, int snapshotEvery, Replica replica, LeadershipListener leadership, Consumer<Throwable> fatal) {
        this(live, snapshotEvery, replica::checkpoint, replica, leadership, fatal);
    }

    /** With checkpoints that a test makes. */
    StoreStateMachine(
            Path live,
            int snapshotEvery,
            SnapshotTaker.Checkpoints checkpoints,
            Replica replica,
            LeadershipListener leadership,
            Consumer<Throwable> fatal) {
        this.taker = new SnapshotTaker(snapshots, checkpoints, snapshotEvery, this::tellRatis, this::snapshotFailed);
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
                            log = storage.getStorageDir().getCurrentDir().toPath();
                            load();
                        },
                        IOException.class);
    }

    /** Makes the live database from the newest snapshot; Ratis then applies the log from there on. */
    private void load() throws IOException {
        FileUtils.deleteFully(live);
        Files.createDirectories(live);
        var snapshot = snapshots.latest();
        var applied = snapshot.isPresent() ? open(snapshot.get()) : replica.open(live);
        setLastAppliedTermIndex(SnapshotTaker.termIndex(applied));
        taker.begin(applied.index());
        LOG.info("event=state_loaded term={} index={}", applied.term(), applied.index());
    }

    private Applied open(SnapshotDirectory.Snapshot snapshot) throws IOException {
        try {
            snapshot.copyTo(live);
            var applied = replica.open(live);
            snapshot.checkHolds(applied);
            return applied;
        } catch (OtherFormatException whole) {
            throw whole;
        } catch (IOException | RuntimeException damaged) {
            if (Shortage.explains(damaged, live)) {
                var passing =
                        new IOException("snapshot " + snapshot.path() + " cannot be opened: " + damaged.getMessage()
                                + "; nothing of it is damaged: provide what is missing, then start this peer again");
                passing.addSuppressed(damaged);
                throw passing;
            }
            unreadable = "snapshot " + snapshot.path() + " is damaged, or cannot be read: " + damaged.getMessage();
            throw new IOException(unreadable, damaged);
        }
    }

    /** Why a snapshot was refused, if one was. */
    Optional<String> unreadable() {
        return Optional.ofNullable(unreadable);
    }

    /** Ratis has written what it was sent, and is about to put it in place of the snapshots and to count on it. */
    @Override
    public void pause() {
        if (getLifeCycleState().isPausingOrPaused()) {
            // It ends the process if the one before is not there.
            var unused = getLatestSnapshot();
            throw new UncheckedIOException(new IOException("the snapshot before this one is still being loaded"));
        }
        placing = trial.admit(leader);
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        taker.halt();
        replica.close();
        try {
            snapshots.transfers().secure();
        } catch (IOException failed) {
            throw stopped(
                    new DiskFailure("a snapshot from the leader for the log " + log + " cannot be written", failed));
        }
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** Ratis tells the leader that it could not rename, and nobody here: without this the peer would stay paused. */
    private DiskFailure unplaced(IOException failed) {
        return new DiskFailure(
                "a snapshot from the leader for the log " + log + " cannot be put in place of the one before it",
                failed);
    }

    private UncheckedIOException stopped(DiskFailure failure) {
        if (!closing) {
            fatal.accept(failure);
        }
        return new UncheckedIOException(failure);
    }

    @Override
    @SuppressWarnings("NullAway") // Ratis wants null where there is none
    public @Nullable SnapshotInfo getLatestSnapshot() {
        try {
            var newest = snapshots.getLatestSnapshot();
            if (isPausedBetweenCalls() && (newest == null ? -1 : newest.getIndex()) < placing) {
                throw new UncheckedIOException(unplaced(new IOException("that one is still there")));
            }
            return newest;
        } catch (UncheckedIOException failed) {
            if (failed.getCause() instanceof DiskFailure failure) {
                throw stopped(failure);
            }
            if (isPausedBetweenCalls()) {
                throw stopped(unplaced(failed.getCause()));
            }
            throw failed;
        }
    }

    /** Ratis pauses and renames while it holds the lock of its member; who does not may see it half done. */
    private boolean isPausedBetweenCalls() {
        try {
            return getLifeCycleState() == LifeCycle.State.PAUSED
                    && Thread.holdsLock(getServer().join().getDivision(getGroupId()));
        } catch (IOException ended) {
            return false;
        }
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
            var replies = apply(new Applied(entry.getTerm(), entry.getIndex()), LogEntries.commands(entry));
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            taker.applied(entry.getIndex(), leads && members > 1);
            return CompletableFuture.completedFuture(encode(replies));
        } catch (IOException | RuntimeException broken) {
            // While a snapshot is installed older entries may still come; it holds what they did.
            if (!getLifeCycleState().isPausingOrPaused()) {
                fatal.accept(broken);
            }
            return CompletableFuture.failedFuture(broken);
        }
    }

    private List<StoreReply> apply(Applied entry, List<StoreCommand> commands) throws DiskFailure {
        try {
            return replica.apply(entry, commands);
        } catch (IOException failed) {
            throw new DiskFailure("the database " + live + " cannot be written", failed);
        }
    }

    private static Message encode(List<StoreReply> replies) {
        var encoded = EntryReplies.newBuilder();
        replies.forEach(reply -> encoded.addReplies(ReplyEncoder.encode(reply)));
        return Message.valueOf(UnsafeByteOperations.unsafeWrap(encoded.build().toByteArray()));
    }

    /** Ratis asks for one because there is one to be told of; at the end, and when somebody else asks, one is taken. */
    @Override
    public long takeSnapshot() throws IOException {
        if (!telling.get() || closing) {
            taker.take();
        }
        return taker.tell();
    }

    /** Ratis would only tell its log, and try again later. */
    private void snapshotFailed(Exception failure) {
        if (!closing) {
            fatal.accept(new DiskFailure("a snapshot for the log " + log + " cannot be written", failure));
        }
    }

    /** Ratis learns of a snapshot only by asking for it; then it drops the log before it, and all but the last two. */
    private void tellRatis() {
        if (!telling.compareAndSet(false, true)) {
            return;
        }
        var unused = getServer().thenCompose(this::tell).whenComplete((reply, failure) -> {
            telling.set(false);
            if (failure != null || !reply.isSuccess()) {
                LOG.warn(
                        "event=snapshot_untold error=\"{}\"",
                        failure != null ? failure.getMessage() : String.valueOf(reply.getException()));
            }
        });
    }

    private CompletableFuture<RaftClientReply> tell(RaftServer server) {
        return server.snapshotManagementAsync(SnapshotManagementRequest.newCreate(
                teller, server.getId(), getGroupId(), lastCall.incrementAndGet(), TELL_TIMEOUT_MILLIS, 1));
    }

    /** Ratis would go on leading without ever writing again: each later entry fails, and nobody takes over. */
    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failedEntry) {
        if (!closing) {
            fatal.accept(new DiskFailure("the Raft log " + log + " cannot be written", cause));
        }
    }

    @Override
    public void notifyLeaderReady() {
        leads = true;
        leadership.leading();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        leads = false;
        leadership.following();
    }

    /**
     * Tells of each configuration of the group that is applied, as the entry that says it; to be set before Raft
     * starts.
     */
    void onConfiguration(Consumer<LogEntryProto> listener) {
        configurations = listener;
    }

    /**
     * Is called with the term when this member learns of a leader, which may be itself: before anything of that term is
     * added to its log.
     */
    void onLeader(LongConsumer listener) {
        leaders = listener;
    }

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        members = configuration.getPeersCount();
        configurations.accept(LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setConfigurationEntry(configuration)
                .build());
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
        LOG.info("event=leader_changed peer={} leader={}", member.getPeerId(), newLeader);
        leader = newLeader;
        leaders.accept(term());
    }

    private long term() {
        try {
            return getServer().join().getDivision(getGroupId()).getInfo().getCurrentTerm();
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    /** From now on an end is what we want. */
    void expectClose() {
        closing = true;
    }

    @Override
    public void close() {
        taker.close();
        replica.close();
        if (!closing) {
            // Ratis closes a member that hit a defect, and leaves the process standing without one.
            fatal.accept(new IllegalStateException(
                    "Raft ended this member by itself; the line before says why, and a start may mend it"));
        }
    }
}
