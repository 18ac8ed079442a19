package io.seqsvr.core.store;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import java.util.Optional;

/**
 * The rules of the replicated commands: decide first, apply after. A decision is a function of the state, the command
 * and its stamp, and of nothing else: no clock, no randomness, no unordered map.
 */
public final class StoreRules {
    private final Guards guards;
    private final SessionRules sessions;
    private final AssignmentRules assignments;
    private final SegmentRules segments;
    private final TableRules tables;

    /** The rules as they are. */
    public StoreRules() {
        this(Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public StoreRules(Guards guards) {
        this.guards = guards;
        this.sessions = new SessionRules(guards);
        this.assignments = new AssignmentRules(guards);
        this.segments = new SegmentRules(guards);
        this.tables = new TableRules();
    }

    /**
     * The stamp of a command that comes next.
     *
     * @param state the state after all commands before it
     * @param index index of its entry in the log of this life of the cluster, above 0
     * @param place its place in the entry
     */
    public long stamp(StoreState state, long index, int place) {
        var cluster = guards.on(Guard.STAMP_BEARS_INCARNATION) ? state.createdCluster() : null;
        int incarnation = cluster == null ? 0 : cluster.incarnation();
        return Stamp.of(incarnation, index, place);
    }

    /**
     * Decides a command.
     *
     * @param state the state after all commands before it
     * @param stamp the command's stamp
     */
    public Decision decide(StoreState state, long stamp, StoreCommand command) {
        if (command instanceof StoreCommand.CreateCluster create) {
            return SettingsRules.createCluster(state, stamp, create);
        }
        var cluster = state.createdCluster();
        if (cluster == null) {
            return Decision.rejected("the cluster was not created yet");
        }
        var oversized = limitProblem(command);
        if (oversized.isPresent()) {
            return Decision.rejected(command.getClass().getSimpleName() + " " + oversized.get());
        }
        return decide(state, cluster, stamp, command);
    }

    private Decision decide(StoreState state, Cluster cluster, long stamp, StoreCommand command) {
        if (command instanceof StoreCommand.Renew renew) {
            return sessions.renew(state, cluster, stamp, renew);
        }
        if (command instanceof StoreCommand.Raise raise) {
            return segments.raise(state, raise);
        }
        if (command instanceof StoreCommand.Claim claim) {
            return segments.claim(state, cluster, claim);
        }
        if (command instanceof StoreCommand.OpenSession open) {
            return sessions.open(state, cluster, stamp, open);
        }
        if (command instanceof StoreCommand.CloseSession close) {
            return sessions.close(state, cluster, stamp, close);
        }
        if (command instanceof StoreCommand.Expel expel) {
            return sessions.expel(state, cluster, stamp, expel);
        }
        if (command instanceof StoreCommand.ExpireSession expire) {
            return sessions.expire(state, cluster, stamp, expire);
        }
        if (command instanceof StoreCommand.PublishRoutes publish) {
            return assignments.publish(state, cluster, stamp, publish);
        }
        if (command instanceof StoreCommand.Release release) {
            return assignments.release(state, cluster, stamp, release);
        }
        if (command instanceof StoreCommand.HandOver handOver) {
            return assignments.handOver(state, cluster, stamp, handOver);
        }
        if (command instanceof StoreCommand.RaiseFloor floor) {
            return segments.raiseFloor(state, cluster, stamp, floor);
        }
        if (command instanceof StoreCommand.Leave leave) {
            return sessions.leave(state, cluster, stamp, leave);
        }
        if (command instanceof StoreCommand.StoreTables store) {
            return tables.store(state, store);
        }
        if (command instanceof StoreCommand.FetchTables fetch) {
            return tables.fetch(state, fetch);
        }
        if (command instanceof StoreCommand.CreateNamespace create) {
            return SettingsRules.createNamespace(state, cluster, stamp, create);
        }
        if (command instanceof StoreCommand.AlterNamespace alter) {
            return SettingsRules.alterNamespace(state, cluster, stamp, alter);
        }
        if (command instanceof StoreCommand.AlterCluster alter) {
            return SettingsRules.alterCluster(cluster, stamp, alter);
        }
        throw new IllegalStateException("no rule for " + command);
    }

    /** Limits that a command must keep before it reaches the log: an oversized entry makes a Raft leader step down. */
    public static Optional<String> limitProblem(StoreCommand command) {
        // First what comes most often.
        if (command instanceof StoreCommand.Renew renew) {
            return renew.holdings().isEmpty()
                    ? Optional.empty()
                    : sizeProblem(renew.holdings().size(), 0);
        }
        if (command instanceof StoreCommand.PublishRoutes publish) {
            return sizeProblem(segmentsMoved(publish), 1);
        }
        if (command instanceof StoreCommand.Raise raise) {
            return sizeProblem(raise.items().size(), 1);
        }
        if (command instanceof StoreCommand.Release release) {
            return sizeProblem(release.items().size(), 1);
        }
        if (command instanceof StoreCommand.HandOver handOver) {
            return sizeProblem(handOver.items().size(), 1);
        }
        if (command instanceof StoreCommand.StoreTables store) {
            return sizeProblem(store.tables().size(), 1).or(() -> TableRules.problem(store));
        }
        if (command instanceof StoreCommand.FetchTables fetch) {
            return sizeProblem(fetch.holdings().size(), 1).or(() -> TableRules.problem(fetch));
        }
        return Optional.empty();
    }

    /** 0 if any of the runs is empty or backwards. */
    private static long segmentsMoved(StoreCommand.PublishRoutes publish) {
        long segments = 0;
        for (var move : publish.moves()) {
            if (move.size() < 1) {
                return 0;
            }
            segments += move.size();
        }
        return segments;
    }

    private static Optional<String> sizeProblem(long segments, int least) {
        return segments >= least && segments <= StoreCommand.MAX_SEGMENTS
                ? Optional.empty()
                : Optional.of(
                        "names " + segments + " segments; it must be " + least + " to " + StoreCommand.MAX_SEGMENTS);
    }
}
