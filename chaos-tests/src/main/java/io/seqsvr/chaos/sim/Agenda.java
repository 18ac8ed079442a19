package io.seqsvr.chaos.sim;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: everything that is to happen, in order, one thing after the other. What is due at one moment happens in
 * the order in which it was put down.
 *
 * <p>A sorted list: in a cluster a dozen actions are put down at once, and most new ones, the messages, are due before
 * almost all of them. So a new one finds its place after a few steps, and the next one is at hand. Only where thousands
 * pile up, behind an outage, would steps become many: what has not found its place by then goes to a queue.
 */
final class Agenda {
    private static final int STEPS = 48;

    /** Stands before all others of the list. */
    private final Entry head = new Entry(Long.MIN_VALUE, 0, null, Machine.ANY_LIFE, () -> {});

    /** What is not in the list. */
    private final PriorityQueue<Entry> queue = new PriorityQueue<>();

    private long order;
    private long now;

    private static final class Entry implements Comparable<Entry> {
        final long time;
        final long order;

        @Nullable
        final Machine machine;

        final int life;
        final Runnable action;

        @Nullable
        Entry next;

        Entry(long time, long order, @Nullable Machine machine, int life, Runnable action) {
            this.time = time;
            this.order = order;
            this.machine = machine;
            this.life = life;
            this.action = action;
        }

        void happen() {
            if (machine == null) {
                action.run();
            } else {
                machine.run(life, action);
            }
        }

        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** Nanoseconds since the beginning. */
    long now() {
        return now;
    }

    /** How many actions have been put down so far. */
    long count() {
        return order;
    }

    /** Puts down an action; one for the past happens next. */
    void at(long time, Runnable action) {
        at(time, null, Machine.ANY_LIFE, action);
    }

    /**
     * The same for what happens in a process. Most is of that kind: so an entry says where, in place of an action
     * around the action.
     *
     * @param machine where the process runs; null for what happens in none
     * @param life of the process, as in {@link Machine#run}
     */
    void at(long time, @Nullable Machine machine, int life, Runnable action) {
        var entry = new Entry(Math.max(time, now), order++, machine, life, action);
        var before = head;
        for (int step = 0; step < STEPS; step++) {
            var after = before.next;
            // Who is due at the same moment was put down earlier.
            if (after == null || after.time > entry.time) {
                entry.next = after;
                before.next = entry;
                return;
            }
            before = after;
        }
        queue.add(entry);
    }

    /** Puts down an action for {@code nanos} from now. */
    void after(long nanos, Runnable action) {
        at(now + nanos, null, Machine.ANY_LIFE, action);
    }

    /** Does what is due up to {@code end}; then it is {@code end}. */
    void runUntil(long end) {
        for (var first = first(); first != null && first.time <= end; first = first()) {
            if (first == head.next) {
                head.next = first.next;
            } else {
                queue.remove();
            }
            now = first.time;
            first.happen();
        }
        now = end;
    }

    private @Nullable Entry first() {
        var listed = head.next;
        var queued = queue.peek();
        return queued == null || (listed != null && listed.compareTo(queued) < 0) ? listed : queued;
    }
}
