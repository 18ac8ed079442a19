package io.seqsvr.core.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The complete, immutable map of segments to owner and epoch. What no range covers was never assigned.
 *
 * <p>Invariant: ranges are sorted by namespace and segment and do not overlap. Versions are stamps of the Raft log:
 * they never go back and never name two contents.
 */
public final class RouteTable {
    /** The table before the first assignment. */
    public static final RouteTable EMPTY = new RouteTable(0, List.of());

    private final long version;
    private final List<RouteRange> ranges;

    /**
     * A table of ranges that are in order.
     *
     * @param version stamp of the command that moved a segment last, 0 before the first
     * @throws IllegalArgumentException if ranges overlap or are out of order
     */
    public RouteTable(long version, List<RouteRange> ranges) {
        this.version = version;
        this.ranges = List.copyOf(ranges);
        for (int i = 1; i < ranges.size(); i++) {
            if (compare(
                            ranges.get(i - 1),
                            ranges.get(i).namespaceId(),
                            ranges.get(i).first())
                    >= 0) {
                throw new IllegalArgumentException(
                        "route table " + version + ": " + ranges.get(i) + " does not follow " + ranges.get(i - 1));
            }
        }
    }

    /** Collects ranges in order and merges neighbours that agree. */
    public static final class Builder {
        private final List<RouteRange> ranges = new ArrayList<>();

        /** Adds a range behind all before it. */
        public void add(RouteRange range) {
            var end = ranges.size() - 1;
            if (end >= 0 && range.continues(ranges.get(end))) {
                var before = ranges.get(end);
                ranges.set(
                        end,
                        new RouteRange(
                                range.namespaceId(), before.first(), range.last(), range.owner(), range.epoch()));
                return;
            }
            ranges.add(range);
        }

        /** The table so far. */
        public RouteTable build(long version) {
            return new RouteTable(version, ranges);
        }
    }

    /** Stamp of the command that moved a segment last; 0 before the first. */
    public long version() {
        return version;
    }

    /** All ranges, by namespace and segment. */
    public List<RouteRange> ranges() {
        return ranges;
    }

    /** The range that covers a segment, if it was ever assigned. */
    public Optional<RouteRange> find(int namespaceId, int segment) {
        int low = 0;
        int high = ranges.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compare(ranges.get(middle), namespaceId, segment);
            if (order == 0) {
                return Optional.of(ranges.get(middle));
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Optional.empty();
    }

    /** Negative if the range lies before the segment, 0 if it covers it, positive if it lies behind. */
    private static int compare(RouteRange range, int namespaceId, int segment) {
        if (range.namespaceId() != namespaceId) {
            return Integer.compare(range.namespaceId(), namespaceId);
        }
        if (range.last() < segment) {
            return -1;
        }
        return range.first() <= segment ? 0 : 1;
    }
}
