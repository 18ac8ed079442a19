package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import java.util.List;

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
     */
    record Renewed(long assignmentVersion, long watchVersion) implements StoreReply {}

    /**
     * What the session owns.
     *
     * @param segments at most {@link StoreCommand#MAX_SEGMENTS}, oldest assignment first
     * @param through {@code since} of the next Claim
     * @param more whether there is more to claim
     * @param namespaces all namespaces
     */
    record Claimed(List<ClaimedSegment> segments, long through, boolean more, List<Namespace> namespaces)
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
     * @param maxSeq durable upper bound now
     */
    record ClaimedSegment(SegmentId segment, long epoch, long base, long maxSeq) {}

    /**
     * The session is closed or expired, or never was.
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
     * @param version of the table in force
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
     * The command breaks a rule that no correct caller breaks; nothing changed.
     *
     * @param reason which, with the value
     */
    record Rejected(String reason) implements StoreReply {}
}
