package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Sealed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The segments that are on their way to another allocator. Counters are copied while they are served; then the segment
 * is sealed, what changed follows, and the segment is handed over.
 *
 * <p>Invariants: a seal is final for its epoch. A sealed segment is given back within {@link #SEALED_NANOS}, table or
 * not, and that is repeated until it is answered. {@code high} covers every number that was taken, waiting ones too.
 */
final class Departures {
    /** How long an unsealed segment waits for its receiver; then it stays. */
    static final long COPYING_NANOS = 2_000_000_000;
    /** How long a sealed segment waits for its table to arrive; then it goes without. */
    static final long SEALED_NANOS = 300_000_000;
    /** Pause before a command without outcome is repeated. */
    private static final long AGAIN_NANOS = 50_000_000;

    private final AllocatorOutbox out;
    private final Guards guards;
    private final Map<SegmentId, Departure> departures = new LinkedHashMap<>();

    private enum Phase {
        COPYING,
        SEALED,
        GIVING_BACK,
        WAITING_TO_REPEAT
    }

    private static final class Departure {
        final LoadedSegment segment;
        final long to;
        Phase phase = Phase.COPYING;
        boolean receiverRefused;
        ClockReading since;

        Departure(LoadedSegment segment, long to, ClockReading since) {
            this.segment = segment;
            this.to = to;
            this.since = since;
        }
    }

    Departures(AllocatorOutbox out, Guards guards) {
        this.out = out;
        this.guards = guards;
    }

    /** A segment is to go to another session; without effect if it is on its way already. */
    void start(LoadedSegment segment, long to, ClockReading now) {
        if (segment.sealed() || departures.containsKey(segment.id())) {
            return;
        }
        departures.put(segment.id(), new Departure(segment, to, now));
        var counters = segment.counters();
        counters.forgetCopies();
        out.tell(to, new PeerMessage.Pages(segment.id(), counters.epoch(), counters.copyChanged()));
    }

    /** Time passes: what waited too long goes on without the receiver. */
    void tick(long session, ClockReading now) {
        if (departures.isEmpty()) {
            return;
        }
        for (var departure : List.copyOf(departures.values())) {
            long waited = now.longestSince(departure.since);
            if (departure.phase == Phase.COPYING && waited >= COPYING_NANOS) {
                departures.remove(departure.segment.id());
            } else if ((departure.phase == Phase.SEALED && waited >= SEALED_NANOS)
                    || (departure.phase == Phase.WAITING_TO_REPEAT && waited >= AGAIN_NANOS)) {
                giveBack(session, departure, now);
            }
        }
    }

    /** The receiver has the first copies. */
    void pagesTaken(PeerMessage.PagesTaken message, ClockReading now) {
        var departure = departures.get(message.segment());
        if (departure == null || departure.phase != Phase.COPYING || !isOf(departure, message)) {
            return;
        }
        departure.phase = Phase.SEALED;
        departure.since = now;
        departure.segment.seal();
        var counters = departure.segment.counters();
        var sealed = counters.table().withPages(counters.copyChanged());
        out.tell(departure.to, new PeerMessage.TableSealed(departure.segment.id(), sealed));
    }

    /** The receiver has the whole table. */
    void tableTaken(PeerMessage.TableTaken message, long session, ClockReading now) {
        var departure = departures.get(message.segment());
        if (departure != null && departure.phase == Phase.SEALED && isOf(departure, message)) {
            giveBack(session, departure, now);
        }
    }

    private static boolean isOf(Departure departure, PeerMessage message) {
        return departure.segment.counters().epoch() == message.epoch();
    }

    private void giveBack(long session, Departure departure, ClockReading now) {
        departure.phase = Phase.GIVING_BACK;
        var counters = departure.segment.counters();
        boolean all = guards.on(Guard.HIGH_COVERS_WAITING_NUMBERS);
        long high = all ? counters.highest() : Math.min(counters.highest(), counters.maxSeq());
        var items = List.of(new Sealed(departure.segment.id(), counters.epoch(), high));
        out.send(
                departure.receiverRefused
                        ? new StoreCommand.Release(session, items)
                        : new StoreCommand.HandOver(session, items, departure.to),
                now);
    }

    /** StoreSvr does not let the receiver have anything: the segments are given back all the same. */
    void receiverRefused(List<Sealed> items, long session, ClockReading now) {
        for (var item : items) {
            var departure = departures.get(item.segment());
            if (departure != null && departure.segment.counters().epoch() == item.epoch()) {
                departure.receiverRefused = true;
                giveBack(session, departure, now);
            }
        }
    }

    /** The outcome is unknown, or it was refused for no reason of ours: repeated until it is answered. */
    void failed(List<Sealed> items, ClockReading now) {
        for (var item : items) {
            var departure = departures.get(item.segment());
            if (departure == null || departure.segment.counters().epoch() != item.epoch()) {
                continue;
            }
            departure.phase = Phase.WAITING_TO_REPEAT;
            departure.since = now;
            if (!guards.on(Guard.SEAL_IS_FINAL)) {
                departure.segment.unseal();
                departures.remove(item.segment());
            }
        }
    }

    /** The segment is served here no longer. */
    void forget(LoadedSegment segment) {
        departures.remove(segment.id());
    }

    void clear() {
        departures.clear();
    }
}
