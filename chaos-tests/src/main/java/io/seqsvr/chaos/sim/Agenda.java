package io.seqsvr.chaos.sim;

import java.util.Arrays;

/**
 * Virtual time: everything that is to happen, in order, one thing after the other. What is due at one moment happens in
 * the order in which it was put down.
 *
 * <p>A heap of four branches over plain arrays: a simulated day is some ten million entries.
 */
final class Agenda {
    private static final int BRANCHES = 4;

    private long[] times = new long[256];
    private long[] orders = new long[256];
    /** Runnables. An array of that type would look up the type of each at every move. */
    private Object[] actions = new Object[256];

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
            int parent = (place - 1) / BRANCHES;
            // Whoever is here already was put down earlier.
            if (times[parent] <= due) {
                break;
            }
            move(parent, place);
            place = parent;
        }
        put(place, due, order++, action);
    }

    /** Puts down an action for {@code nanos} from now. */
    void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    /** Does what is due up to {@code end}; then it is {@code end}. */
    void runUntil(long end) {
        while (size > 0 && times[0] <= end) {
            now = times[0];
            var action = (Runnable) actions[0];
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
        for (int child = 1; child < size; child = BRANCHES * place + 1) {
            int first = firstOf(child, Math.min(child + BRANCHES, size));
            if (time < times[first] || (time == times[first] && last < orders[first])) {
                break;
            }
            move(first, place);
            place = first;
        }
        put(place, time, last, actions[size]);
    }

    private int firstOf(int from, int to) {
        int first = from;
        for (int place = from + 1; place < to; place++) {
            if (times[place] < times[first] || (times[place] == times[first] && orders[place] < orders[first])) {
                first = place;
            }
        }
        return first;
    }

    private void move(int from, int to) {
        put(to, times[from], orders[from], actions[from]);
    }

    private void put(int place, long time, long withOrder, Object action) {
        times[place] = time;
        orders[place] = withOrder;
        actions[place] = action;
    }
}
