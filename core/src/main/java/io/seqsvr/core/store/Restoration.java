package io.seqsvr.core.store;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.store.StoreChange.PutCluster;
import io.seqsvr.core.store.StoreChange.PutNamespace;
import io.seqsvr.core.store.StoreChange.PutSegment;
import io.seqsvr.core.store.StoreChange.PutSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a cluster begins a new life from a backup of its state, when the state itself is lost. What happened after the
 * backup nobody knows, so all of it is allowed for: numbers that were handed out, epochs that were begun, namespaces
 * that were made, and sessions whose leases are still valid. Stored tables are not taken along.
 *
 * <p>Duties of whoever restores: the store's peers of the former life are stopped, for good, before a peer of the new
 * one starts, and none of their disks is ever put under a peer of the new life. The advance covers what was used up
 * since the backup; nothing here can check that.
 *
 * <p>Invariants: no number, epoch, stamp or namespace id that was given in the former life is given again. Nothing is
 * assigned and no floor is raised before each lease of the former life is over: one session stands for all of them,
 * which nobody keeps alive, and which ends by the timer of the new life's first leader.
 */
public final class Restoration {
    /** Name and address of the session that stands for all sessions of the former life. */
    static final String FORMER_LIFE = "former-life";

    /** An hour in which owners crash again and again is nothing unusual before the loss of a store. */
    private static final int LEAST_CHANGES = 100;

    private final Guards guards;

    /** As it is. */
    public Restoration() {
        this(Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public Restoration(Guards guards) {
        this.guards = guards;
    }

    /**
     * All rows of the new life's state, for an empty one.
     *
     * @param backup a state in which the cluster exists
     * @param incarnation above that of the backup and above each that ever followed it, at most
     *     {@link Incarnation#MOST}
     * @param advance at least 1: no segment's max_seq grew by more since the backup, from 0 on where the backup has
     *     none
     * @param former the longest terms that any session was opened with since the backup; those of the backup's own
     *     sessions and settings count in any case
     */
    public List<StoreChange> rows(StoreState backup, int incarnation, long advance, LeaseTerms former) {
        var cluster = backup.cluster()
                .orElseThrow(() -> new IllegalArgumentException("the backup is of a cluster that was never created"));
        if (incarnation <= cluster.incarnation() || incarnation > Incarnation.MOST) {
            throw new IllegalArgumentException("incarnation is " + incarnation + "; it must be above "
                    + cluster.incarnation() + ", the backup's, and at most " + Incarnation.MOST);
        }
        if (advance < 1) {
            throw new IllegalArgumentException("advance is " + advance + "; it must be at least 1");
        }
        long raise = guards.on(Guard.RESTORE_RAISES_FLOORS) ? advance : 0;
        long first = Stamp.before(incarnation);
        var rows = new ArrayList<StoreChange>();
        long floor = raised(cluster.floor(), raise, Long.MAX_VALUE);
        rows.add(new PutCluster(new Cluster(
                cluster.id(), cluster.lease(), cluster.defaults(), incarnation, floor, first, first, first)));
        backup.namespaces().forEach(namespace -> rows.add(new PutNamespace(namespace)));
        rows.add(new PutSession(formerLife(backup, cluster, first, former)));
        if (!guards.on(Guard.RESTORE_ENDS_SESSIONS)) {
            backup.sessions().forEach(session -> rows.add(new PutSession(session)));
        }
        for (var segment : backup.segments()) {
            rows.add(new PutSegment(restored(backup, segment, incarnation, raise)));
        }
        return rows;
    }

    /** Nobody owns it in the new life yet, and nothing above its base was handed out in the former one. */
    private SegmentRecord restored(StoreState backup, SegmentRecord segment, int incarnation, long raise) {
        var namespace = backup.namespace(segment.id().namespaceId()).orElseThrow();
        long maxSeq = raised(segment.maxSeq(), raise, namespace.maxSequence());
        boolean fresh = guards.on(Guard.RESTORED_EPOCHS_ARE_NEW);
        long epoch = fresh ? Incarnation.epochBefore(incarnation) : segment.epoch();
        var unassigned = SegmentRecord.unassigned(segment.id(), epoch, maxSeq);
        return guards.on(Guard.RESTORE_FORGETS_HIGH) ? unassigned : unassigned.released(segment.release());
    }

    private static long raised(long bound, long raise, long most) {
        return bound > most - raise ? most : bound + raise;
    }

    private static Session formerLife(StoreState backup, Cluster cluster, long id, LeaseTerms former) {
        long ttl = Math.max(cluster.lease().ttlNanos(), former.ttlNanos());
        int drift = Math.max(cluster.lease().driftPermille(), former.driftPermille());
        for (var session : backup.sessions()) {
            ttl = Math.max(ttl, session.terms().ttlNanos());
            drift = Math.max(drift, session.terms().driftPermille());
        }
        var terms = new LeaseTerms(ttl, drift);
        return new Session(id, SessionKind.ALLOCATOR, 0, FORMER_LIFE, FORMER_LIFE, terms, id, 0, true, false);
    }

    /** Whether leases of the former life may still be valid: as long as the session that stands for them is open. */
    static boolean waits(StoreState state, Cluster cluster) {
        return cluster.incarnation() > 0
                && state.session(Stamp.before(cluster.incarnation())).isPresent();
    }

    /**
     * An advance to offer to whoever restores: twice what the busiest segment used up since the backup, if it went on
     * as it did before, and changed its owner as often as {@link #changesOffered}. An owner that takes over from a dead
     * one starts at the end of what that one could have handed out, and gets a step more: so each such change uses up a
     * step, however few asked. Jumps by floors come on top.
     *
     * @param perSecond by how much max_seq of the busiest segment grows in a second, at least 0
     * @param age of the backup, not negative
     * @param step the largest of all namespaces, at least 1
     */
    public static long offer(long perSecond, Duration age, long step) {
        if (perSecond < 0 || age.isNegative() || step < 1) {
            throw new IllegalArgumentException(
                    "no advance for " + perSecond + " per second, an age of " + age + " and a step of " + step);
        }
        long seconds = age.toSeconds() + (age.toNanosPart() > 0 ? 1 : 0);
        long most = Long.MAX_VALUE / 4;
        return 2 * (times(perSecond, seconds, most) + times(step, changesOffered(age), most));
    }

    /** How often a segment may have changed its owner in that time: once a minute, and {@link #LEAST_CHANGES} times. */
    public static long changesOffered(Duration age) {
        return Math.max(LEAST_CHANGES, age.toMinutes() + 1);
    }

    /**
     * An advance to offer where the backup was, or may have been, restored before, and the life that began so is lost
     * too. Such a life began above the backup by its own advance; what it used up since is in the offer, as that counts
     * the whole age of the backup.
     *
     * @param once what {@link #offer} makes of the backup's age now, at least 0
     * @param greatest advance of the restores of this backup that are known; 0 if none is
     * @param unknown lives since the backup's of whose restore nothing is known, not negative: each is taken to have
     *     begun higher by what is offered now, which no earlier offer exceeded
     */
    public static long offerAgain(long once, long greatest, int unknown) {
        if (once < 0 || greatest < 0 || unknown < 0) {
            throw new IllegalArgumentException("no advance for an offer of " + once + ", an earlier advance of "
                    + greatest + " and " + unknown + " lives");
        }
        return raised(times(1L + unknown, once, Long.MAX_VALUE), greatest, Long.MAX_VALUE);
    }

    private static long times(long one, long other, long most) {
        return one > 0 && other > most / one ? most : one * other;
    }
}
