package io.seqsvr.cli;

import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import io.seqsvr.proto.rpc.HostPort;

/** Processes of a cluster, as a view shows them. */
final class Nodes {
    private Nodes() {}

    /**
     * The allocator that an operator means.
     *
     * @param named its name, its address or its session
     */
    static Member allocator(StoreView view, String named) throws StoreFailure {
        for (var member : view.sessions()) {
            if (member.kind() == SessionKind.ALLOCATOR
                    && (member.name().equals(named)
                            || member.address().equals(named)
                            || Long.toString(member.id()).equals(named))) {
                return member;
            }
        }
        throw StoreFailure.refused("no allocator has the name, address or session '" + named
                + "'; 'seqsvr nodes' lists those with a session");
    }

    /** Where it serves. */
    static HostPort address(Member member) {
        return HostPort.parse(member.address());
    }

    /** Segments that the table gives to a session. */
    static long segments(StoreView view, long session) {
        long segments = 0;
        for (var range : view.routes().ranges()) {
            segments += range.owner() == session ? range.size() : 0;
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
