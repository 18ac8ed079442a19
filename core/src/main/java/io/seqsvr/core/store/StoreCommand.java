package io.seqsvr.core.store;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceChange;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.NamespaceSettings;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import java.util.List;

/** A replicated command. Absolute, and bearing the epoch or version it expects, so that a repeat is harmless. */
public sealed interface StoreCommand {
    /** Segments that one command moves or raises, and that one Claim answers, at most. */
    int MAX_SEGMENTS = 2_000;

    /** Namespaces of a cluster, at most: every view and every answer to a Claim shows them all. */
    int MAX_NAMESPACES = 1_000;

    /** Open sessions of a cluster, at most: every view shows them all, and each opening looks at all of them. */
    int MAX_SESSIONS = 10_000;

    /** Characters of a session's name and of its address, at most: every view shows them. */
    int MAX_NAME = 255;

    /** Users of whom tables say something, in one command at most; lone ones may come to 1 MiB before that. */
    int MAX_TABLE_USERS = 65_536;

    /**
     * Bytes of the tables in one command or answer, as {@link CounterTable#mostBytes} counts them: a command must stay
     * below the 1 MiB that StoreSvr takes. An answer has one table in any case.
     */
    long MAX_TABLE_BYTES = 1_000_000;

    /** A command of the process whose session it names; answered with SessionGone when that is over. */
    sealed interface OfSession extends StoreCommand {
        /** The session. */
        long session();
    }

    /**
     * The first command of a cluster.
     *
     * @param clusterId identity drawn at bootstrap
     * @param lease terms of every lease
     * @param defaults what later namespaces get that do not name it
     * @param namespaces first namespaces
     */
    record CreateCluster(String clusterId, LeaseTerms lease, NamespaceDefaults defaults, List<Namespace> namespaces)
            implements StoreCommand {
        /** Keeps a copy. */
        public CreateCluster {
            namespaces = List.copyOf(namespaces);
        }

        /** With the defaults of a cluster that sets none. */
        public CreateCluster(String clusterId, LeaseTerms lease, List<Namespace> namespaces) {
            this(clusterId, lease, NamespaceDefaults.INITIAL, namespaces);
        }
    }

    /**
     * Registers a process.
     *
     * @param kind what it does
     * @param nonce drawn at random for this session; repeated with it, the command answers with the same session
     * @param name name of the process
     * @param address where it serves, HOST:PORT
     */
    record OpenSession(SessionKind kind, long nonce, String name, String address) implements StoreCommand {}

    /**
     * Keeps a session alive, and confirms what it holds. Never repeated: each try is a command of its own.
     *
     * <p>Its two numbers show whether the holder hears what it is answered, as its lease counts only from answers. A
     * holder that speaks and does not hear would be renewed for ever, and never serve.
     *
     * @param session the session
     * @param holdings epochs on which answers in QUORUM order wait to rely, at most {@link #MAX_SEGMENTS}; often none
     * @param attempt which renewal of the session this is, from 1; 0 from who does not count, and is never refused
     * @param heard the greatest attempt whose answer has come, whatever it said; 0 before the first
     */
    record Renew(long session, List<Holding> holdings, long attempt, long heard) implements OfSession {
        /** Keeps a copy. */
        public Renew {
            holdings = List.copyOf(holdings);
        }

        /** A renewal that confirms nothing, of who does not count. */
        public Renew(long session) {
            this(session, List.of());
        }

        /** A confirmation of who does not count. */
        public Renew(long session, List<Holding> holdings) {
            this(session, holdings, 0, 0);
        }
    }

    /**
     * A segment in the epoch in which a session owns it.
     *
     * @param segment the segment
     * @param epoch its epoch
     */
    record Holding(SegmentId segment, long epoch) {}

    /**
     * Asks what a session owns.
     *
     * @param session the session
     * @param since version up to which it knows, 0 for nothing
     */
    record Claim(long session, long since) implements OfSession {}

    /**
     * Announces the end of a session: it is given nothing more, and renews, serves and releases until it is closed.
     * Else what it gives back while it is open would come right back.
     *
     * @param session the session
     */
    record Leave(long session) implements OfSession {}

    /**
     * Ends a session; from its own process only, after it stopped serving for ever.
     *
     * @param session the session
     */
    record CloseSession(long session) implements OfSession {}

    /**
     * Ends another process's session: from now on it renews, claims and releases no more, and it expires when its
     * timer, which runs from its last renewal, is over.
     *
     * @param session the session
     */
    record Expel(long session) implements StoreCommand {}

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
     * @param expectedVersion version of the last PublishRoutes that the plan knew of
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
    record Raise(long session, List<RaiseItem> items) implements OfSession {
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

    /**
     * Gives sealed segments back where nobody is there to take them: each may be given to anybody from then on.
     *
     * @param session the owner
     * @param items at least one, at most {@link #MAX_SEGMENTS}
     */
    record Release(long session, List<Sealed> items) implements OfSession {
        /** Keeps a copy. */
        public Release {
            items = List.copyOf(items);
        }
    }

    /**
     * Gives sealed segments back and to another allocator, in one entry: no moment without an owner between.
     *
     * @param session the owner
     * @param items at least one, at most {@link #MAX_SEGMENTS}
     * @param to session of the new owner
     */
    record HandOver(long session, List<Sealed> items, long to) implements OfSession {
        /** Keeps a copy. */
        public HandOver {
            items = List.copyOf(items);
        }
    }

    /**
     * A sealed segment.
     *
     * @param segment the segment
     * @param epoch the epoch in which the session owns it; its seal is final
     * @param high the greatest cur_seq of the segment, waiting numbers included; {@link #NO_HIGH} if the counters are
     *     gone
     */
    record Sealed(SegmentId segment, long epoch, long high) {
        /** In place of a {@code high} that nobody knows any more. */
        public static final long NO_HIGH = -1;

        ReleaseMark mark() {
            return high == NO_HIGH ? ReleaseMark.WITHOUT_HIGH : new ReleaseMark.WithHigh(high);
        }
    }

    /**
     * Keeps exact counters of sealed segments for whoever is to own them next, where nobody is there to take them. To
     * be sent before they are released.
     *
     * @param session the owner
     * @param tables at least one, at most {@link #MAX_SEGMENTS}, each of another segment and of somebody, of at most
     *     {@link #MAX_TABLE_USERS} users together
     */
    record StoreTables(long session, List<StoredTable> tables) implements OfSession {
        /** Keeps a copy. */
        public StoreTables {
            tables = List.copyOf(tables);
        }
    }

    /**
     * Asks for the tables that a Claim told of.
     *
     * @param session the owner
     * @param holdings segments, each once, with the epochs that began where their tables end; at least one, at most
     *     {@link #MAX_SEGMENTS}
     */
    record FetchTables(long session, List<Holding> holdings) implements OfSession {
        /** Keeps a copy. */
        public FetchTables {
            holdings = List.copyOf(holdings);
        }
    }

    /**
     * Moves max_seq of a segment without an owner up to at least a floor; every user of it starts above the floor.
     *
     * @param segment the segment
     * @param floor above 0
     */
    record RaiseFloor(SegmentId segment, long floor) implements StoreCommand {}

    /**
     * Makes a namespace. A repeat is answered like the first one.
     *
     * @param settings what it shall be, with the cluster's default where segment size or step is 0; may break rules,
     *     then it is refused
     */
    record CreateNamespace(NamespaceSettings settings) implements StoreCommand {}

    /**
     * Alters what may be altered of a namespace.
     *
     * @param name its name
     * @param change absolute values, so that a repeat is harmless
     */
    record AlterNamespace(String name, NamespaceChange change) implements StoreCommand {}

    /**
     * Alters settings of the cluster.
     *
     * @param change absolute values, so that a repeat is harmless
     */
    record AlterCluster(ClusterChange change) implements StoreCommand {}
}
