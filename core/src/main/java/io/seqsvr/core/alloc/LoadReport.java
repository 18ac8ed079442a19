package io.seqsvr.core.alloc;

import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import java.util.ArrayList;
import java.util.List;

/** Turns freshly loaded segments into few events: one for each run of neighbours with one epoch. */
final class LoadReport {
    private LoadReport() {}

    static List<AllocatorEvent> of(long session, List<ClaimedSegment> loaded, long version) {
        var events = new ArrayList<AllocatorEvent>();
        int start = 0;
        for (int i = 1; i <= loaded.size(); i++) {
            if (i == loaded.size() || !continues(loaded.get(i - 1), loaded.get(i))) {
                var first = loaded.get(start);
                events.add(new AllocatorEvent.SegmentsLoaded(
                        session,
                        first.segment().namespaceId(),
                        first.segment().index(),
                        loaded.get(i - 1).segment().index(),
                        first.epoch(),
                        version));
                start = i;
            }
        }
        return events;
    }

    private static boolean continues(ClaimedSegment before, ClaimedSegment next) {
        return before.segment().namespaceId() == next.segment().namespaceId()
                && before.segment().index() + 1 == next.segment().index()
                && before.epoch() == next.epoch();
    }
}
