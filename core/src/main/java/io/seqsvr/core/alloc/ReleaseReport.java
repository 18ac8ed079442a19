package io.seqsvr.core.alloc;

import io.seqsvr.core.store.StoreCommand.Sealed;
import java.util.ArrayList;
import java.util.List;

/** What an answered hand-over or release is reported as: neighbours with one epoch are one event. */
final class ReleaseReport {
    private ReleaseReport() {}

    static List<AllocatorEvent> of(long session, List<Sealed> gone) {
        var events = new ArrayList<AllocatorEvent>();
        var sorted = new ArrayList<>(gone);
        sorted.sort((one, other) -> one.segment().compareTo(other.segment()));
        int start = 0;
        for (int i = 1; i <= sorted.size(); i++) {
            if (i == sorted.size() || !continues(sorted.get(i - 1), sorted.get(i))) {
                events.add(event(session, sorted.subList(start, i)));
                start = i;
            }
        }
        return events;
    }

    private static AllocatorEvent event(long session, List<Sealed> neighbours) {
        var first = neighbours.get(0);
        long high = neighbours.stream().mapToLong(Sealed::high).max().orElseThrow();
        return new AllocatorEvent.SegmentsReleased(
                session,
                first.segment().namespaceId(),
                first.segment().index(),
                neighbours.get(neighbours.size() - 1).segment().index(),
                first.epoch(),
                high);
    }

    private static boolean continues(Sealed before, Sealed next) {
        return before.segment().namespaceId() == next.segment().namespaceId()
                && before.segment().index() + 1 == next.segment().index()
                && before.epoch() == next.epoch();
    }
}
