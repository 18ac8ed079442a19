package io.seqsvr.core.failover;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.share.Dealer;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import java.util.List;

/**
 * Whom to give the segments that have no living owner: a pure function of what is seen of the cluster. Each part of
 * them goes to the allocator that has least of what lies before it; nothing that has a living owner moves.
 */
public final class AssignmentPlan {
    private final long limit;
    private final Dealer dealer;
    private final RouteTable.Builder given = new RouteTable.Builder();
    private long planned;

    private AssignmentPlan(StoreView view, long limit) {
        this.limit = limit;
        this.dealer = new Dealer(
                view.routes().ranges(),
                view.receivers().stream().map(Member::id).toList());
    }

    /**
     * Plans the next moves.
     *
     * @param view what is seen of the cluster
     * @param limit segments at most
     * @return moves to publish against the view's table; empty if there is nothing to do or nobody to take it
     */
    public static List<Move> of(StoreView view, long limit) {
        // Mostly there is nothing to give, and then nobody counts who has how much.
        if (view.receivers().isEmpty() || Ownerless.noneIn(view)) {
            return List.of();
        }
        var plan = new AssignmentPlan(view, limit);
        boolean unused = Ownerless.visit(view, plan::give);
        return plan.given.build(0).ranges().stream()
                .map(run -> new Move(run.namespaceId(), run.first(), run.last(), run.owner()))
                .toList();
    }

    /** Whether every segment has a living owner. */
    public static boolean complete(StoreView view) {
        return !view.receivers().isEmpty() && Ownerless.noneIn(view);
    }

    private boolean give(int namespaceId, int first, int last) {
        int next = first;
        while (next <= last && planned < limit) {
            int end = (int) Math.min(Math.min(last, dealer.end(next)), next + (limit - planned) - 1);
            given.add(new RouteRange(namespaceId, next, end, dealer.deal(namespaceId, next, end), 0));
            planned += end - next + 1L;
            next = end + 1;
        }
        return planned < limit;
    }
}
