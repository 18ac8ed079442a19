package io.seqsvr.storesvr.backup;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SegmentRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * By how much the max_seq of the busiest segment grows: the fastest of the last sixty looks, which are about a minute
 * apart, and of what has passed since the last one. It counts whatever moves max_seq: raises, which go by whole steps,
 * and floors. What was used up before the first look nobody has seen.
 *
 * <p>Not safe for threads.
 */
public final class Growth {
    /** What was seen for a shorter time says nothing of a day: of a quiet minute after a start, perhaps. */
    public static final Duration ENOUGH = Duration.ofHours(1);

    /** A look a minute: as long as is enough. */
    private static final int LOOKS_KEPT = 60;
    /** A shorter time says nothing: a single raise would pass for a flood. */
    private static final long LEAST_NANOS = 1_000_000_000L;

    private final Deque<Span> spans = new ArrayDeque<>();
    private List<SegmentRecord> seen = List.of();
    private long seenFloor;
    private long seenAtNanos;
    private boolean began;

    private record Span(long perSecond, long nanos) {}

    /**
     * What was seen.
     *
     * @param perSecond by how much max_seq of one segment grew in a second at most, rounded up
     * @param over how long it was looked at; zero if not at all
     */
    public record Seen(long perSecond, Duration over) {}

    /**
     * Looks at the segments, and remembers them for the next look.
     *
     * @param nowNanos monotonic time
     * @param segments all segments with a record, in order
     * @param floor where a segment without a record starts
     */
    public void look(long nowNanos, Collection<SegmentRecord> segments, long floor) {
        if (began) {
            spans.addLast(since(nowNanos, segments));
            if (spans.size() > LOOKS_KEPT) {
                spans.removeFirst();
            }
        }
        began = true;
        seen = new ArrayList<>(segments);
        seenFloor = floor;
        seenAtNanos = nowNanos;
    }

    /** What was seen up to now; the parameters are those of {@link #look}. */
    public Seen seen(long nowNanos, Collection<SegmentRecord> segments) {
        if (!began) {
            return new Seen(0, Duration.ZERO);
        }
        var last = since(nowNanos, segments);
        long most = last.perSecond();
        long nanos = last.nanos();
        for (var span : spans) {
            most = Math.max(most, span.perSecond());
            nanos += span.nanos();
        }
        return new Seen(most, Duration.ofNanos(nanos));
    }

    private Span since(long nowNanos, Collection<SegmentRecord> segments) {
        Map<SegmentId, Long> before = new HashMap<>();
        seen.forEach(segment -> before.put(segment.id(), segment.maxSeq()));
        long most = 0;
        for (var segment : segments) {
            most = Math.max(most, segment.maxSeq() - before.getOrDefault(segment.id(), seenFloor));
        }
        long nanos = Math.max(0, nowNanos - seenAtNanos);
        return new Span(perSecond(most, Math.max(LEAST_NANOS, nanos)), nanos);
    }

    private static long perSecond(long growth, long nanos) {
        return (long) Math.ceil(growth / (nanos / 1e9));
    }
}
