package io.seqsvr.chaos.sim;

import java.util.Arrays;

/**
 * Virtual time: everything that is to happen, in order, one thing after the other. What is due at one moment happens in
 * the order in which it was put down.
 *
 * <p>A binary heap over plain arrays: a simulated day is some ten million entries.
 */
final class Agenda {
    private long[] times = new long[256];
    private long[] orders = new long[256];
    private Runnable[] actions = new Runnable[256];
    private int size;
    private long order;
    private long now;

    /** Nanoseconds since the beginning. */
    long now() {
        return now;
    }

    /** Puts down an action; one for the past happens next. */
    void at(long time, Runnable action) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            orders = Arrays.copyOf(orders, 2 * size);
            actions = Arrays.copyOf(actions, 2 * size);
        }
        long due = Math.max(time, now);
        int place = size++;
        while (place > 0) {
            int parent = (place - 1) >> 1;
            if (times[parent] <= due) {
                break;
            }
            move(parent, place);
            place = parent;
        }
        times[place] = due;
        orders[place] = order++;
        actions[place] = action;
    }

    /** Puts down an action for {@code nanos} from now. */
    void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    /** Does what is due up to {@code end}; then it is {@code end}. */
    void runUntil(long end) {
        while (size > 0 && times[0] <= end) {
            now = times[0];
            var action = actions[0];
            removeFirst();
            action.run();
        }
        now = end;
    }

    private void removeFirst() {
        size--;
        long time = times[size];
        long last = orders[size];
        int place = 0;
        for (int child = 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size && isBefore(times[child + 1], orders[child + 1], child)) {
                child++;
            }
            if (isBefore(time, last, child)) {
                break;
            }
            move(child, place);
            place = child;
        }
        times[place] = time;
        orders[place] = last;
        actions[place] = actions[size];
    }

    private boolean isBefore(long time, long withOrder, int place) {
        return time < times[place] || (time == times[place] && withOrder < orders[place]);
    }

    private void move(int from, int to) {
        times[to] = times[from];
        orders[to] = orders[from];
        actions[to] = actions[from];
    }
}
