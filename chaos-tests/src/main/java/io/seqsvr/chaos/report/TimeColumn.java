package io.seqsvr.chaos.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Some seconds of a run that share one place in a chart, which keeps the worst of them.
 *
 * @param fromSecond the first of them
 * @param seconds how many they are, from 1
 * @param answered answers per second, their mean
 * @param leastAnswered answers in the second that had the fewest
 * @param mostRefused refusals in the second that had the most
 * @param mostUnknown calls without an answer, in the second that had the most
 * @param p50Micros the mean of the seconds' medians, in microseconds; 0 if there was no answer
 * @param p99Micros the greatest of them
 * @param maxMicros the slowest answer
 */
record TimeColumn(
        int fromSecond,
        int seconds,
        double answered,
        long leastAnswered,
        long mostRefused,
        long mostUnknown,
        long p50Micros,
        long p99Micros,
        long maxMicros) {
    /**
     * Of a timeline; where nothing was watched there is none.
     *
     * @param most how many there may be, if every second was watched
     */
    static List<TimeColumn> of(List<Second> timeline, int most) {
        int last = timeline.stream().mapToInt(Second::second).max().orElse(0);
        int width = last / most + 1;
        var columns = new ArrayList<TimeColumn>();
        var together = new ArrayList<Second>();
        for (var second : timeline) {
            if (!together.isEmpty() && together.get(0).second() / width != second.second() / width) {
                columns.add(of(width, together));
                together.clear();
            }
            together.add(second);
        }
        if (!together.isEmpty()) {
            columns.add(of(width, together));
        }
        return columns;
    }

    private static TimeColumn of(int width, List<Second> seconds) {
        return new TimeColumn(
                seconds.get(0).second() / width * width,
                width,
                seconds.stream().mapToLong(Second::answered).average().orElse(0),
                seconds.stream().mapToLong(Second::answered).min().orElse(0),
                most(seconds, Second::refused),
                most(seconds, Second::unknown),
                Math.round(seconds.stream()
                        .mapToLong(Second::p50Micros)
                        .filter(micros -> micros > 0)
                        .average()
                        .orElse(0)),
                most(seconds, Second::p99Micros),
                most(seconds, Second::maxMicros));
    }

    private static long most(List<Second> seconds, ToLongFunction<Second> figure) {
        return seconds.stream().mapToLong(figure).max().orElse(0);
    }
}
