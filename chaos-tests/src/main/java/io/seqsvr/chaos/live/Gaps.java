package io.seqsvr.chaos.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    /**
     * Where the numbers are that an owner left out when it began.
     *
     * @param words what was at work
     * @param episode its number in the log of faults, 0 where none was
     * @param sinceNanos when the call began that brought the last number of the owner before
     */
    record Change(String words, int episode, long sinceNanos) {}

    /**
     * Numbers that one user never got, and nothing explains it.
     *
     * @param uid the user
     * @param first the smallest
     * @param last the greatest
     * @param seenNanos when a greater one was answered
     */
    record Unexplained(long uid, long first, long last, long seenNanos) {
        private String words(long begunNanos) {
            return String.format(
                    Locale.ROOT,
                    "user %s never got %d to %d, as showed %.1f s after the beginning",
                    Long.toUnsignedString(uid),
                    first,
                    last,
                    (seenNanos - begunNanos) / 1e9);
        }
    }

    private static final int TOLD = 5;

    private final List<Unexplained> unexplained = new ArrayList<>();
    private final Map<String, Sum> byCause = new TreeMap<>();
    private final Map<Integer, Sum> byEpisode = new TreeMap<>();
    private final Map<Integer, Sum> givenUp = new TreeMap<>();

    void add(String cause, Sum sum) {
        byCause.merge(cause, sum, Sum::plus);
    }

    void add(Change change, Sum sum) {
        add(change.words(), sum);
        byEpisode.merge(change.episode(), sum, Sum::plus);
    }

    /** At that change of owner calls were given up, whose numbers they may be. */
    void addGivenUp(Change change, Sum sum) {
        add(WITHOUT_ANSWER, sum);
        givenUp.merge(change.episode(), sum, Sum::plus);
    }

    void add(Unexplained one, Sum sum) {
        add(UNEXPLAINED, sum);
        tell(one);
    }

    private void tell(Unexplained one) {
        if (unexplained.size() < TOLD) {
            unexplained.add(one);
        }
    }

    void addAll(Gaps others) {
        others.unexplained.forEach(this::tell);
        others.byCause.forEach(this::add);
        others.byEpisode.forEach((episode, sum) -> byEpisode.merge(episode, sum, Sum::plus));
        others.givenUp.forEach((episode, sum) -> givenUp.merge(episode, sum, Sum::plus));
    }

    /** Of those that a fault explains, by its number in the log; 0 where owners changed and none was at work. */
    Map<Integer, Sum> byEpisode() {
        return Map.copyOf(byEpisode);
    }

    /** Of those that may be of calls that were given up where owners changed, by the number of the fault at work. */
    Map<Integer, Sum> givenUpByEpisode() {
        return Map.copyOf(givenUp);
    }

    /** The first of those that nothing explains, in words, by the time since the run began. */
    List<String> unexplained(long begunNanos) {
        return unexplained.stream().map(gap -> gap.words(begunNanos)).toList();
    }

    Map<String, Sum> byCause() {
        return Map.copyOf(byCause);
    }
}
