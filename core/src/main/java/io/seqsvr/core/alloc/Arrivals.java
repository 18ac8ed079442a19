package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterPage;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tables of exact counters that other allocators have sent, before StoreSvr says whether they count.
 *
 * <p>Invariant: a table is used once at most, for the epoch after its own, and only if it is whole and that epoch
 * starts at the table's {@code high}. At most {@link #MOST} are kept; the oldest goes first.
 */
final class Arrivals {
    /** Tables kept at most; one that is missing costs exactness, nothing else. */
    static final int MOST = 2_000;

    private final AllocatorOutbox out;
    private final Guards guards;
    private final Map<SegmentId, Arrival> arrivals = new LinkedHashMap<>();

    private static final class Arrival {
        final long epoch;
        final Map<Integer, CounterPage> pages = new TreeMap<>();
        Optional<CounterTable> table = Optional.empty();

        Arrival(long epoch) {
            this.epoch = epoch;
        }
    }

    Arrivals(AllocatorOutbox out, Guards guards) {
        this.out = out;
        this.guards = guards;
    }

    /** First copies have come. */
    void pages(long from, PeerMessage.Pages message) {
        var arrival = new Arrival(message.epoch());
        put(arrival, message.pages());
        arrivals.remove(message.segment());
        arrivals.put(message.segment(), arrival);
        if (arrivals.size() > MOST) {
            arrivals.remove(arrivals.keySet().iterator().next());
        }
        out.tell(from, new PeerMessage.PagesTaken(message.segment(), message.epoch()));
    }

    /** The rest has come. */
    void sealed(long from, PeerMessage.TableSealed message) {
        var arrival = arrivals.get(message.segment());
        if (arrival == null || arrival.epoch != message.epoch()) {
            if (guards.on(Guard.TABLE_IS_WHOLE)) {
                return;
            }
            arrival = new Arrival(message.epoch());
            arrivals.put(message.segment(), arrival);
        }
        put(arrival, message.table().pages());
        var table = message.table().withPages(List.copyOf(arrival.pages.values()));
        if (table.whole() || !guards.on(Guard.TABLE_IS_WHOLE)) {
            arrival.table = Optional.of(table);
            out.tell(from, new PeerMessage.TableTaken(message.segment(), message.epoch()));
        }
    }

    private static void put(Arrival arrival, List<CounterPage> pages) {
        for (var page : pages) {
            arrival.pages.put(page.index(), page);
        }
    }

    /** The table that fits a claimed epoch, if it is here; whatever came for the segment is forgotten. */
    Optional<CounterTable> take(ClaimedSegment claimed) {
        var arrival = arrivals.remove(claimed.segment());
        return arrival == null ? Optional.empty() : arrival.table.filter(table -> fits(table, claimed));
    }

    boolean fits(CounterTable table, ClaimedSegment claimed) {
        boolean epochFits = table.epoch() + 1 == claimed.epoch();
        boolean startFits = claimed.fromHigh() && table.high() == claimed.base();
        return (epochFits || !guards.on(Guard.TABLE_FITS_ITS_EPOCH))
                && (startFits || !guards.on(Guard.TABLE_FITS_ITS_HIGH));
    }

    void clear() {
        arrivals.clear();
    }
}
