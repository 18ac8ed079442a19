package io.seqsvr.chaos.live;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Spans in which a user asked one way and nobody answered. Not safe for several threads. */
public final class Silences {
    Silences() {}

    /** Shorter ones are the time that answers take: they count for the longest alone. */
    static final Duration WORTH_A_LINE = Duration.ofMillis(250);

    /** Where no fault was at work. */
    public static final String NO_FAULT = "no fault";

    private static final int NO_EPISODE = 0;

    /**
     * One silence.
     *
     * @param uid who waited
     * @param since when it began, after the fault that explains it had; before it if negative, zero without one
     * @param nanos for how long
     * @param pausedNanos for how much of that the program that asks stood still itself
     * @param cause which fault explains it, or {@link #NO_FAULT}
     * @param episode number of that fault, or 0
     * @param failures how the calls failed that ended in it
     * @param epochs under whom the user was served before and after it
     */
    public record Silence(
            long uid,
            Duration since,
            long nanos,
            long pausedNanos,
            String cause,
            int episode,
            Failures failures,
            Epochs epochs) {
        /** What was under way when that began may have to be given up first. */
        private static final Duration GIVEN_UP_WITHIN = Duration.ofSeconds(1);

        private static final double MILLIS_OF_SECOND = 1e3;

        static Silence of(
                long uid,
                long fromNanos,
                long toNanos,
                long pausedNanos,
                Optional<FaultLog.Episode> cause,
                Failures failures,
                Epochs epochs) {
            return new Silence(
                    uid,
                    Duration.ofNanos(
                            cause.map(fault -> fromNanos - fault.begunNanos()).orElse(0L)),
                    toNanos - fromNanos,
                    pausedNanos,
                    cause.map(FaultLog.Episode::name).orElse(NO_FAULT),
                    cause.map(FaultLog.Episode::number).orElse(NO_EPISODE),
                    failures,
                    epochs);
        }

        /** For how long the cluster is to blame at least. */
        public long blamedNanos() {
            return pausedNanos == 0 ? nanos : Math.max(0, nanos - pausedNanos - GIVEN_UP_WITHIN.toNanos());
        }

        /** For people: what may tell why. */
        public String words() {
            var when = episode == NO_EPISODE
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            ", from %.1f s %s it began",
                            since.abs().toMillis() / MILLIS_OF_SECOND,
                            since.isNegative() ? "before" : "after");
            return failures.words(uid) + when + epochs.ending() + failures.ending();
        }
    }

    /**
     * The silences of one cause that are worth a line.
     *
     * @param count how many
     * @param longest the longest of them
     * @param worst the one of which the cluster is to blame for most
     */
    public record Sum(long count, Silence longest, Silence worst) {
        /** Of one silence. */
        public Sum(long count, Silence only) {
            this(count, only, only);
        }

        private Sum plus(Sum other) {
            return new Sum(
                    count + other.count,
                    longest.nanos() < other.longest.nanos() ? other.longest : longest,
                    worst.blamedNanos() < other.worst.blamedNanos() ? other.worst : worst);
        }
    }

    private final Map<String, Sum> byCause = new TreeMap<>();
    private final Map<Integer, Sum> byEpisode = new TreeMap<>();
    private Optional<Silence> longest = Optional.empty();

    void add(Silence silence) {
        if (silence.nanos() >= WORTH_A_LINE.toNanos()) {
            byCause.merge(silence.cause(), new Sum(1, silence), Sum::plus);
            byEpisode.merge(silence.episode(), new Sum(1, silence), Sum::plus);
        }
        if (longest.isEmpty() || silence.nanos() > longest.get().nanos()) {
            longest = Optional.of(silence);
        }
    }

    void addAll(Silences others) {
        others.byCause.forEach((cause, sum) -> byCause.merge(cause, sum, Sum::plus));
        others.byEpisode.forEach((episode, sum) -> byEpisode.merge(episode, sum, Sum::plus));
        others.longest
                .filter(silence ->
                        longest.isEmpty() || silence.nanos() > longest.get().nanos())
                .ifPresent(silence -> longest = Optional.of(silence));
    }

    void clear() {
        byCause.clear();
        byEpisode.clear();
        longest = Optional.empty();
    }

    Optional<Silence> longest() {
        return longest;
    }

    Map<String, Sum> byCause() {
        return Map.copyOf(byCause);
    }

    Map<Integer, Sum> byEpisode() {
        return Map.copyOf(byEpisode);
    }
}
