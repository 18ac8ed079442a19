package io.seqsvr.core.alloc;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.share.Dealer;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Whom an allocator that stops gives its segments to: each part to whoever has least of what lies before it. A pure
 * function of what is seen of the cluster; a wrong picture costs a refusal.
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
        var dealer = new Dealer(view.routes().ranges(), receivers);
        var rest = segments.stream().sorted().toList();
        for (int next = 0; next < rest.size(); ) {
            int end = endOfPart(rest, next, dealer);
            var part = rest.subList(next, end);
            long receiver = dealer.deal(
                    part.get(0).namespaceId(),
                    part.get(0).index(),
                    part.get(part.size() - 1).index());
            shares.computeIfAbsent(receiver, first -> new ArrayList<>()).addAll(part);
            next = end;
        }
        return shares;
    }

    /** Behind the neighbours of a segment that lie in one part with it. */
    private static int endOfPart(List<SegmentId> segments, int from, Dealer dealer) {
        var first = segments.get(from);
        int last = dealer.end(first.index());
        int end = from + 1;
        while (end < segments.size()
                && segments.get(end).namespaceId() == first.namespaceId()
                && segments.get(end).index() == first.index() + (end - from)
                && segments.get(end).index() <= last) {
            end++;
        }
        return end;
    }
}
