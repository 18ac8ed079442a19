package io.seqsvr.cli.bench.alloc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts what loads meet with: in a warm-up, in windows, and after the last one. Any thread may ask how far it is. */
final class Measurement {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    /** How finely calls at a rate are let go. */
    private static final long BETWEEN_WAKES_NANOS = 100_000;

    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** How long after the last window calls of it may leave and be answered. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Of a latency. */
    private static final int DIGITS = 3;

    private final AllocPlan plan;
    private final BenchTime time;
    private volatile double done;
    private volatile String soFar = "connecting";

    /** What was counted until a window ended; latencies may come later. */
    private record Counted(Histogram micros, long sequences, long requests, long start, long end) {
        private Window window() {
            return Window.of(micros, sequences, requests, end - start);
        }
    }

    Measurement(AllocPlan plan, BenchTime time) {
        this.plan = plan;
        this.time = time;
    }

    /** How far it is, from 0 to 1. */
    double progress() {
        return done;
    }

    /** What it does, and how fast that was in the last second. */
    String soFar() {
        return soFar;
    }

    /**
     * Measures; blocks.
     *
     * @param loads have been started; call no more afterwards
     * @param schedules theirs
     */
    AllocFigures of(List<Load> loads, List<Schedule> schedules) {
        var unused = run(loads, schedules, "warm-up", 0, plan.warmUpSeconds());
        long begin = time.nanos();
        schedules.forEach(schedule -> schedule.beginAnew(begin));
        loads.forEach(load -> load.tally().measure());
        var counted = new ArrayList<Counted>();
        for (int i = 0; i < plan.windows(); i++) {
            int before = plan.warmUpSeconds() + i * plan.seconds();
            var name = "window " + (i + 1) + " of " + plan.windows();
            counted.add(run(loads, schedules, name, before, plan.seconds()));
        }
        var last = counted.get(counted.size() - 1);
        awaitAnswers(loads, schedules, last.end());
        loads.forEach(load -> last.micros().add(load.tally().takeMicros()));
        var all = new Histogram(DIGITS);
        counted.forEach(window -> all.add(window.micros()));
        var windows = counted.stream().map(Counted::window).toList();
        var failures = new TreeMap<String, Long>();
        long backward = 0;
        long duplicates = 0;
        long unanswered = 0;
        for (var load : loads) {
            load.tally().errors().forEach((reason, count) -> failures.merge(reason, count, Long::sum));
            backward += load.backward();
            duplicates += load.duplicates();
            unanswered += load.underWay();
        }
        long unsent = plan.callsOfRequest() * left(schedules);
        if (unanswered > 0) {
            failures.merge("no answer", unanswered, Long::sum);
        }
        if (unsent > 0) {
            failures.merge("due but not sent", unsent, Long::sum);
        }
        if (windows.stream().anyMatch(window -> window.sequencesPerSecond() == 0)) {
            failures.merge("a window without a sequence", 1L, Long::sum);
        }
        return new AllocFigures(plan, windows, Percentile.of(all), failures, backward, duplicates);
    }

    /** Lets the loads run for some seconds, after so many others. */
    private Counted run(List<Load> loads, List<Schedule> schedules, String name, int secondsBefore, int seconds) {
        soFar = name;
        var micros = new Histogram(DIGITS);
        loads.forEach(load -> load.tally().takeMicros());
        long before = requests(loads);
        long answered = 0;
        long start = time.nanos();
        long end = start + 1;
        for (int second = 1; second <= seconds; second++) {
            waitUntil(loads, schedules, start + second * NANOS_PER_SECOND);
            end = time.nanos();
            answered = requests(loads) - before;
            long earlier = micros.getTotalCount();
            loads.forEach(load -> micros.add(load.tally().takeMicros()));
            done = (double) (secondsBefore + second) / (plan.warmUpSeconds() + plan.windows() * plan.seconds());
            soFar = String.format(Locale.ROOT, "%s  %,d sequences/s", name, micros.getTotalCount() - earlier);
        }
        return new Counted(micros, micros.getTotalCount(), answered, start, end);
    }

    private static long requests(List<Load> loads) {
        return loads.stream().mapToLong(load -> load.tally().requests()).sum();
    }

    private static long left(List<Schedule> schedules) {
        return schedules.stream().mapToLong(Schedule::left).sum();
    }

    private void waitUntil(List<Load> loads, List<Schedule> schedules, long end) {
        long left = end - time.nanos();
        while (left > 0) {
            if (plan.rate() > 0) {
                loads.forEach(Load::wake);
                time.pass(Math.min(left, Math.max(BETWEEN_WAKES_NANOS, untilNext(schedules))));
            } else {
                time.pass(left);
            }
            left = end - time.nanos();
        }
    }

    /** Whoever is woken for nothing takes a core from what is measured. */
    private long untilNext(List<Schedule> schedules) {
        long now = time.nanos();
        return schedules.stream()
                .mapToLong(schedule -> schedule.next() - now)
                .min()
                .orElse(0);
    }

    /**
     * What was due when the last window ended still leaves and is waited for: else a server that hangs in its end would
     * be spared just those calls which it kept waiting longest.
     */
    private void awaitAnswers(List<Load> loads, List<Schedule> schedules, long end) {
        soFar = "waiting for the last answers";
        schedules.forEach(schedule -> schedule.endAt(end));
        // What is left is looked at first: a request that was taken is under way by then.
        while ((left(schedules) > 0 || loads.stream().anyMatch(load -> load.underWay() > 0))
                && time.nanos() - end < PATIENCE_NANOS) {
            if (plan.rate() > 0) {
                loads.forEach(Load::wake);
            }
            time.pass(plan.rate() > 0 ? BETWEEN_WAKES_NANOS : BETWEEN_LOOKS_NANOS);
        }
        loads.forEach(Load::stop);
    }
}
