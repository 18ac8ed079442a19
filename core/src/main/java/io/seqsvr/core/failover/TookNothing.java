package io.seqsvr.core.failover;

import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which receivers took nothing of what they were to be handed when it was ordered last: their memory is full, or they
 * and the owner do not reach each other. What is meant for them must not keep others waiting for theirs.
 */
final class TookNothing {
    /** What each receiver owned when something was ordered for it. */
    private Map<Long, Long> ownedBefore = Map.of();

    /** Those that own no more now than they did. */
    Set<Long> seenIn(StoreView view) {
        var owned = owned(view);
        return ownedBefore.entrySet().stream()
                .filter(before -> owned.getOrDefault(before.getKey(), 0L) <= before.getValue())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Orders are given in that view. */
    void ordered(List<BalancePlan.Order> orders, StoreView view) {
        var owned = owned(view);
        ownedBefore = orders.stream()
                .map(order -> order.to().id())
                .distinct()
                .collect(Collectors.toMap(to -> to, to -> owned.getOrDefault(to, 0L)));
    }

    private static Map<Long, Long> owned(StoreView view) {
        var owned = new HashMap<Long, Long>();
        for (RouteRange range : view.routes().ranges()) {
            owned.merge(range.owner(), (long) range.size(), Long::sum);
        }
        return owned;
    }
}
