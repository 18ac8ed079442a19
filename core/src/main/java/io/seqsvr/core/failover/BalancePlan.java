package io.seqsvr.core.failover;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.share.SharesSoFar;
import io.seqsvr.core.share.Stripes;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Which living owners hand segments over to which others, so that of every beginning of a namespace all own about as
 * much: a pure function of what is seen of the cluster. From the first segment on, a part moves only if its owner is
 * ahead of another one by more than a sixteenth of a share, or one segment; then it goes to who has least. What was
 * planned so is not planned again: it comes to rest, and leaves alone what an operator moved within that. As long as a
 * segment has no living owner there is no such plan.
 */
public final class BalancePlan {
    private final Map<Long, Member> receivers = new HashMap<>();
    private final SharesSoFar shares;
    private final Map<Pair, RouteTable.Builder> orders = new LinkedHashMap<>();
    private final Set<Long> tookNothing;
    private final Set<Long> triedAgain = new HashSet<>();
    private long left;
    private int namespaceId = Integer.MIN_VALUE;
    private long before;
    private long beforeNamespace;

    /**
     * What one owner is to hand over to one other session.
     *
     * @param owner session of the owner
     * @param to session of the receiver
     * @param segments in ranges of one owner and epoch
     */
    public record Order(Member owner, Member to, List<RouteRange> segments) {
        /** Keeps a copy. */
        public Order {
            segments = List.copyOf(segments);
        }
    }

    private record Pair(Member owner, Member to) {}

    private BalancePlan(List<Member> members, long limit, Set<Long> tookNothing) {
        members.forEach(member -> receivers.put(member.id(), member));
        this.shares = new SharesSoFar(receivers.keySet());
        this.left = limit;
        this.tookNothing = tookNothing;
    }

    /**
     * Plans.
     *
     * @param view what is seen of the cluster
     * @param limit segments at most
     * @param tookNothing receivers that took nothing when they were to: one part is tried again for each, and the rest
     *     of their shares takes nobody's place
     * @return orders; empty if all own about as much of every beginning, or something is without a living owner
     */
    public static List<Order> of(StoreView view, long limit, Set<Long> tookNothing) {
        var members = view.receivers();
        if (members.size() < 2 || !AssignmentPlan.complete(view)) {
            return List.of();
        }
        var plan = new BalancePlan(members, limit, tookNothing);
        view.routes().ranges().forEach(plan::look);
        return plan.orders.entrySet().stream()
                .map(order -> new Order(
                        order.getKey().owner(),
                        order.getKey().to(),
                        order.getValue().build(0).ranges()))
                .toList();
    }

    private void look(RouteRange range) {
        if (range.namespaceId() != namespaceId) {
            namespaceId = range.namespaceId();
            beforeNamespace = before;
            shares.beginNamespace();
        }
        var owner = receivers.get(range.owner());
        for (int first = range.first(); owner != null && left > 0 && first <= range.last(); ) {
            int end = Math.min(range.last(), Stripes.end(first, receivers.size()));
            end = (int) Math.min(end, first + left - 1);
            look(owner, new RouteRange(namespaceId, first, end, range.owner(), range.epoch()));
            first = end + 1;
        }
    }

    private void look(Member owner, RouteRange part) {
        long stays = owner.id();
        if (shares.isAhead(owner.id(), before - beforeNamespace, before)) {
            stays = shares.least();
            if (!tookNothing.contains(stays) || triedAgain.add(stays)) {
                orders.computeIfAbsent(
                                new Pair(owner, Objects.requireNonNull(receivers.get(stays))),
                                first -> new RouteTable.Builder())
                        .add(part);
                left -= part.size();
            }
        }
        shares.count(stays, part.size());
        before += part.size();
    }
}
