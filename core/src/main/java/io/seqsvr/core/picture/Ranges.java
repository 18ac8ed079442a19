package io.seqsvr.core.picture;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Lists of ranges that are sorted by namespace and segment and do not overlap. A range of epoch 0 says of its segments
 * that they were never assigned.
 */
final class Ranges {
    private static final Comparator<RouteRange> IN_ORDER =
            Comparator.comparingInt(RouteRange::namespaceId).thenComparingInt(RouteRange::first);

    private Ranges() {}

    /** What leads from the one list to the other when it is laid over the first. */
    static List<RouteRange> between(List<RouteRange> old, List<RouteRange> now) {
        var changed =
                cut(now, old, (range, before) -> range.owner() == before.owner() && range.epoch() == before.epoch());
        for (var vanished : cut(old, now, (range, after) -> true)) {
            changed.add(new RouteRange(vanished.namespaceId(), vanished.first(), vanished.last(), 0, 0));
        }
        return inOrder(changed);
    }

    /** One list laid over another. */
    static List<RouteRange> overlay(List<RouteRange> below, List<RouteRange> above) {
        var all = cut(below, above, (range, over) -> true);
        all.addAll(above);
        return inOrder(all);
    }

    /** The same without what was never assigned. */
    static List<RouteRange> assigned(List<RouteRange> ranges) {
        return ranges.stream().filter(range -> range.epoch() != 0).toList();
    }

    /** What is left of ranges where others, of those that {@code cuts} allows, are taken away. */
    private static List<RouteRange> cut(
            List<RouteRange> ranges, List<RouteRange> others, BiPredicate<RouteRange, RouteRange> cuts) {
        var left = new ArrayList<RouteRange>();
        int start = 0;
        for (var range : ranges) {
            while (start < others.size() && endsBefore(others.get(start), range)) {
                start++;
            }
            int from = range.first();
            for (int i = start; i < others.size() && beginsWithin(others.get(i), range); i++) {
                var other = others.get(i);
                if (cuts.test(range, other)) {
                    if (other.first() > from) {
                        left.add(part(range, from, other.first() - 1));
                    }
                    from = other.last() + 1;
                }
            }
            if (from <= range.last()) {
                left.add(part(range, from, range.last()));
            }
        }
        return left;
    }

    private static boolean endsBefore(RouteRange other, RouteRange range) {
        return other.namespaceId() != range.namespaceId()
                ? other.namespaceId() < range.namespaceId()
                : other.last() < range.first();
    }

    private static boolean beginsWithin(RouteRange other, RouteRange range) {
        return other.namespaceId() == range.namespaceId() && other.first() <= range.last();
    }

    private static RouteRange part(RouteRange range, int first, int last) {
        return new RouteRange(range.namespaceId(), first, last, range.owner(), range.epoch());
    }

    private static List<RouteRange> inOrder(List<RouteRange> ranges) {
        ranges.sort(IN_ORDER);
        var merged = new RouteTable.Builder();
        ranges.forEach(merged::add);
        return merged.build(0).ranges();
    }
}
