package io.seqsvr.core.alloc;

import java.util.ArrayList;
import java.util.List;

/** Turns freshly loaded segments into few events: one for each run of neighbours that began alike. */
final class LoadReport {
    private LoadReport() {}

    static List<AllocatorEvent> of(long session, List<Beginning.Loaded> loaded, long version) {
        var events = new ArrayList<AllocatorEvent>();
        int start = 0;
        for (int i = 1; i <= loaded.size(); i++) {
            if (i == loaded.size() || !loaded.get(i).continues(loaded.get(i - 1))) {
                var began = loaded.get(start).began();
                var first = loaded.get(start).claimed();
                events.add(new AllocatorEvent.SegmentsLoaded(
                        session,
                        first.segment().namespaceId(),
                        first.segment().index(),
                        loaded.get(i - 1).claimed().segment().index(),
                        first.epoch(),
                        version,
                        began));
                start = i;
            }
        }
        return events;
    }
}
