package io.seqsvr.storesvr.expiry;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreLeader;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.clock.SystemClocks;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CreateCluster;
import io.seqsvr.proto.internal.v1.ExpireSession;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.storesvr.raft.LeadershipListener;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.replica.ReplicaListener;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link StoreLeader}: tells it of leadership and of applied commands, ticks it, and puts what it proposes
 * through the log; while there is no cluster it proposes one. Any thread may call.
 *
 * <p>Locks: this object's own comes before that of the {@link Replica}, which calls listeners without holding its own.
 */
public final class SessionExpiry implements LeadershipListener, ReplicaListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionExpiry.class);
    private static final long TICK_NANOS = 10_000_000;
    /** Who looks later than this after the last look stood still for the rest of that time. */
    private static final long LATE_NANOS = 5 * TICK_NANOS;

    private final Replica replica;
    private final CreateCluster firstCommand;
    private final Clocks clocks;
    private final StoreLeader leader = new StoreLeader();
    private final SessionLines lines = new SessionLines();
    private final ExecutorService ticker = Executors.newSingleThreadExecutor(task -> {
        var thread = new Thread(task, "session-expiry");
        thread.setDaemon(true);
        return thread;
    });

    private boolean creating;
    private Optional<ClockReading> looked = Optional.empty();

    /**
     * Does nothing before {@link #start}.
     *
     * @param firstCommand what to propose while there is no cluster; the empty one: nothing
     */
    public SessionExpiry(Replica replica, CreateCluster firstCommand) {
        this(replica, firstCommand, new Clocks(SystemClocks::read, SystemClocks::readWithBoot));
    }

    /** By other clocks than those of the machine. */
    SessionExpiry(Replica replica, CreateCluster firstCommand, Clocks clocks) {
        this.replica = replica;
        this.firstCommand = firstCommand;
        this.clocks = clocks;
    }

    /**
     * How timers read the time.
     *
     * @param read the clocks that are read in no time
     * @param readWithBoot all of them
     */
    record Clocks(Supplier<ClockReading> read, Supplier<ClockReading> readWithBoot) {}

    /**
     * Begins to tick.
     *
     * @param log puts a command through the log
     */
    public void start(Function<Command, CompletableFuture<Reply>> log) {
        ticker.execute(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                tick(log);
                LockSupport.parkNanos(TICK_NANOS);
            }
        });
    }

    @Override
    public synchronized void leading() {
        creating = false;
        looked = Optional.of(replica.look(state -> {
            // The clocks after the state: whatever is in it was applied before its timer starts.
            var now = clocks.readWithBoot().get();
            leader.lead(state, now);
            return now;
        }));
        LOG.info("event=leading");
    }

    @Override
    public synchronized void following() {
        if (leader.leading()) {
            LOG.info("event=following");
        }
        leader.follow();
    }

    /** Whether this peer leads and is ready: only then are commands submitted. */
    public synchronized boolean isLeading() {
        return leader.leading();
    }

    /** An answer that needs no log entry; nothing for a command that has to go through the log. */
    public synchronized Optional<StoreReply> refuse(StoreCommand command) {
        return replica.look(state -> leader.refuse(state, command, clocks.read().get()));
    }

    /** The answer to an applied renewal leaves. */
    public synchronized void renewed(long session, long attempt) {
        replica.look(state -> {
            leader.renewed(state, session, attempt, clocks.read().get());
            return true;
        });
    }

    /** The reply of an applied command as it leaves: who must wait is told how long, where this peer can tell. */
    public synchronized StoreReply complete(StoreReply reply) {
        return leader.complete(reply, clocks.read().get());
    }

    @Override
    public void applied(long stamp, List<StoreChange> changes) {
        synchronized (this) {
            var read = startsTimers(changes) ? clocks.readWithBoot() : clocks.read();
            leader.applied(stamp, changes, read.get());
        }
        changes.forEach(change -> lines.of(stamp, change).ifPresent(LOG::info));
    }

    @Override
    public void replaced() {
        lines.open(replica.look(state -> List.copyOf(state.sessions())));
    }

    /** The last entry that stood in the log when this process began: what is applied up to it is nothing new. */
    public void logBegan(long last) {
        lines.begin(last);
    }

    /** Timers compare the boot-time clock only if they started with it; what starts none must not pay for it. */
    private static boolean startsTimers(List<StoreChange> changes) {
        return changes.stream().anyMatch(change -> change instanceof StoreChange.PutSession);
    }

    private void tick(Function<Command, CompletableFuture<Reply>> log) {
        try {
            advance(log);
        } catch (RuntimeException defect) {
            // Without this the ticker would end silently and no session would ever expire again.
            LOG.error("event=defect where=session-expiry error=\"{}\"", defect.getMessage(), defect);
        }
    }

    private void advance(Function<Command, CompletableFuture<Reply>> log) {
        var cluster = replica.cluster();
        List<StoreCommand.ExpireSession> due;
        synchronized (this) {
            if (!leader.leading()) {
                return;
            }
            if (cluster.isEmpty()) {
                createCluster(log);
                return;
            }
            var now = clocks.readWithBoot().get();
            long missed = looked.map(now::monotonicSince).orElse(0L) - LATE_NANOS;
            if (missed > 0) {
                leader.stoodStill(missed, now);
            }
            looked = Optional.of(now);
            due = leader.tick(now);
        }
        due.forEach(one -> propose(one, log));
    }

    private void createCluster(Function<Command, CompletableFuture<Reply>> log) {
        // A peer that joined has no first command: the cluster lives, and it must never begin another.
        if (creating || firstCommand.getClusterId().isEmpty()) {
            return;
        }
        creating = true;
        var command = Command.newBuilder().setCreateCluster(firstCommand).build();
        var unused = log.apply(command).whenComplete((reply, failure) -> {
            if (failure == null && reply.hasRejected()) {
                // The directory was formatted with it; it will not get better.
                LOG.error(
                        "event=cluster_creation_failed error=\"{}\"",
                        reply.getRejected().getReason());
            } else if (failure == null) {
                LOG.info("event=cluster_created cluster={}", firstCommand.getClusterId());
            } else {
                LOG.warn("event=cluster_creation_failed error=\"{}\"", failure.getMessage());
                synchronized (this) {
                    creating = false;
                }
            }
        });
    }

    private void propose(StoreCommand.ExpireSession due, Function<Command, CompletableFuture<Reply>> log) {
        LOG.info("event=session_due {} renewal={}", lines.who(due.session()), due.renewalSeen());
        var command = Command.newBuilder()
                .setExpireSession(
                        ExpireSession.newBuilder().setSession(due.session()).setRenewalSeen(due.renewalSeen()))
                .build();
        var unused = log.apply(command).whenComplete((reply, failure) -> {
            if (failure != null) {
                LOG.warn("event=expiry_failed session={} error=\"{}\"", due.session(), failure.getMessage());
                synchronized (this) {
                    leader.unanswered(due);
                }
            }
        });
    }

    @Override
    public void close() {
        ticker.shutdownNow();
    }
}
