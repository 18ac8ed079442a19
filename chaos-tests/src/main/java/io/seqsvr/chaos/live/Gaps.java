package io.seqsvr.chaos.live;

import java.util.Map;
import java.util.TreeMap;

/** Numbers that were skipped, by cause. Not safe for several threads. */
public final class Gaps {
    Gaps() {}

    /** An answer was lost, or a call refused after it had taken its numbers. */
    static final String WITHOUT_ANSWER = "a call without an answer";
    /** No fault was at work: a lease ran out on a busy machine, say. */
    static final String CHANGE_OF_OWNER = "a change of owner";
    /** Nothing that was seen explains them. */
    public static final String UNEXPLAINED = "unexplained";

    /**
     * The gaps of one cause.
     *
     * @param gaps how many gaps of single users
     * @param numbers how many numbers were skipped in them
     */
    public record Sum(long gaps, long numbers) {
        Sum plus(Sum other) {
            return new Sum(gaps + other.gaps, numbers + other.numbers);
        }
    }

    private final Map<String, Sum> byCause = new TreeMap<>();

    void add(String cause, long gaps, long numbers) {
        byCause.merge(cause, new Sum(gaps, numbers), Sum::plus);
    }

    void addAll(Gaps others) {
        others.byCause.forEach((cause, sum) -> add(cause, sum.gaps(), sum.numbers()));
    }

    Map<String, Sum> byCause() {
        return Map.copyOf(byCause);
    }
}
