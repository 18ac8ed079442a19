package io.seqsvr.core.alloc;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Virtual time: everything that is to happen, in order, one thing after the other. */
final class Agenda {
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::order));
    private long now;
    private long order;

    private record Entry(long at, long order, Runnable action) {}

    long now() {
        return now;
    }

    void at(long time, Runnable action) {
        order++;
        entries.add(new Entry(Math.max(time, now), order, action));
    }

    void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    /** Again and again, until the end, in pauses of up to twice the time. */
    void about(long nanos, SplittableRandom random, Runnable action) {
        after(random.nextLong(2 * nanos), () -> {
            action.run();
            about(nanos, random, action);
        });
    }

    void runUntil(long end) {
        while (!entries.isEmpty() && entries.element().at() <= end) {
            var entry = entries.remove();
            now = entry.at();
            entry.action().run();
        }
        now = end;
    }
}
