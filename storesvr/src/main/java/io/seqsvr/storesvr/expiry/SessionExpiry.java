package io.seqsvr.storesvr.expiry;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.SessionTimers;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.node.clock.SystemClocks;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CreateCluster;
import io.seqsvr.proto.internal.v1.ExpireSession;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.storesvr.raft.LeadershipListener;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.replica.ReplicaListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the Raft leader does by itself: it creates the cluster if there is none, runs the session timers and proposes
 * the end of a session whose timer ran out. All of it is soft state of one term; what it leads to goes through the log.
 */
public final class SessionExpiry implements LeadershipListener, ReplicaListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionExpiry.class);
    private static final long TICK_NANOS = 10_000_000;

    private final Replica replica;
    private final CreateCluster firstCommand;
    private final SessionTimers timers = new SessionTimers();
    private final ExecutorService ticker = Executors.newSingleThreadExecutor(task -> {
        var thread = new Thread(task, "session-expiry");
        thread.setDaemon(true);
        return thread;
    });

    private boolean leading;
    private boolean timing;
    private boolean creating;

    /**
     * Does nothing before {@link #start}.
     *
     * @param firstCommand what to propose while there is no cluster
     */
    public SessionExpiry(Replica replica, CreateCluster firstCommand) {
        this.replica = replica;
        this.firstCommand = firstCommand;
    }

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
        leading = true;
        timing = false;
        creating = false;
        LOG.info("event=leading");
    }

    @Override
    public synchronized void following() {
        if (leading) {
            LOG.info("event=following");
        }
        leading = false;
        timing = false;
        timers.stopTerm();
    }

    /** Whether this peer leads and is ready: only then are commands submitted. */
    public synchronized boolean isLeading() {
        return leading;
    }

    @Override
    public void applied(long stamp, List<StoreChange> changes) {
        var now = SystemClocks.read();
        for (var change : changes) {
            if (change instanceof StoreChange.PutSession put && put.session().renewal() == stamp) {
                renewed(put.session().id(), stamp, now);
            } else if (change instanceof StoreChange.RemoveSession remove) {
                ended(remove.session());
            }
        }
    }

    private synchronized void renewed(long session, long stamp, ClockReading now) {
        timers.renewed(session, stamp, now);
        if (session == stamp) {
            LOG.info("event=session_opened session={}", session);
        }
    }

    private synchronized void ended(long session) {
        timers.ended(session);
        LOG.info("event=session_ended session={}", session);
    }

    /** Nanoseconds until the session expires if it does not renew; 0 where this peer cannot tell. */
    public synchronized long remainingNanos(long session) {
        return timing ? timers.remainingNanos(session, SystemClocks.read()) : 0;
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
        List<SessionTimers.Due> due;
        synchronized (this) {
            if (!leading) {
                return;
            }
            if (cluster.isEmpty()) {
                createCluster(log);
                return;
            }
            var now = SystemClocks.read();
            if (!timing) {
                // Later than the moment of leadership: every timer is at least a full one.
                timers.startTerm(cluster.get().lease(), replica.renewals(), now);
                timing = true;
            }
            due = timers.due(now);
        }
        due.forEach(one -> propose(one, log));
    }

    private void createCluster(Function<Command, CompletableFuture<Reply>> log) {
        if (creating) {
            return;
        }
        creating = true;
        var command = Command.newBuilder().setCreateCluster(firstCommand).build();
        var unused = log.apply(command).whenComplete((reply, failure) -> {
            if (failure == null) {
                LOG.info("event=cluster_created cluster={}", firstCommand.getClusterId());
            } else {
                LOG.warn("event=cluster_creation_failed error=\"{}\"", failure.getMessage());
                synchronized (this) {
                    creating = false;
                }
            }
        });
    }

    private void propose(SessionTimers.Due due, Function<Command, CompletableFuture<Reply>> log) {
        LOG.info("event=session_due session={} renewal={}", due.session(), due.renewalSeen());
        var command = Command.newBuilder()
                .setExpireSession(
                        ExpireSession.newBuilder().setSession(due.session()).setRenewalSeen(due.renewalSeen()))
                .build();
        var unused = log.apply(command).whenComplete((reply, failure) -> {
            if (failure != null) {
                LOG.warn("event=expiry_failed session={} error=\"{}\"", due.session(), failure.getMessage());
                synchronized (this) {
                    timers.reportAgain(due);
                }
            }
        });
    }

    @Override
    public void close() {
        ticker.shutdownNow();
    }
}
