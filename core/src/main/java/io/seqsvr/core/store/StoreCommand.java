package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import java.util.List;

/** A replicated command. Absolute, and bearing the epoch or version it expects, so that a repeat is harmless. */
public sealed interface StoreCommand {
    /** Segments that one command moves or raises, and that one Claim answers, at most. */
    int MAX_SEGMENTS = 2_000;

    /** Characters of a session's name and of its address, at most: every view shows them. */
    int MAX_NAME = 255;

    /**
     * The first command of a cluster.
     *
     * @param clusterId identity drawn at bootstrap
     * @param lease terms of every lease
     * @param namespaces first namespaces
     */
    record CreateCluster(String clusterId, LeaseTerms lease, List<Namespace> namespaces) implements StoreCommand {
        /** Keeps a copy. */
        public CreateCluster {
            namespaces = List.copyOf(namespaces);
        }
    }

    /**
     * Registers an allocator.
     *
     * @param nonce drawn at random for this session; repeated with it, the command answers with the same session
     * @param name name of the allocator
     * @param address where it serves, HOST:PORT
     */
    record OpenSession(long nonce, String name, String address) implements StoreCommand {}

    /**
     * Keeps a session alive. Never repeated: each try is a command of its own.
     *
     * @param session the session
     */
    record Renew(long session) implements StoreCommand {}

    /**
     * Asks what a session owns.
     *
     * @param session the session
     * @param since version up to which it knows, 0 for nothing
     */
    record Claim(long session, long since) implements StoreCommand {}

    /**
     * Ends a session; from its own process only, after it stopped serving for ever.
     *
     * @param session the session
     */
    record CloseSession(long session) implements StoreCommand {}

    /**
     * Ends a session whose timer ran out at the Raft leader; void if it renewed since.
     *
     * @param session the session
     * @param renewalSeen stamp of the renewal from which the timer ran
     */
    record ExpireSession(long session, long renewalSeen) implements StoreCommand {}

    /**
     * Gives segments to sessions: all of them or none.
     *
     * @param expectedVersion version of the table that the plan was made from
     * @param moves at least one, of at most {@link #MAX_SEGMENTS} segments together
     */
    record PublishRoutes(long expectedVersion, List<Move> moves) implements StoreCommand {
        /** Keeps a copy. */
        public PublishRoutes {
            moves = List.copyOf(moves);
        }
    }

    /**
     * A run of neighbouring segments and their new owner.
     *
     * @param namespaceId their namespace
     * @param first index of the first segment
     * @param last index of the last segment
     * @param session the new owner
     */
    record Move(int namespaceId, int first, int last, long session) {
        /** Number of segments; wider than an int, as the bounds may be anything. */
        public long size() {
            return (long) last - first + 1;
        }
    }

    /**
     * Moves max_seq of segments up.
     *
     * @param session the owner
     * @param items at least one, at most {@link #MAX_SEGMENTS}
     */
    record Raise(long session, List<RaiseItem> items) implements StoreCommand {
        /** Keeps a copy. */
        public Raise {
            items = List.copyOf(items);
        }
    }

    /**
     * One segment of a raise.
     *
     * @param segment the segment
     * @param epoch the epoch in which the session owns it
     * @param maxSeq the bound wanted
     */
    record RaiseItem(SegmentId segment, long epoch, long maxSeq) {}
}
