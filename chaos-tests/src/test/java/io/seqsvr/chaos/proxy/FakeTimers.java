package io.seqsvr.chaos.proxy;

import java.time.Duration;
import java.util.PriorityQueue;

/** Time that passes when a test says so. */
final class FakeTimers implements Timers {
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private long nowNanos;
    private long set;

    private record Alarm(long dueNanos, long number, Runnable work) implements Comparable<Alarm> {
        @Override
        public int compareTo(Alarm other) {
            int byTime = Long.compare(dueNanos, other.dueNanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    @Override
    public Runnable after(long delayNanos, Runnable work) {
        var alarm = new Alarm(nowNanos + delayNanos, set++, work);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    }

    /** How many have been set and neither run nor been taken back. */
    int pending() {
        return alarms.size();
    }

    /** Lets time pass, and everything happen that is due by then. */
    void pass(Duration time) {
        long until = nowNanos + time.toNanos();
        while (!alarms.isEmpty() && alarms.peek().dueNanos() <= until) {
            var next = alarms.remove();
            nowNanos = next.dueNanos();
            next.work().run();
        }
        nowNanos = until;
    }
}
