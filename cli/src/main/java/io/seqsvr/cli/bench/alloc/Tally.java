package io.seqsvr.cli.bench.alloc;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** What one connection met with. One thread counts answers; any may count errors, and look. */
final class Tally {
    private static final int DIGITS = 3;

    private final SingleWriterRecorder micros = new SingleWriterRecorder(DIGITS);
    private final AtomicLong requests = new AtomicLong();
    private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();
    private volatile boolean measuring;

    /** A request was answered, with as many sequences, so long after it was due. */
    void answered(int sequences, long nanos) {
        requests.setOpaque(requests.getPlain() + 1);
        if (sequences > 0) {
            micros.recordValueWithCount(Math.max(0, nanos / 1_000), sequences);
        }
    }

    /** So many calls got no sequence, for that reason; not counted before the first window. */
    void failed(String reason, long calls) {
        if (measuring) {
            errors.computeIfAbsent(reason, first -> new LongAdder()).add(calls);
        }
    }

    /** The first window begins. */
    void measure() {
        measuring = true;
    }

    /** Requests answered since the beginning. */
    long requests() {
        return requests.getOpaque();
    }

    /** Latencies of all sequences since the last look, in microseconds. */
    Histogram takeMicros() {
        return micros.getIntervalHistogram();
    }

    /** Errors so far, by reason. */
    Map<String, Long> errors() {
        var all = new TreeMap<String, Long>();
        errors.forEach((reason, count) -> all.put(reason, count.sum()));
        return all;
    }
}
