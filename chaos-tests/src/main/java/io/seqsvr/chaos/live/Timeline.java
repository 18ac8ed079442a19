package io.seqsvr.chaos.live;

import io.seqsvr.chaos.report.Second;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What was seen in each second. Whoever tells something a little late is counted where the others are: seconds are
 * told in order. Safe for use by many threads.
 */
final class Timeline {
    private static final int DIGITS = 2;
    private static final double HALF = 50;
    private static final double NEARLY_ALL = 99;
    private static final int QUICK_SECONDS = 3;
    private static final long QUICK_MICROS = 25_000;

    private final long begunNanos;
    private final List<Second> seconds = new ArrayList<>();
    private final Histogram micros = new Histogram(DIGITS);
    private int second;
    private long refused;
    private long unknown;

    Timeline(long begunNanos) {
        this.begunNanos = begunNanos;
    }

    long begunNanos() {
        return begunNanos;
    }

    synchronized void answered(long nowNanos, long tookNanos) {
        turn(nowNanos);
        micros.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(tookNanos)));
    }

    synchronized void refused(long nowNanos) {
        turn(nowNanos);
        refused++;
    }

    synchronized void unknown(long nowNanos) {
        turn(nowNanos);
        unknown++;
    }

    /** All seconds that are over, and the one that is not. */
    synchronized List<Second> seconds() {
        var all = new ArrayList<>(seconds);
        all.add(current());
        return all;
    }

    /** Whether half of the answers came at once in each of the last seconds: nobody waits for a processor any more. */
    synchronized boolean isQuick() {
        return seconds.size() >= QUICK_SECONDS
                && seconds.subList(seconds.size() - QUICK_SECONDS, seconds.size()).stream()
                        .allMatch(last -> last.answered() > 0 && last.p50Micros() <= QUICK_MICROS);
    }

    private void turn(long nowNanos) {
        long now = TimeUnit.NANOSECONDS.toSeconds(nowNanos - begunNanos);
        for (; second < now; second++) {
            seconds.add(current());
            micros.reset();
            refused = 0;
            unknown = 0;
        }
    }

    private Second current() {
        return new Second(
                second,
                micros.getTotalCount(),
                refused,
                unknown,
                micros.getValueAtPercentile(HALF),
                micros.getValueAtPercentile(NEARLY_ALL),
                micros.getMaxValue());
    }
}
