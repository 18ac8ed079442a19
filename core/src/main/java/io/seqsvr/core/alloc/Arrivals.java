package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterPage;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of exact counters that other allocators have sent, before StoreSvr says whether they count.
 *
 * <p>Invariants: a table is used once at most, for the epoch after its own, and only if it is whole and that epoch
 * starts at the table's {@code high}. What was confirmed is kept: its owner has sealed, or is about to, and without it
 * all users of the segment have a gap. So a table begins to come only if there is room for it, beside at most
 * {@link #MOST} others, and one that is not confirmed stays with its owner. Of several no more is kept than twice the
 * memory for them; what nobody has spoken of for a while makes room.
 */
final class Arrivals {
    /** Tables kept at most; one that is missing costs exactness, nothing else. */
    static final int MOST = 4 * StoreCommand.MAX_SEGMENTS;
    /**
     * How long after the last part of a table the rest is waited for, and how long a claimed segment waits at all; then
     * it goes without.
     */
    static final long PATIENCE_NANOS = 300_000_000;
    /** Whose part was confirmed so long ago has kept the segment: longer than an owner waits, and stands still. */
    static final long COMING_NANOS = 2 * Departures.COPYING_NANOS;
    /** A whole table that was not claimed for so long is wanted by nobody: StoreSvr may elect meanwhile. */
    static final long CLAIMED_NANOS = 60_000_000_000L;
    /** How often they are looked through. */
    private static final long LOOKED_AT_NANOS = 100_000_000;

    private final AllocatorOutbox out;
    private final Guards guards;
    private final long mostBytes;
    private final Map<SegmentId, Arrival> arrivals = new LinkedHashMap<>();
    private long bytes;
    private @Nullable ClockReading lookedAt;

    private static final class Arrival {
        final long epoch;
        final Map<Integer, CounterPage> pages = new TreeMap<>();
        /** What the pages have to amount to. */
        Optional<CounterTable> outline = Optional.empty();

        Optional<CounterTable> table = Optional.empty();
        ClockReading lastHeard;
        long bytes;

        Arrival(long epoch, ClockReading now) {
            this.epoch = epoch;
            this.lastHeard = now;
        }

        boolean isForgotten(ClockReading now) {
            return now.monotonicSince(lastHeard) >= (table.isPresent() ? CLAIMED_NANOS : COMING_NANOS);
        }
    }

    /**
     * None yet.
     *
     * @param mostBytes memory with which another table may begin to come
     */
    Arrivals(AllocatorOutbox out, long mostBytes, Guards guards) {
        this.out = out;
        this.mostBytes = mostBytes;
        this.guards = guards;
    }

    /**
     * Copies have come, the first or more; those of an earlier epoch than what is whole, or just coming, are late.
     *
     * @param mayServe whether this allocator could serve, and has memory for the counters: else, and where there is no
     *     room for copies, their owner is not told that they have come, and keeps the segment; what it sends after it
     *     has sealed is kept, as it is nobody else's any more
     */
    void pages(long from, PeerMessage.Pages message, boolean mayServe, ClockReading now) {
        var here = arrivals.get(message.segment());
        if (here != null
                && here.epoch > message.epoch()
                && (here.table.isPresent() || now.monotonicSince(here.lastHeard) < PATIENCE_NANOS)) {
            return;
        }
        if (here != null && here.epoch != message.epoch()) {
            remove(message.segment());
            here = null;
        }
        if ((here == null && !mayServe) || !hasRoom(here, bytesOf(message.pages()))) {
            return;
        }
        var arrival = here == null ? begin(message.segment(), message.epoch(), now) : here;
        put(arrival, message.pages(), now);
        if (mayServe) {
            out.tell(from, new PeerMessage.PagesTaken(message.segment(), message.epoch()));
        }
        // What was sealed may have overtaken them.
        completeIfWhole(from, message.segment(), arrival);
    }

    /** What all of them take with these copies, at most. */
    long bytesWith(PeerMessage.Pages message) {
        return bytes + bytesOf(message.pages());
    }

    private static long bytesOf(List<CounterPage> pages) {
        return pages.stream().mapToLong(CounterPage::bytes).sum();
    }

    /**
     * Whether copies may be kept beside what is here.
     *
     * @param here what has come of the same table; null if these are the first
     */
    private boolean hasRoom(@Nullable Arrival here, long more) {
        if (here == null) {
            // A large one comes alone.
            return arrivals.isEmpty() || (arrivals.size() < MOST && bytes + more <= mostBytes);
        }
        // Of large ones that began together the first goes on.
        return bytes + more <= 2 * mostBytes
                || here == arrivals.values().iterator().next();
    }

    /** Time passes: what nobody has spoken of for a while makes room. */
    void tick(ClockReading now) {
        if (arrivals.isEmpty() || (lookedAt != null && now.monotonicSince(lookedAt) < LOOKED_AT_NANOS)) {
            return;
        }
        lookedAt = now;
        for (var each : List.copyOf(arrivals.entrySet())) {
            if (each.getValue().isForgotten(now)) {
                remove(each.getKey());
            }
        }
    }

    private Arrival begin(SegmentId segment, long epoch, ClockReading now) {
        var arrival = new Arrival(epoch, now);
        arrivals.put(segment, arrival);
        return arrival;
    }

    private void put(Arrival arrival, List<CounterPage> copies, ClockReading now) {
        arrival.lastHeard = now;
        for (var page : copies) {
            var older = arrival.pages.put(page.index(), page);
            long more = page.bytes() - (older == null ? 0 : older.bytes());
            arrival.bytes += more;
            bytes += more;
        }
    }

    /** What the table has to amount to has come, and the last copies. */
    void sealed(long from, PeerMessage.TableSealed message, ClockReading now) {
        var arrival = arrivals.get(message.segment());
        if (arrival == null || arrival.epoch != message.epoch()) {
            if (guards.on(Guard.TABLE_IS_WHOLE)) {
                return;
            }
            remove(message.segment());
            arrival = begin(message.segment(), message.epoch(), now);
        }
        var rest = message.table().pages();
        if (!hasRoom(arrival, bytesOf(rest))) {
            remove(message.segment());
            return;
        }
        put(arrival, rest, now);
        arrival.outline = Optional.of(message.table().withPages(List.of()));
        completeIfWhole(from, message.segment(), arrival);
    }

    /** The table will not come: whatever has come of it is forgotten. */
    void abandoned(PeerMessage.TableAbandoned message) {
        var arrival = arrivals.get(message.segment());
        if (arrival != null && arrival.epoch == message.epoch()) {
            remove(message.segment());
        }
    }

    private void completeIfWhole(long from, SegmentId segment, Arrival arrival) {
        if (arrival.outline.isEmpty() || arrival.table.isPresent()) {
            return;
        }
        var table = arrival.outline.get().withPages(List.copyOf(arrival.pages.values()));
        if (table.whole() || !guards.on(Guard.TABLE_IS_WHOLE)) {
            arrival.table = Optional.of(table);
            out.tell(from, new PeerMessage.TableTaken(segment, arrival.epoch));
        }
    }

    private @Nullable Arrival remove(SegmentId segment) {
        var arrival = arrivals.remove(segment);
        bytes -= arrival == null ? 0 : arrival.bytes;
        return arrival;
    }

    /** The table that fits a claimed epoch, if it is here; whatever came for the segment is forgotten. */
    Optional<CounterTable> take(ClaimedSegment claimed) {
        var arrival = remove(claimed.segment());
        return arrival == null || !guards.on(Guard.TABLE_IS_USED)
                ? Optional.empty()
                : arrival.table.filter(table -> fits(table, claimed));
    }

    /**
     * Whether of the table that fits a claimed epoch a part has come, and the rest may still be on its way. Where
     * StoreSvr keeps a table that one has been given up.
     */
    boolean isOnItsWay(ClaimedSegment claimed, ClockReading now) {
        var arrival = arrivals.get(claimed.segment());
        return arrival != null
                && arrival.table.isEmpty()
                && arrival.epoch + 1 == claimed.epoch()
                && claimed.fromHigh()
                && !claimed.tableStored()
                && now.monotonicSince(arrival.lastHeard) < PATIENCE_NANOS;
    }

    boolean fits(CounterTable table, ClaimedSegment claimed) {
        boolean epochFits = table.epoch() + 1 == claimed.epoch();
        boolean startFits = claimed.fromHigh() && table.high() == claimed.base();
        return (epochFits || !guards.on(Guard.TABLE_FITS_ITS_EPOCH))
                && (startFits || !guards.on(Guard.TABLE_FITS_ITS_HIGH));
    }

    void clear() {
        arrivals.clear();
        bytes = 0;
    }
}
