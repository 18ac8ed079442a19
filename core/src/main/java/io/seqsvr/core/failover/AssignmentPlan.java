package io.seqsvr.core.failover;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whom to give the segments that have no living owner: a pure function of what is seen of the cluster.
 *
 * <p>Every living allocator is filled up to an equal share, in runs as long as possible; nothing that has a living
 * owner moves.
 */
public final class AssignmentPlan {
    private final StoreView view;
    private final long limit;
    private final List<Member> receivers;
    /** Segments that each receiver may still take, by session; nothing before the first segment is given away. */
    private final Map<Long, Long> room = new TreeMap<>();

    private final List<Move> moves = new ArrayList<>();
    private long planned;
    /** The first range given back that does not lie before what was looked at: both lists have one order. */
    private int releasedAt;

    private AssignmentPlan(StoreView view, long limit, List<Member> receivers) {
        this.view = view;
        this.limit = limit;
        this.receivers = receivers;
    }

    /**
     * Plans the next moves.
     *
     * @param view what is seen of the cluster
     * @param limit segments at most
     * @return moves to publish against the view's table; empty if there is nothing to do or nobody to take it
     */
    public static List<Move> of(StoreView view, long limit) {
        var receivers = view.receivers();
        return receivers.isEmpty() ? List.of() : new AssignmentPlan(view, limit, receivers).plan();
    }

    /** Whether every segment has a living owner. */
    public static boolean complete(StoreView view) {
        return !view.receivers().isEmpty() && of(view, 1).isEmpty();
    }

    private List<Move> plan() {
        var ranges = view.routes().ranges();
        int place = 0;
        for (var namespace : view.namespaces()) {
            int next = 0;
            while (place < ranges.size() && ranges.get(place).namespaceId() < namespace.id()) {
                place++;
            }
            for (; place < ranges.size() && ranges.get(place).namespaceId() == namespace.id(); place++) {
                var range = ranges.get(place);
                give(namespace.id(), next, range.first() - 1);
                if (view.session(range.owner()).isEmpty()) {
                    give(namespace.id(), range.first(), range.last());
                } else {
                    giveReleased(range);
                }
                next = range.last() + 1;
            }
            give(namespace.id(), next, namespace.segmentCount() - 1);
        }
        return moves;
    }

    /** What each receiver may take to come to an equal share. Mostly there is nothing to give, and nobody asks. */
    private void makeRoom() {
        long total = 0;
        for (var namespace : view.namespaces()) {
            total += namespace.segmentCount();
        }
        long share = (total - 1) / receivers.size() + 1;
        receivers.forEach(session -> room.put(session.id(), share));
        for (var range : view.routes().ranges()) {
            room.computeIfPresent(range.owner(), (session, left) -> left - range.size());
        }
    }

    /** What a living owner gave back, run by run. */
    private void giveReleased(RouteRange range) {
        var released = view.released().ranges();
        while (releasedAt < released.size() && liesBefore(released.get(releasedAt), range)) {
            releasedAt++;
        }
        for (int at = releasedAt; at < released.size() && !liesBefore(range, released.get(at)); at++) {
            give(
                    range.namespaceId(),
                    Math.max(released.get(at).first(), range.first()),
                    Math.min(released.get(at).last(), range.last()));
        }
    }

    private static boolean liesBefore(RouteRange one, RouteRange other) {
        return one.namespaceId() != other.namespaceId()
                ? one.namespaceId() < other.namespaceId()
                : one.last() < other.first();
    }

    private void give(int namespaceId, int first, int last) {
        int next = first;
        while (next <= last && planned < limit) {
            if (room.isEmpty()) {
                makeRoom();
            }
            var receiver = Collections.max(room.entrySet(), Map.Entry.comparingByValue());
            long size = Math.min(last - next + 1L, limit - planned);
            if (receiver.getValue() > 0) {
                size = Math.min(size, receiver.getValue());
            }
            int end = (int) (next + size - 1);
            moves.add(new Move(namespaceId, next, end, receiver.getKey()));
            receiver.setValue(receiver.getValue() - size);
            planned += size;
            next = end + 1;
        }
    }
}
