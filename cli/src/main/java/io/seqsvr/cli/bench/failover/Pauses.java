package io.seqsvr.cli.bench.failover;

import io.seqsvr.cli.bench.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** How long users had to wait: the longest wait of each of them in each round. */
final class Pauses {
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<Long> nanos = new ArrayList<>();
    private final List<Double> longestOfRounds = new ArrayList<>();

    /** A round is over. */
    void add(LongStream longestWaits) {
        var waits = longestWaits.boxed().toList();
        nanos.addAll(waits);
        longestOfRounds.add(waits.stream().mapToLong(Long::longValue).max().orElse(0) / NANOS_PER_MILLI);
    }

    /** The longest of the last round, in milliseconds. */
    double last() {
        return longestOfRounds.get(longestOfRounds.size() - 1);
    }

    /** Of so many hundredths of them none was longer, in milliseconds; 0 if there are none. */
    double percentile(double hundredths) {
        if (nanos.isEmpty()) {
            return 0;
        }
        var sorted = nanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        int place = (int) Math.ceil(hundredths / 100 * sorted.length) - 1;
        return sorted[Math.max(0, place)] / NANOS_PER_MILLI;
    }

    /** Puts them down. */
    void putInto(Figures figures, String key, String words) {
        figures.put(key + "_p50_ms", words + ", median ms", percentile(50));
        figures.put(key + "_p99_ms", words + ", 99 % ms", percentile(99));
        figures.put(key + "_max_ms", words + ", longest ms", percentile(100));
        figures.put(key + "_ms", words + ", longest of each round, ms", longestOfRounds);
    }
}
