package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterPage;
import io.seqsvr.core.segment.CounterTable;
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
 * <p>Invariant: a table is used once at most, for the epoch after its own, and only if it is whole and that epoch
 * starts at the table's {@code high}. At most {@link #MOST} are kept, and of several no more than there is memory for;
 * the oldest goes first, if it is not whole.
 */
final class Arrivals {
    /** Tables kept at most; one that is missing costs exactness, nothing else. */
    static final int MOST = 2_000;
    /**
     * How long after the last part of a table the rest is waited for, and how long a claimed segment waits at all; then
     * it goes without.
     */
    static final long PATIENCE_NANOS = 300_000_000;

    private final AllocatorOutbox out;
    private final Guards guards;
    private final long mostBytes;
    private final Map<SegmentId, Arrival> arrivals = new LinkedHashMap<>();
    private long bytes;

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

        void put(List<CounterPage> copies, ClockReading now) {
            lastHeard = now;
            for (var page : copies) {
                var older = pages.put(page.index(), page);
                bytes += page.bytes() - (older == null ? 0 : older.bytes());
            }
        }
    }

    /**
     * None yet.
     *
     * @param mostBytes memory that several may take
     */
    Arrivals(AllocatorOutbox out, long mostBytes, Guards guards) {
        this.out = out;
        this.mostBytes = mostBytes;
        this.guards = guards;
    }

    /**
     * Copies have come, the first or more; those of an earlier epoch than what is whole, or just coming, are late.
     *
     * @param mayServe whether this allocator could serve, and has memory for them: else their owner is not told that
     *     they have come, and keeps the segment; what it sends after it has sealed is kept, as it is nobody else's any
     *     more
     */
    void pages(long from, PeerMessage.Pages message, boolean mayServe, ClockReading now) {
        var here = arrivals.get(message.segment());
        if (here != null
                && here.epoch > message.epoch()
                && (here.table.isPresent() || now.monotonicSince(here.lastHeard) < PATIENCE_NANOS)) {
            return;
        }
        var known = remove(message.segment());
        var arrival = known == null || known.epoch != message.epoch() ? new Arrival(message.epoch(), now) : known;
        arrival.put(message.pages(), now);
        add(message.segment(), arrival);
        if (mayServe) {
            out.tell(from, new PeerMessage.PagesTaken(message.segment(), message.epoch()));
        }
        // What was sealed may have overtaken them.
        completeIfWhole(from, message.segment(), arrival);
    }

    /** What all of them take with these copies, at most. */
    long bytesWith(PeerMessage.Pages message) {
        return bytes + message.pages().stream().mapToLong(CounterPage::bytes).sum();
    }

    /** What the table has to amount to has come, and the last copies. */
    void sealed(long from, PeerMessage.TableSealed message, ClockReading now) {
        var arrival = arrivals.get(message.segment());
        if (arrival == null || arrival.epoch != message.epoch()) {
            if (guards.on(Guard.TABLE_IS_WHOLE)) {
                return;
            }
            arrival = new Arrival(message.epoch(), now);
        }
        remove(message.segment());
        arrival.put(message.table().pages(), now);
        arrival.outline = Optional.of(message.table().withPages(List.of()));
        add(message.segment(), arrival);
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

    private void add(SegmentId segment, Arrival arrival) {
        arrivals.put(segment, arrival);
        bytes += arrival.bytes;
        while (arrivals.size() > MOST || (bytes > mostBytes && arrivals.size() > 1)) {
            remove(oldest());
        }
    }

    /** Of those that are not whole yet, if there is one before the last: the others are as good as claimed. */
    private SegmentId oldest() {
        return arrivals.entrySet().stream()
                .limit(arrivals.size() - 1L)
                .filter(each -> each.getValue().table.isEmpty())
                .findFirst()
                .orElseGet(() -> arrivals.entrySet().iterator().next())
                .getKey();
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
