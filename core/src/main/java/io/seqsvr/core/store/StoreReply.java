package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import java.util.List;
import java.util.Optional;

/** What an applied command answers. An expected "no" is a reply like any other. */
public sealed interface StoreReply {
    /**
     * To CreateCluster.
     *
     * @param created false when the cluster existed; then nothing changed
     */
    record ClusterCreated(boolean created) implements StoreReply {}

    /**
     * The session is open.
     *
     * @param session its id
     * @param lease the terms that it keeps for its life
     */
    record SessionOpened(long session, LeaseTerms lease) implements StoreReply {}

    /**
     * A live session has that name or address: the newcomer waits.
     *
     * @param holder the live session
     * @param name its name
     * @param address its address
     * @param remainingNanos how long its timer still runs without a renewal; the leader adds it, 0 until then
     */
    record SessionHeld(long holder, String name, String address, long remainingNanos) implements StoreReply {
        /** The same with the leader's timer. */
        public SessionHeld withRemaining(long nanos) {
            return new SessionHeld(holder, name, address, nanos);
        }
    }

    /**
     * The session lives on.
     *
     * @param assignmentVersion version of what it owns
     * @param watchVersion newest version that a watch would report
     * @param confirmed for each holding of the command, in its order, whether the session holds it
     */
    record Renewed(long assignmentVersion, long watchVersion, List<Boolean> confirmed) implements StoreReply {
        /** Keeps a copy. */
        public Renewed {
            confirmed = List.copyOf(confirmed);
        }
    }

    /**
     * The renewal shows that its sender has not heard what it was answered for too long: it was not put into the log
     * and grants nothing. Who reads this hears again, and renews at once.
     *
     * @param session the one that the command named
     */
    record RenewalUnheard(long session) implements StoreReply {}

    /**
     * What the session owns.
     *
     * @param segments at most {@link StoreCommand#MAX_SEGMENTS}, oldest assignment first
     * @param through {@code since} of the next Claim
     * @param more whether there is more to claim
     * @param version newest version that a watch would report: that of the namespaces
     * @param namespaces all namespaces
     */
    record Claimed(List<ClaimedSegment> segments, long through, boolean more, long version, List<Namespace> namespaces)
            implements StoreReply {
        /** Keeps copies. */
        public Claimed {
            segments = List.copyOf(segments);
            namespaces = List.copyOf(namespaces);
        }
    }

    /**
     * One claimed segment.
     *
     * @param segment the segment
     * @param epoch the epoch that its assignment began
     * @param base nothing above it was handed out before this epoch
     * @param fromHigh whether {@code base} is the {@code high} with which the epoch before was given back: a table of
     *     exact counters may fit it
     * @param maxSeq durable upper bound now
     * @param tableStored whether StoreSvr keeps a table of exact counters that fits
     */
    record ClaimedSegment(
            SegmentId segment, long epoch, long base, boolean fromHigh, long maxSeq, boolean tableStored) {}

    /**
     * The session is closed, expired or expelled, or never was.
     *
     * @param session the one that the command named
     */
    record SessionGone(long session) implements StoreReply {}

    /**
     * The session ended with this command.
     *
     * @param session the one that the command named
     */
    record SessionEnded(long session) implements StoreReply {}

    /**
     * The session is given nothing more.
     *
     * @param session the one that the command named
     */
    record SessionLeaving(long session) implements StoreReply {}

    /**
     * The session is expelled: it ends when its timer runs out.
     *
     * @param session the one that the command named
     */
    record SessionExpelled(long session) implements StoreReply {}

    /**
     * ExpireSession came too late: the session renewed.
     *
     * @param renewal stamp of its last renewal
     */
    record ExpiryVoid(long renewal) implements StoreReply {}

    /**
     * The moves are done.
     *
     * @param version of the new table
     */
    record RoutesPublished(long version) implements StoreReply {}

    /**
     * Nothing moved.
     *
     * @param version of the last PublishRoutes
     * @param reason why, for a log line
     */
    record RoutesRefused(long version, String reason) implements StoreReply {}

    /**
     * Each item's fate.
     *
     * @param items in the order of the command
     */
    record Raised(List<RaisedItem> items) implements StoreReply {
        /** Keeps a copy. */
        public Raised {
            items = List.copyOf(items);
        }
    }

    /**
     * One segment of a raise.
     *
     * @param segment the segment
     * @param epoch the epoch that the item named
     * @param accepted whether the session owns the segment in that epoch
     * @param maxSeq bound in force, 0 if the segment was never assigned
     */
    record RaisedItem(SegmentId segment, long epoch, boolean accepted, long maxSeq) {}

    /**
     * Each item's fate after Release or HandOver.
     *
     * @param items in the order of the command
     */
    record Released(List<ReleasedItem> items) implements StoreReply {
        /** Keeps a copy. */
        public Released {
            items = List.copyOf(items);
        }
    }

    /**
     * One segment that was to be given back.
     *
     * @param segment the segment
     * @param epoch the epoch that the item named
     * @param accepted whether that epoch ended with the item's {@code high}: numbers up to it may still be answered
     */
    record ReleasedItem(SegmentId segment, long epoch, boolean accepted) {}

    /**
     * Each table's fate after StoreTables.
     *
     * @param stored in the order of the command, whether it is kept
     */
    record TablesStored(List<Boolean> stored) implements StoreReply {
        /** Keeps a copy. */
        public TablesStored {
            stored = List.copyOf(stored);
        }
    }

    /**
     * To FetchTables.
     *
     * @param tables for the first holdings of the command, in its order, what is kept for them; as many as fit into
     *     one answer, at least one
     */
    record TablesFetched(List<Optional<CounterTable>> tables) implements StoreReply {
        /** Keeps a copy. */
        public TablesFetched {
            tables = List.copyOf(tables);
        }
    }

    /**
     * HandOver named a receiver that cannot take anything; nothing changed.
     *
     * @param reason why, for a log line
     */
    record ReceiverRefused(String reason) implements StoreReply {}

    /**
     * To RaiseFloor.
     *
     * @param maxSeq bound in force
     */
    record FloorRaised(long maxSeq) implements StoreReply {}

    /**
     * RaiseFloor named a segment that has an owner, who alone may raise it, or may have one from before a restore;
     * nothing changed.
     *
     * @param owner session of the owner, or the one that stands for all from before the restore
     */
    record FloorRefused(long owner) implements StoreReply {}

    /**
     * The namespace exists, with these settings.
     *
     * @param namespace as it is
     * @param created false when it had them before; then nothing changed
     */
    record NamespaceCreated(Namespace namespace, boolean created) implements StoreReply {}

    /**
     * The namespace has these settings.
     *
     * @param namespace as it is
     */
    record NamespaceAltered(Namespace namespace) implements StoreReply {}

    /**
     * To CreateNamespace or AlterNamespace: settings that may not be; nothing changed.
     *
     * @param reason why, for people
     */
    record NamespaceRefused(String reason) implements StoreReply {}

    /**
     * To AlterCluster: the cluster has these settings.
     *
     * @param lease terms of sessions that are opened from now on
     * @param defaults what namespaces get that are made from now on without naming it
     */
    record ClusterAltered(LeaseTerms lease, NamespaceDefaults defaults) implements StoreReply {}

    /**
     * To AlterCluster: settings that may not be; nothing changed.
     *
     * @param reason why, for people
     */
    record ClusterRefused(String reason) implements StoreReply {}

    /**
     * The command breaks a rule that no correct caller breaks, or asks for one more session than a cluster may have;
     * nothing changed.
     *
     * @param reason which, with the value
     */
    record Rejected(String reason) implements StoreReply {}
}
