package io.seqsvr.core.alloc;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Whom an allocator that stops gives its segments to: those with the fewest segments are filled up to an equal share,
 * each with a run as long as possible. A pure function of what is seen of the cluster; a wrong picture costs a refusal.
 */
final class Heirs {
    private Heirs() {}

    /**
     * Divides segments.
     *
     * @param view what is seen of the cluster
     * @param willing which sessions may be given something: not that of the allocator that stops
     * @param segments what it owns
     * @return what each receiver is to get, by session; empty if there is no receiver
     */
    static Map<Long, List<SegmentId>> of(StoreView view, LongPredicate willing, List<SegmentId> segments) {
        var receivers =
                view.receivers().stream().map(Member::id).filter(willing::test).toList();
        var shares = new LinkedHashMap<Long, List<SegmentId>>();
        if (receivers.isEmpty()) {
            return shares;
        }
        var owned = new HashMap<Long, Long>();
        for (var range : view.routes().ranges()) {
            owned.merge(range.owner(), (long) range.size(), Long::sum);
        }
        long all = segments.size();
        for (long receiver : receivers) {
            all += owned.getOrDefault(receiver, 0L);
        }
        long share = (all - 1) / receivers.size() + 1;
        var rest = segments.stream().sorted().toList();
        int next = 0;
        for (long receiver : leastFirst(receivers, owned)) {
            long room = Math.max(0, share - owned.getOrDefault(receiver, 0L));
            int end = (int) Math.min(rest.size(), next + room);
            if (end > next) {
                shares.put(receiver, rest.subList(next, end));
            }
            next = end;
        }
        return shares;
    }

    private static List<Long> leastFirst(List<Long> receivers, Map<Long, Long> owned) {
        var sorted = new ArrayList<>(receivers);
        sorted.sort(Comparator.comparingLong(receiver -> owned.getOrDefault(receiver, 0L)));
        return sorted;
    }
}
