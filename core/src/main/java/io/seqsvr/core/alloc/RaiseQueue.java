package io.seqsvr.core.alloc;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The segments that want a higher max_seq: one command at a time is under way, and all that come up meanwhile go with
 * the next one.
 */
final class RaiseQueue {
    private final AllocatorOutbox out;
    private final Guards guards;
    private final Set<LoadedSegment> wanted = new LinkedHashSet<>();
    private List<LoadedSegment> underWay = List.of();
    private final RetryPause pause = new RetryPause(RetryPause.FOR_CALLERS_NANOS);

    RaiseQueue(AllocatorOutbox out, Guards guards) {
        this.out = out;
        this.guards = guards;
    }

    /** Queues the segment if its headroom asks for it. */
    void consider(LoadedSegment segment) {
        var counters = segment.counters();
        if (!segment.raising() && counters.wantedMaxSeq(segment.namespace().step()) > counters.maxSeq()) {
            segment.raising(true);
            wanted.add(segment);
        }
    }

    /** Sends the next command if none is under way. */
    void flush(long session, ClockReading now) {
        if (wanted.isEmpty() || !underWay.isEmpty() || pause.isOn(now)) {
            return;
        }
        pause.clear();
        var batch = wanted.stream().limit(StoreCommand.MAX_SEGMENTS).toList();
        batch.forEach(wanted::remove);
        underWay = batch;
        var items = new ArrayList<StoreCommand.RaiseItem>(batch.size());
        for (var segment : batch) {
            var counters = segment.counters();
            items.add(new StoreCommand.RaiseItem(
                    segment.id(),
                    counters.epoch(),
                    counters.wantedMaxSeq(segment.namespace().step())));
        }
        out.send(new StoreCommand.Raise(session, items), now);
    }

    /**
     * Takes StoreSvr's answer to the command under way.
     *
     * @param segments what is served now
     * @return segments that the session does not own in their epoch
     */
    List<LoadedSegment> raised(StoreReply.Raised reply, SegmentTable segments) {
        var batch = underWay;
        underWay = List.of();
        if (reply.items().size() != batch.size()) {
            throw new IllegalStateException("a raise of " + batch.size() + " segments was answered with "
                    + reply.items().size());
        }
        var stale = new ArrayList<LoadedSegment>();
        for (int i = 0; i < batch.size(); i++) {
            var item = reply.items().get(i);
            var segment = asked(batch.get(i), segments);
            segment.raising(false);
            if (!item.segment().equals(segment.id())
                    || item.epoch() != batch.get(i).counters().epoch()) {
                throw new IllegalStateException("a raise of " + segment.id() + " was answered for " + item);
            }
            if (segment.dropped()) {
                continue;
            }
            if (item.accepted()) {
                segment.counters().raised(item.maxSeq());
                segments.raised(segment);
                consider(segment);
            } else {
                stale.add(segment);
            }
        }
        return stale;
    }

    /** The counters that asked; another epoch of the same segment is another matter. */
    private LoadedSegment asked(LoadedSegment segment, SegmentTable segments) {
        return guards.on(Guard.RAISE_COUNTS_FOR_WHO_ASKED)
                ? segment
                : segments.find(segment.id()).orElse(segment);
    }

    /**
     * The command under way was refused for no reason of ours, or its outcome is unknown: nothing is raised, try again.
     */
    void failed(ClockReading now) {
        for (var segment : underWay) {
            if (segment.dropped()) {
                continue;
            }
            if (!guards.on(Guard.UNKNOWN_RAISE_RAISES_NOTHING)) {
                var counters = segment.counters();
                counters.raised(counters.wantedMaxSeq(segment.namespace().step()));
            }
            wanted.add(segment);
        }
        underWay = List.of();
        pause.failed(now);
    }

    /** Forgets one segment that was dropped. */
    void forget(LoadedSegment segment) {
        wanted.remove(segment);
    }

    /** The session is over: a late answer to the command under way means nothing. */
    void clear() {
        wanted.clear();
        underWay = List.of();
        pause.clear();
    }
}
