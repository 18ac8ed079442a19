package io.seqsvr.core.failover;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreView;
import java.util.Arrays;
import java.util.List;

/** The segments without a living owner: of nobody yet, of the dead, or given back by somebody who lives. */
final class Ownerless {
    private final StoreView view;
    private final Visitor visitor;
    /** In order. */
    private final long[] living;
    /** The first range given back that does not lie before what was looked at: both lists have one order. */
    private int releasedAt;

    /** Looks at what is found. */
    interface Visitor {
        /**
         * Neighbouring segments.
         *
         * @return whether to go on
         */
        boolean visit(int namespaceId, int first, int last);
    }

    private Ownerless(StoreView view, Visitor visitor) {
        this.view = view;
        this.visitor = visitor;
        var sessions = view.sessions();
        this.living = new long[sessions.size()];
        for (int i = 0; i < living.length; i++) {
            living[i] = sessions.get(i).id();
        }
        Arrays.sort(living);
    }

    /** Whether there are none. */
    static boolean noneIn(StoreView view) {
        return visit(view, (namespaceId, first, last) -> false);
    }

    /**
     * Visits them, by namespace and segment.
     *
     * @return whether it came to the end
     */
    static boolean visit(StoreView view, Visitor visitor) {
        return new Ownerless(view, visitor).visitAll();
    }

    private boolean visitAll() {
        var ranges = view.routes().ranges();
        int place = 0;
        for (var namespace : view.namespaces()) {
            int next = 0;
            while (place < ranges.size() && ranges.get(place).namespaceId() < namespace.id()) {
                place++;
            }
            for (; place < ranges.size() && ranges.get(place).namespaceId() == namespace.id(); place++) {
                var range = ranges.get(place);
                if (!found(namespace.id(), next, range.first() - 1) || !visit(range)) {
                    return false;
                }
                next = range.last() + 1;
            }
            if (!found(namespace.id(), next, namespace.segmentCount() - 1)) {
                return false;
            }
        }
        return true;
    }

    private boolean visit(RouteRange range) {
        return Arrays.binarySearch(living, range.owner()) >= 0
                ? visitReleased(range, view.released().ranges())
                : found(range.namespaceId(), range.first(), range.last());
    }

    /** What a living owner gave back, run by run. */
    private boolean visitReleased(RouteRange range, List<RouteRange> released) {
        while (releasedAt < released.size() && liesBefore(released.get(releasedAt), range)) {
            releasedAt++;
        }
        for (int at = releasedAt; at < released.size() && !liesBefore(range, released.get(at)); at++) {
            int first = Math.max(released.get(at).first(), range.first());
            int last = Math.min(released.get(at).last(), range.last());
            if (!found(range.namespaceId(), first, last)) {
                return false;
            }
        }
        return true;
    }

    private static boolean liesBefore(RouteRange one, RouteRange other) {
        return one.namespaceId() != other.namespaceId()
                ? one.namespaceId() < other.namespaceId()
                : one.last() < other.first();
    }

    private boolean found(int namespaceId, int first, int last) {
        return first > last || visitor.visit(namespaceId, first, last);
    }
}
