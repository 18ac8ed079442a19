package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.LiveRecord;
import io.seqsvr.chaos.live.VerifiedLoad;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.report.Network;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Where rounds are played: a cluster, those who ask it, and what can be done to it. Use it from one thread. */
interface Scene extends AutoCloseable {
    /**
     * What is done in one round.
     *
     * @param kinds what each thing is
     * @param faults what is done for them, to whom
     * @param struck addresses of the routers and AllocSvrs to which something is done, if those who have nothing to do
     *     with them are to notice nothing of it
     * @param woken addresses of AllocSvrs that stand still and then go on, by what is done to them
     */
    record Act(List<ClusterFault> kinds, List<Fault> faults, Optional<Set<String>> struck, Map<Fault, String> woken) {
        /** The same where none stands still. */
        Act(List<ClusterFault> kinds, List<Fault> faults, Optional<Set<String>> struck) {
            this(kinds, faults, struck, Map.of());
        }

        /**
         * Itself.
         *
         * @throws NodeFailure if it is less than what was to be tried
         */
        Act whole(Compound cell) {
            if (kinds.size() < cell.faults().size()) {
                throw new NodeFailure("too few nodes are left for " + cell.name() + " at once; only "
                        + kinds.stream().map(ClusterFault::name).collect(Collectors.joining(", ")) + " could be done");
            }
            return this;
        }
    }

    /**
     * What is to be tried, all of it; the faults have not begun.
     *
     * @throws NodeFailure if too few nodes are there for it
     */
    Act only(Compound cell);

    /** Drawn: one thing, or several at once. */
    Act draw();

    /** Those who ask. */
    VerifiedLoad load();

    /** The same, as a round sees them. */
    default AskingUsers users() {
        return AskingUsers.of(load());
    }

    /** What is recorded of them. */
    default LiveRecord record() {
        return load().record();
    }

    /** What was done when. */
    FaultLog log();

    /** When users began to be watched, by {@link System#nanoTime}. */
    long begunNanos();

    /**
     * Waits until every node serves.
     *
     * @throws io.seqsvr.chaos.process.NodeFailure if one does not
     */
    void awaitReady();

    /**
     * The sum of max_seq of the segments of those who ask one by one, as far as it is known to some peer of StoreSvr;
     * nothing if one of them is known to none, or nobody may ask StoreSvr.
     */
    OptionalLong granted();

    /** Whether every StoreSvr peer follows: one that still catches up counts for no majority. */
    boolean storesFollow();

    /**
     * Whether the states of all replicas were seen at one place of the log, and what users were shown was held against
     * them; the record is told if they differ, or users were shown more than StoreSvr has granted.
     */
    boolean compare();

    /** What lies between the nodes. */
    Network network();

    /** What was seen, judged as a whole. */
    LoadReport report();

    /** What was seen so far, without what takes long. */
    LoadReport soFar();

    /** Copies what its nodes have logged into a directory; whether they are its own, so that they could be. */
    boolean copyLogs(Path to) throws IOException;

    /** Ends the load, and what was made for it. */
    @Override
    void close();
}
