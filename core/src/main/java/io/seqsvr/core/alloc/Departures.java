package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Sealed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The segments that are on their way out: to another allocator, or back to StoreSvr. For another allocator counters are
 * copied while they are served; then the segment is sealed, and at once handed over and told what changed since: its
 * receiver waits for what it knows to be on its way. Where nobody is there to take them, sealed counters are stored
 * before the segment is released.
 *
 * <p>Copies of counters are made on the thread that serves, and wait in a queue of the network: so only segments of
 * {@link #PAGES_AT_ONCE} touched pages are copied at a time, and one at least. One that has more goes in pieces, each
 * when the one before has come. Besides, what followed the last seals may be in the queue.
 *
 * <p>Invariants: a seal is final for its epoch. A sealed segment is given back at once, or where its table is stored
 * within {@link #STORING_NANOS}, table or not, and that is repeated until it is answered. {@code high} covers every
 * number that was taken, waiting ones too.
 */
final class Departures {
    /** Touched pages of all segments that are on their way to other allocators; further segments wait, served. */
    static final int PAGES_AT_ONCE = 256;
    /** Pages that may follow a seal, while nobody is served; with more of them a segment goes without its table. */
    static final int REST_PAGES = 4 * PAGES_AT_ONCE;
    /** How long an unsealed segment waits for its receiver to take a piece; then it stays. */
    static final long COPYING_NANOS = 2_000_000_000;
    /** How long it waits for one that has just let another segment wait for that long. */
    static final long COPYING_AGAIN_NANOS = 500_000_000;
    /** How long a sealed segment waits for its table to be stored; then it goes without. */
    static final long STORING_NANOS = 2_000_000_000;
    /** In place of a receiver. */
    private static final long NOBODY = 0;

    private final AllocatorOutbox out;
    private final Guards guards;
    private final DepartureQueue queue = new DepartureQueue();
    private final Map<SegmentId, Departure> departures = new LinkedHashMap<>();
    private final StoringTables storing;
    private final UntakenTables untaken = new UntakenTables();
    private final List<LoadedSegment> stayed = new ArrayList<>();

    /** Segments that are on their way to receivers, and their touched pages. */
    private int sending;

    private int pagesUnderWay;
    /** Receivers that may have nothing more. */
    private final Set<Long> refused = new HashSet<>();
    /** Whether something may be READY. */
    private boolean mayBeReady;

    Departures(AllocatorOutbox out, Guards guards) {
        this.out = out;
        this.guards = guards;
        this.storing = new StoringTables(out);
    }

    /** A segment is to go to another session; without effect if it is on its way already. */
    void start(LoadedSegment segment, long to, ClockReading now) {
        if (isLeaving(segment)) {
            return;
        }
        queue.add(new Departure(segment, to, now));
        setOut(now);
    }

    private void setOut(ClockReading now) {
        if (!queue.isEmpty()) {
            queue.setOut(now, this::fits, this::setsOut);
        }
    }

    private boolean fits(Departure next) {
        return sending == 0 || (sending < StoreCommand.MAX_SEGMENTS && pagesUnderWay + next.pages <= PAGES_AT_ONCE);
    }

    private void setsOut(Departure next) {
        departures.put(next.segment.id(), next);
        next.sending = true;
        sending++;
        pagesUnderWay += next.pages;
        next.segment.counters().forgetCopies();
        out.tell(next.to, next.nextPiece());
    }

    private void remove(SegmentId id) {
        var gone = departures.remove(id);
        if (gone != null) {
            sendNoMore(gone);
        }
    }

    private void sendNoMore(Departure departure) {
        if (departure.sending) {
            departure.sending = false;
            queue.hasRoom();
            sending--;
            pagesUnderWay -= departure.pages;
        }
    }

    /** Whether the segment is on its way out, or waits for that. */
    boolean isLeaving(LoadedSegment segment) {
        return segment.sealed() || departures.containsKey(segment.id()) || queue.contains(segment.id());
    }

    /** Whether a sealed segment is still here only because its table is being stored: nothing has given it away yet. */
    boolean isStoring(LoadedSegment segment) {
        var departure = departures.get(segment.id());
        return departure != null && departure.phase == Departure.Phase.STORING && !departure.wasOffered;
    }

    /** Segments whose receiver did not take them in time, as the last tick found: they are served as before. */
    List<LoadedSegment> stayed() {
        return List.copyOf(stayed);
    }

    /** A segment is to go, and nobody is there to take it: it answers nothing more from now on. */
    void leave(long session, LoadedSegment segment, ClockReading now) {
        // It may be on its way to somebody else since it was found to have stayed.
        if (segment.dropped() || isLeaving(segment)) {
            return;
        }
        segment.seal();
        var departure = new Departure(segment, NOBODY, now);
        departures.put(segment.id(), departure);
        store(session, departure, now);
    }

    /** The counters of a sealed segment that nobody takes go to StoreSvr before it does. */
    private void store(long session, Departure departure, ClockReading now) {
        sendNoMore(departure);
        departure.to = NOBODY;
        departure.since = now;
        if (storing.add(session, departure.segment)) {
            departure.phase = Departure.Phase.STORING;
        } else {
            ready(departure);
        }
    }

    private void ready(Departure departure) {
        departure.phase = Departure.Phase.READY;
        mayBeReady = true;
    }

    /** Time passes: what waited too long goes on without the receiver, or without its table. */
    void tick(long session, ClockReading now) {
        stayed.clear();
        untaken.tick(now);
        if (departures.isEmpty()) {
            return;
        }
        for (var departure : List.copyOf(departures.values())) {
            long waited = now.monotonicSince(departure.since);
            switch (departure.phase) {
                case COPYING -> {
                    if (waited >= (departure.triedAgain ? COPYING_AGAIN_NANOS : COPYING_NANOS)) {
                        remove(departure.segment.id());
                        stayed.add(departure.segment);
                        stayed.addAll(queue.saidNothing(departure, now));
                    }
                }
                case STORING -> {
                    if (waited >= STORING_NANOS) {
                        storing.giveUp(session, departure.segment);
                        ready(departure);
                    }
                }
                case WAITING_TO_REPEAT -> {
                    if (waited >= RetryPause.FOR_SEGMENTS_NANOS) {
                        ready(departure);
                    }
                }
                case READY, GIVING_BACK -> {}
            }
        }
    }

    /** Whoever was silent once may be asked again. */
    void forgetSilence() {
        queue.forgetSilence();
    }

    /** Whether it makes sense to offer a session something. */
    boolean mayTake(long session) {
        return !queue.isSilent(session) && !refused.contains(session);
    }

    /** The receiver has the copies that it was sent. */
    void pagesTaken(long from, PeerMessage.PagesTaken message, ClockReading now) {
        var departure = departures.get(message.segment());
        if (departure == null || departure.phase != Departure.Phase.COPYING || !departure.isOf(message.epoch())) {
            return;
        }
        if (departure.to != from) {
            return; // It was offered to that one before, and what it has is no part of what this one needs.
        }
        queue.speaks(departure.to);
        departure.since = now;
        if (departure.isToBeCopiedFurther()) {
            out.tell(departure.to, departure.nextPiece());
            return;
        }
        departure.segment.seal();
        ready(departure);
        var counters = departure.segment.counters();
        if (counters.changedPages() > REST_PAGES) {
            out.tell(departure.to, new PeerMessage.TableAbandoned(message.segment(), message.epoch()));
            return;
        }
        while (counters.changedPages() > PAGES_AT_ONCE) {
            out.tell(departure.to, departure.nextPiece());
        }
        var sealed = counters.outline().withPages(counters.copyChanged(PAGES_AT_ONCE));
        var told = new PeerMessage.TableSealed(message.segment(), sealed);
        out.tell(departure.to, told);
        untaken.add(told, now);
    }

    /** The receiver has the whole table. */
    void tableTaken(PeerMessage.TableTaken message) {
        untaken.taken(message);
    }

    /** Whether tables are on their way to receivers who may still wait for them: this process has to be there. */
    boolean areTablesUnderWay() {
        return !untaken.isEmpty();
    }

    /** StoreSvr told which of the tables under way it keeps. */
    void tablesStored(StoreCommand.StoreTables sent, List<Boolean> stored, long session) {
        for (int i = 0; i < sent.tables().size(); i++) {
            var table = sent.tables().get(i);
            var departure = departures.get(table.segment());
            if (departure == null
                    || departure.phase != Departure.Phase.STORING
                    || !departure.isOf(table.table().epoch())) {
                continue;
            }
            ready(departure);
            if (!stored.get(i)) {
                storing.giveUp(session, departure.segment);
            }
        }
        storing.answered();
    }

    /** Whether StoreSvr keeps the tables under way is unknown: they are sent again. */
    void tablesFailed(StoreCommand.StoreTables sent, ClockReading now) {
        var waiting = new ArrayList<LoadedSegment>();
        for (var table : sent.tables()) {
            var departure = departures.get(table.segment());
            if (departure != null && departure.phase == Departure.Phase.STORING) {
                waiting.add(departure.segment);
            }
        }
        storing.failed(waiting, now);
    }

    /** Sends what is ready, as few commands as there are receivers. */
    void flush(long session, ClockReading now) {
        setOut(now);
        if (departures.isEmpty()) {
            return;
        }
        storing.flush(session, now);
        if (mayBeReady) {
            giveAway(session, now);
        }
    }

    private void giveAway(long session, ClockReading now) {
        mayBeReady = false;
        var ready = new LinkedHashMap<Long, List<Sealed>>();
        for (var departure : departures.values()) {
            if (departure.phase != Departure.Phase.READY) {
                continue;
            }
            var items = ready.computeIfAbsent(departure.to, to -> new ArrayList<>());
            if (items.size() < StoreCommand.MAX_SEGMENTS) {
                items.add(sealed(departure));
                departure.phase = Departure.Phase.GIVING_BACK;
                departure.wasOffered |= departure.to != NOBODY;
            } else {
                mayBeReady = true;
            }
        }
        ready.forEach((to, items) -> out.send(
                to == NOBODY ? new StoreCommand.Release(session, items) : new StoreCommand.HandOver(session, items, to),
                now));
    }

    private Sealed sealed(Departure departure) {
        var counters = departure.segment.counters();
        boolean all = guards.on(Guard.HIGH_COVERS_WAITING_NUMBERS);
        long high = all ? counters.highest() : Math.min(counters.highest(), counters.maxSeq());
        return new Sealed(departure.segment.id(), counters.epoch(), high);
    }

    /** StoreSvr does not let the receiver have anything: the segments are given back, their counters stored first. */
    void receiverRefused(long session, List<Sealed> items, ClockReading now) {
        for (var item : items) {
            var departure = departures.get(item.segment());
            if (departure != null && departure.isOf(item.epoch())) {
                untaken.remove(item.segment());
                if (refused.add(departure.to)) {
                    stayed.addAll(queue.removeAll(departure.to));
                }
                store(session, departure, now);
            }
        }
    }

    /** The outcome is unknown, or it was refused for no reason of ours: repeated until it is answered. */
    void failed(List<Sealed> items, ClockReading now) {
        for (var item : items) {
            var departure = departures.get(item.segment());
            if (departure == null || !departure.isOf(item.epoch())) {
                continue;
            }
            departure.since = now;
            departure.phase = guards.on(Guard.GIVING_BACK_IS_REPEATED)
                    ? Departure.Phase.WAITING_TO_REPEAT
                    : Departure.Phase.GIVING_BACK;
            if (!guards.on(Guard.SEAL_IS_FINAL)) {
                departure.segment.unseal();
                remove(item.segment());
            }
        }
    }

    /** The segment is served here no longer. */
    void forget(LoadedSegment segment) {
        queue.remove(segment.id());
        remove(segment.id());
    }

    void clear() {
        queue.clear();
        departures.clear();
        stayed.clear();
        untaken.clear();
        sending = 0;
        pagesUnderWay = 0;
        refused.clear();
        storing.clear();
    }
}
