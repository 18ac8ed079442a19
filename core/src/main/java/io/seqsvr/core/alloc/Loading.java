package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How claimed segments come to be served: at once, or as soon as their exact counters have come, from StoreSvr or from
 * their former owners, or will not come in time.
 */
final class Loading {
    /** Tables that nobody may use yet have this part of the memory for counters, besides it. */
    private static final int ARRIVING_PART = 8;

    private final AllocatorOutbox out;
    private final Guards guards;
    private final CounterMemory memory;
    private final SegmentTable segments;
    private final Arrivals arrivals;
    /** Segments whose tables StoreSvr keeps. */
    private final PendingSegments stored = new PendingSegments(FetchingTables.PATIENCE_NANOS);
    /** Segments of whose tables a part has come from their former owners. */
    private final PendingSegments arriving = new PendingSegments(Arrivals.PATIENCE_NANOS);

    private final FetchingTables fetching;

    /**
     * Nothing was claimed yet.
     *
     * @param memory what all counters may take
     * @param segments what is served
     */
    Loading(AllocatorOutbox out, CounterMemory memory, SegmentTable segments, Guards guards) {
        this.out = out;
        this.guards = guards;
        this.memory = memory;
        this.segments = segments;
        this.arrivals = new Arrivals(out, memory.most() / ARRIVING_PART, guards);
        this.fetching = new FetchingTables(out, stored);
    }

    /**
     * Takes in what a Claim showed that is newer than what is here.
     *
     * @param replaced takes each segment of which a newer epoch was claimed, before that one is loaded
     */
    void load(
            long session,
            StoreReply.Claimed claimed,
            HolderLease lease,
            Consumer<LoadedSegment> replaced,
            ClockReading now) {
        segments.learn(claimed.version(), claimed.namespaces());
        var fresh = new ArrayList<Beginning.Loaded>();
        for (var segment : claimed.segments()) {
            if (!segments.isNew(segment)) {
                continue;
            }
            stored.remove(segment.segment());
            arriving.remove(segment.segment());
            segments.find(segment.segment()).ifPresent(replaced);
            boolean waits = arrivals.isOnItsWay(segment, now);
            var table = waits ? Optional.<CounterTable>empty() : takeArrivedTable(segment);
            if (waits) {
                arriving.add(segment, lease, now);
            } else if (table.isEmpty() && segment.tableStored()) {
                waits = true;
                stored.add(segment, lease, now);
            }
            if (!waits || !guards.on(Guard.TABLE_IS_DECIDED_ONCE)) {
                fresh.add(new Beginning.Loaded(segment, segments.load(segment, table, lease)));
            }
        }
        LoadReport.of(session, fresh, claimed.through()).forEach(out::report);
    }

    private Optional<CounterTable> takeArrivedTable(ClaimedSegment claimed) {
        return arrivals.take(claimed).filter(exact -> segments.holds(claimed.segment(), exact));
    }

    /** Asks StoreSvr for tables that it keeps. */
    void flush(long session, ClockReading now) {
        fetching.flush(session, now);
    }

    /** Stored tables have come. */
    void fetched(long session, StoreCommand.FetchTables sent, StoreReply.TablesFetched reply) {
        for (var decided : fetching.fetched(sent.holdings(), reply.tables())) {
            loadPending(session, decided.pending(), decided.table());
        }
    }

    /** Whether StoreSvr keeps the tables that it was asked for is unknown. */
    void fetchFailed(ClockReading now) {
        fetching.failed(now);
    }

    /** A former owner says something of a table. */
    void heard(long session, boolean leaseValid, long from, PeerMessage message, ClockReading now) {
        passToArrivals(from, leaseValid, message, now);
        loadUnlessOnItsWay(session, message.segment(), now);
    }

    private void passToArrivals(long from, boolean leaseValid, PeerMessage message, ClockReading now) {
        if (message instanceof PeerMessage.Pages pages) {
            arrivals.pages(from, pages, leaseValid && memory.wouldHold(arrivals.bytesWith(pages)), now);
        } else if (message instanceof PeerMessage.TableSealed sealed) {
            arrivals.sealed(from, sealed, now);
        } else if (message instanceof PeerMessage.TableAbandoned abandoned) {
            arrivals.abandoned(abandoned);
        } else {
            throw new IllegalStateException("no rule for " + message);
        }
    }

    /** Whoever waits for a former owner's table waits no longer if it is whole, or nothing more of it will come. */
    private void loadUnlessOnItsWay(long session, SegmentId segment, ClockReading now) {
        arriving.find(segment)
                .filter(pending -> !arrivals.isOnItsWay(pending.claimed(), now))
                .ifPresent(pending -> {
                    arriving.remove(segment);
                    loadPending(session, pending, takeArrivedTable(pending.claimed()));
                });
    }

    /** A segment that waited for its table waits no longer. */
    private void loadPending(long session, PendingSegments.Pending pending, Optional<CounterTable> exact) {
        var claimed = pending.claimed();
        if (!guards.on(Guard.TABLE_IS_DECIDED_ONCE)) {
            segments.reload(claimed, exact);
            return;
        }
        var fitting = exact.filter(table -> arrivals.fits(table, claimed));
        var loaded = new Beginning.Loaded(claimed, segments.load(claimed, fitting, pending.lease()));
        LoadReport.of(session, List.of(loaded), 0).forEach(out::report);
    }

    /** Whether a segment was claimed whose counters are still to come. */
    boolean isPending(SegmentId segment) {
        return stored.find(segment).isPresent() || arriving.find(segment).isPresent();
    }

    /** Whether no such segment is left. */
    boolean isDone() {
        return stored.isEmpty() && arriving.isEmpty();
    }

    /** Time passes: no segment waits for its table for ever. */
    void tick(long session, ClockReading now) {
        arrivals.tick(now);
        if (isDone()) {
            return;
        }
        stored.overdue(now).forEach(pending -> loadPending(session, pending, Optional.empty()));
        arriving.overdue(now).forEach(pending -> loadPending(session, pending, takeArrivedTable(pending.claimed())));
        for (var pending : List.copyOf(arriving.all())) {
            loadUnlessOnItsWay(session, pending.claimed().segment(), now);
        }
    }

    /** The session is over: nothing that it was given is loaded any more. */
    void clear() {
        arrivals.clear();
        fetching.clear();
        stored.clear();
        arriving.clear();
    }
}
