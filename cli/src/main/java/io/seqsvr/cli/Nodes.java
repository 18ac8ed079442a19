package io.seqsvr.cli;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import io.seqsvr.proto.rpc.HostPort;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Processes of a cluster, as a view shows them. */
final class Nodes {
    private Nodes() {}

    /**
     * The allocator that an operator means.
     *
     * @param named its name; else, if nobody has that name, its address; else its session
     */
    static Member allocator(StoreView view, String named) throws StoreFailure {
        // Names may be digits, and look like addresses: whoever has the name is meant, however many are older.
        List<Predicate<Member>> meanings = List.of(
                member -> member.name().equals(named),
                member -> member.address().equals(named),
                member -> Long.toString(member.id()).equals(named));
        for (var meant : meanings) {
            for (var member : view.sessions()) {
                if (member.kind() == SessionKind.ALLOCATOR && meant.test(member)) {
                    return member;
                }
            }
        }
        throw StoreFailure.refused("no allocator has the name, address or session '" + named
                + "'; 'seqsvr nodes' lists those with a session");
    }

    /** Where it serves; nothing if it says no address, as one that stands for those of a former life. */
    static Optional<HostPort> address(Member member) {
        return HostPort.reachable(member.address());
    }

    /** Who owns a segment: nobody if that session has ended, or gave the segment back. */
    static Optional<Member> owner(StoreView view, SegmentId segment) {
        if (view.released().find(segment.namespaceId(), segment.index()).isPresent()) {
            return Optional.empty();
        }
        return view.routes().find(segment.namespaceId(), segment.index()).flatMap(range -> view.session(range.owner()));
    }

    /** Segments that a session owns. */
    static long segments(StoreView view, long session) {
        return owned(view, range -> range.owner() == session);
    }

    /** Segments that a session owns, or gave back although others are there who get them in a moment. */
    static long notTaken(StoreView view, long session) {
        boolean others = view.receivers().stream().anyMatch(member -> member.id() != session);
        return segments(view, session) + (others ? givenBack(view, session) : 0);
    }

    /** Segments that a session gave back and nobody got since. */
    static long givenBack(StoreView view, long session) {
        return size(view.released(), range -> range.owner() == session);
    }

    /**
     * Segments of some ranges of the table without those that were given back: these keep their owner in the table, but
     * nobody serves them.
     */
    static long owned(StoreView view, Predicate<RouteRange> some) {
        return size(view.routes(), some) - size(view.released(), some);
    }

    private static long size(RouteTable table, Predicate<RouteRange> some) {
        long segments = 0;
        for (var range : table.ranges()) {
            segments += some.test(range) ? range.size() : 0;
        }
        return segments;
    }

    /** Whether it stays, as far as one can see. */
    static boolean isOpen(Member member) {
        return !member.expelled() && !member.leaving();
    }

    /** What becomes of it. */
    static String state(Member member) {
        if (member.expelled()) {
            return "expelled";
        }
        return isOpen(member) ? "open" : "leaving";
    }
}
