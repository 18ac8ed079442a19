package io.seqsvr.cli.bench.alloc;

import org.HdrHistogram.Histogram;

/**
 * What was measured in one window.
 *
 * @param sequencesPerSecond sequences received
 * @param callsPerSecond requests answered: calls, messages or frames
 * @param p50Micros median of the latencies of all sequences
 * @param p99Micros their 99 %
 * @param p999Micros their 99.9 %
 * @param maxMicros the longest
 */
record Window(
        double sequencesPerSecond,
        double callsPerSecond,
        double p50Micros,
        double p99Micros,
        double p999Micros,
        double maxMicros) {
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * Of what was counted.
     *
     * @param micros latencies, in the last window also of what was answered after its end
     * @param sequences received in the window
     * @param requests answered in the window
     * @param nanos how long it was
     */
    static Window of(Histogram micros, long sequences, long requests, long nanos) {
        return new Window(
                sequences * NANOS_PER_SECOND / nanos,
                requests * NANOS_PER_SECOND / nanos,
                micros.getValueAtPercentile(50),
                micros.getValueAtPercentile(99),
                micros.getValueAtPercentile(99.9),
                micros.getMaxValue());
    }
}
