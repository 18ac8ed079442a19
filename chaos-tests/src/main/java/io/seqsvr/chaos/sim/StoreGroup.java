package io.seqsvr.chaos.sim;

import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.Decision;
import io.seqsvr.core.store.Incarnation;
import io.seqsvr.core.store.Restoration;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreRules;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoreView;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * StoreSvr as its callers see it: one state that grows by committed commands, and peers of which one leads, or none, or
 * one that no longer does without knowing. Raft itself is not simulated: what it promises is taken for granted.
 *
 * <p>Invariant: only the leader of the present term commits. What was under way when a term ended is committed later
 * or never; nobody is told which.
 */
final class StoreGroup {
    private static final int NOBODY = -1;

    private final Agenda agenda;
    private final SplittableRandom random;
    private final Guards guards;
    private final StoreRules rules;
    private final Restoration restoration;
    private final List<StorePeer> peers;
    private final Tally tally;
    private StoreState state = new StoreState();
    /** No session of any life was opened with longer ones. */
    private LeaseTerms longest = Mix.LEASE;

    private @Nullable StoreView view;
    private int leader = NOBODY;
    private long term;
    private long index;
    private long downUntil;
    private long slowUntil;
    private long committedUntil;

    StoreGroup(Agenda agenda, SplittableRandom random, Mix mix, List<Machine> machines, Guards guards, Tally tally) {
        this.agenda = agenda;
        this.random = random;
        this.tally = tally;
        this.guards = guards;
        this.rules = new StoreRules(guards);
        this.restoration = new Restoration(guards);
        var namespaces = IntStream.rangeClosed(1, mix.namespaces())
                .mapToObj(mix::namespace)
                .toList();
        apply(new StoreCommand.CreateCluster("simulated", Mix.LEASE, namespaces));
        var first = StoreView.of(state, guards).orElseThrow();
        this.view = first;
        this.peers = IntStream.range(0, machines.size())
                .mapToObj(place -> new StorePeer(this, agenda, machines.get(place), guards, place, first))
                .toList();
        elect(0);
    }

    StoreState state() {
        return state;
    }

    StoreView view() {
        return Objects.requireNonNull(view, "the cluster is created first");
    }

    StorePeer peer(int place) {
        return peers.get(place);
    }

    /** Whom a peer that does not lead points to; itself if it knows no better. */
    int hint(int asked) {
        return leader == NOBODY ? asked : leader;
    }

    int leader() {
        return leader;
    }

    /** The durable bound of a segment. */
    long maxSeq(SegmentId segment) {
        return state.maxSeq(segment);
    }

    /**
     * A peer that believes to lead puts a command into its log.
     *
     * @param asker gets the reply when the command was applied, if that ever happens under this leader
     */
    void propose(StorePeer peer, StoreCommand command, Asker asker) {
        if (peer.place() != leader) {
            return;
        }
        long inTerm = term;
        var inLife = state;
        // Entries are committed in the order of the log.
        committedUntil = Math.max(committedUntil, Math.max(agenda.now(), downUntil) + commitNanos());
        agenda.at(committedUntil, () -> commit(peer, inTerm, inLife, command, asker));
    }

    private long commitNanos() {
        return agenda.now() < slowUntil
                ? random.nextLong(Nanos.SECOND)
                : 300 * Nanos.MICRO + random.nextLong(2 * Nanos.MILLI);
    }

    private void commit(StorePeer peer, long inTerm, StoreState inLife, StoreCommand command, Asker asker) {
        if (inLife != state) {
            return;
        }
        if (agenda.now() < downUntil) {
            agenda.at(downUntil, () -> commit(peer, inTerm, inLife, command, asker));
            return;
        }
        if (inTerm != term) {
            // The next leader has it in its log or not, and commits it before anything of its own.
            if (leader == NOBODY && random.nextBoolean()) {
                apply(command);
            }
            return;
        }
        var applied = apply(command);
        peer.committed(applied, command, asker);
    }

    /** A command with its stamp and what it did. */
    record Applied(long stamp, Decision decision) {}

    private Applied apply(StoreCommand command) {
        index++;
        long stamp = rules.stamp(state, index, 0);
        var decision = rules.decide(state, stamp, command);
        for (var change : decision.changes()) {
            state.apply(change);
            if (change instanceof StoreChange.PutCluster put) {
                longest = longest(longest, put.cluster().lease());
            }
        }
        tally.count(command, decision);
        if (view != null && state.cluster().orElseThrow().watchVersion() != view.version()) {
            var changed = StoreView.of(state, guards).orElseThrow();
            view = changed;
            peers.forEach(peer -> peer.show(changed));
        }
        return new Applied(stamp, decision);
    }

    private static LeaseTerms longest(LeaseTerms one, LeaseTerms other) {
        return new LeaseTerms(
                Math.max(one.ttlNanos(), other.ttlNanos()), Math.max(one.driftPermille(), other.driftPermille()));
    }

    /**
     * All of it is lost, the log with what was under way in it too, and the cluster begins a new life: every peer dies,
     * and another of its place starts from the rows that are made of the backup. Without effect after the last life
     * that there can be.
     *
     * @param more by how much more than what was used up since the backup every segment is raised, above 0
     * @param nanos how long it takes
     */
    void restore(StoreState backup, long more, long nanos) {
        int incarnation = state.cluster().orElseThrow().incarnation() + 1;
        if (incarnation > Incarnation.MOST) {
            return;
        }
        var rows = restoration.rows(backup, incarnation, usedUpSince(backup) + more, longest);
        state = new StoreState();
        rows.forEach(state::apply);
        index = 0;
        var first = StoreView.of(state, guards).orElseThrow();
        view = first;
        peers.forEach(peer -> peer.replace(first, nanos));
    }

    private long usedUpSince(StoreState backup) {
        long most = 0;
        for (var namespace : state.namespaces()) {
            for (int segment = 0; segment < namespace.segmentCount(); segment++) {
                var id = new SegmentId(namespace.id(), segment);
                most = Math.max(most, state.maxSeq(id) - backup.maxSeq(id));
            }
        }
        return most;
    }

    /** The leader leads no longer; it knows at once or later, and somebody else is elected, or it again. */
    void depose(boolean knows) {
        if (leader == NOBODY) {
            return;
        }
        var old = peers.get(leader);
        leader = NOBODY;
        term++;
        if (knows) {
            old.follow();
        } else {
            agenda.after(random.nextLong(8 * Nanos.SECOND), () -> {
                if (old.place() != leader) {
                    old.follow();
                }
            });
        }
        agenda.after(200 * Nanos.MILLI + random.nextLong(Nanos.SECOND), this::elect);
    }

    private void elect() {
        if (leader != NOBODY) {
            return;
        }
        int candidate = random.nextInt(peers.size());
        for (int i = 0; i < peers.size(); i++) {
            int place = (candidate + i) % peers.size();
            if (peers.get(place).mayLead()) {
                elect(place);
                return;
            }
        }
        agenda.after(300 * Nanos.MILLI, this::elect);
    }

    private void elect(int place) {
        leader = place;
        term++;
        peers.get(place).lead();
    }

    void goDown(long nanos) {
        downUntil = Math.max(downUntil, agenda.now() + nanos);
    }

    void goSlow(long nanos) {
        slowUntil = Math.max(slowUntil, agenda.now() + nanos);
    }

    /** Everything is mended but a peer that hears nothing: who watches there has to help itself. */
    void heal() {
        downUntil = 0;
        slowUntil = 0;
        peers.forEach(StorePeer::stayAsItIs);
    }

    /** A follower hears nothing from the leader for a while; one at a time, so that the others are a majority. */
    void cutOffFollower(long nanos) {
        int place = random.nextInt(peers.size());
        if (place != leader && peers.stream().noneMatch(StorePeer::isCutOff)) {
            peers.get(place).cutOff(nanos);
        }
    }
}
