package io.seqsvr.chaos.sim;

import org.jspecify.annotations.Nullable;

/**
 * Virtual time: everything that is to happen, in order, one thing after the other. What is due at one moment happens in
 * the order in which it was put down.
 *
 * <p>A sorted list: in a cluster a dozen actions are put down at once, and most new ones, the messages, are due before
 * almost all of them. So a new one finds its place after a few steps, and the next one is at hand.
 */
final class Agenda {
    /** Stands before all others. */
    private final Entry head = new Entry(Long.MIN_VALUE, () -> {}, null);

    private long now;

    private static final class Entry {
        final long time;
        final Runnable action;

        @Nullable
        Entry next;

        Entry(long time, Runnable action, @Nullable Entry next) {
            this.time = time;
            this.action = action;
            this.next = next;
        }
    }

    /** Nanoseconds since the beginning. */
    long now() {
        return now;
    }

    /** Puts down an action; one for the past happens next. */
    void at(long time, Runnable action) {
        long due = Math.max(time, now);
        var before = head;
        var after = head.next;
        // Who is due at the same moment was put down earlier.
        while (after != null && after.time <= due) {
            before = after;
            after = after.next;
        }
        before.next = new Entry(due, action, after);
    }

    /** Puts down an action for {@code nanos} from now. */
    void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    /** Does what is due up to {@code end}; then it is {@code end}. */
    void runUntil(long end) {
        for (var first = head.next; first != null && first.time <= end; first = head.next) {
            head.next = first.next;
            now = first.time;
            first.action.run();
        }
        now = end;
    }
}
