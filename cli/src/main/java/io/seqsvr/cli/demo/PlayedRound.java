package io.seqsvr.cli.demo;

import io.seqsvr.chaos.live.BystanderCalls;
import io.seqsvr.chaos.live.Findings;
import io.seqsvr.chaos.live.HarmedUser;
import io.seqsvr.chaos.live.Silences;
import io.seqsvr.chaos.report.Bystanders;
import io.seqsvr.chaos.report.Round;
import io.seqsvr.chaos.report.RoundVerdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One round: what was done when, and what its users may expect. */
final class PlayedRound {
    /** Begins what is said of a round that did not come to its end. */
    static final String BROKEN_OFF = "broken off: ";

    /** Of so many bystanders it is told when their calls failed. */
    private static final int TOLD_OF = 3;

    private final int number;
    private final String cell;
    private final List<String> faults;
    private Duration bound;
    private final LongSupplier nanoClock;
    private final LongSupplier broken;
    private final LongSupplier pairs;
    /** What was found while it was played. */
    private final List<Finding> told = new ArrayList<>();

    private BystanderCalls.@Nullable Watch bystanders;
    /** For how much of a span, by the clock of its calls, the run itself stood still. */
    private LongBinaryOperator pausedNanos = (from, to) -> 0;

    private boolean mayLeaveGaps = true;
    private boolean needsBystanders;
    private boolean over;
    private int episode;
    private long begunNanos;
    private long endedNanos;
    private long brokenBefore;
    private long brokenAfter;
    private long pairsBefore;
    private long pairsAfter;

    /**
     * A round that has not begun.
     *
     * @param number which one of its run, from 1
     * @param cell what is tried
     * @param faults what is done to whom
     * @param bound how long users may wait because of it
     * @param nanoClock time since the run began
     * @param broken how many promises have been broken so far
     * @param pairs how many straddling pairs there have been so far
     */
    PlayedRound(
            int number,
            String cell,
            List<String> faults,
            Duration bound,
            LongSupplier nanoClock,
            LongSupplier broken,
            LongSupplier pairs) {
        this.number = number;
        this.cell = cell;
        this.faults = List.copyOf(faults);
        this.bound = bound;
        this.nanoClock = nanoClock;
        this.broken = broken;
        this.pairs = pairs;
    }

    /**
     * It begins.
     *
     * @param asEpisode its number in the log of faults
     * @param watched calls for users whom it is not to touch
     */
    void begun(int asEpisode, BystanderCalls.Watch watched) {
        episode = asEpisode;
        bystanders = watched;
        begunNanos = nanoClock.getAsLong();
        endedNanos = begunNanos;
        brokenBefore = broken.getAsLong();
        brokenAfter = brokenBefore;
        pairsBefore = pairs.getAsLong();
        pairsAfter = pairsBefore;
    }

    void withoutEffect(String fault) {
        told.add(empty("%s did not take effect", fault));
    }

    /** Whatever would have been wrong could not have been seen. */
    void couldNotHaveShown(String what, List<String> because) {
        told.add(empty("%s could not have shown: %s", what, String.join(" + ", because)));
    }

    /** Users may wait for so much longer. */
    void allowMore(Duration wait) {
        bound = bound.plus(wait);
    }

    /**
     * What is seen while the run itself stands still is not laid to the cluster.
     *
     * @param paused for how much of a span, by the clock of its calls, it did
     */
    void heedPauses(LongBinaryOperator paused) {
        pausedNanos = paused;
    }

    /** Nobody may miss a number because of it. */
    void requireNoGap() {
        mayLeaveGaps = false;
    }

    /** Those whom it is not to touch have to have asked often enough: else nobody could have noticed anything. */
    void requireBystanders() {
        needsBystanders = true;
    }

    /** When it was over and undone not all was well. */
    void leftUnwell(String what) {
        told.add(missed("%s: %s", what, named()));
    }

    void brokenOff(String why) {
        told.add(empty("%s%s", BROKEN_OFF, why));
        ended();
    }

    /** Whether it has ended. */
    boolean isOver() {
        return over;
    }

    void ended() {
        over = true;
        endedNanos = nanoClock.getAsLong();
        brokenAfter = broken.getAsLong();
        pairsAfter = pairs.getAsLong();
    }

    /** Owners had to change in it: only where a pair straddled a change could a breach have shown. */
    void requirePairs() {
        if (pairsAfter == pairsBefore) {
            told.add(empty("no straddling pair because of %s", named()));
        }
    }

    /** What came of it, by all that was seen, as some users wait for longer than it goes on. */
    Round seenIn(Findings seen) {
        var waits = Optional.ofNullable(seen.episodes().get(episode));
        long waitedMillis = waits.map(
                        sum -> TimeUnit.NANOSECONDS.toMillis(sum.longest().nanos()))
                .orElse(0L);
        var untouched = bystanders == null ? Bystanders.NONE : bystanders.seen();
        var findings = Stream.of(told.stream(), ofWaits(waits), ofGaps(seen), ofBystanders(untouched), ofPromises())
                .flatMap(found -> found)
                .toList();
        return new Round(
                number,
                cell,
                faults,
                TimeUnit.NANOSECONDS.toMillis(begunNanos),
                TimeUnit.NANOSECONDS.toMillis(endedNanos),
                bound.toMillis(),
                waitedMillis,
                waits.map(Silences.Sum::count).orElse(0L),
                untouched,
                Finding.worstOf(findings),
                findings.stream().map(Finding::words).toList());
    }

    private Stream<Finding> ofWaits(Optional<Silences.Sum> waits) {
        return waits.flatMap(sum -> Waits.tooLong(sum, bound, named())).stream();
    }

    private Stream<Finding> ofGaps(Findings seen) {
        if (mayLeaveGaps) {
            return Stream.empty();
        }
        var doubtful = Optional.ofNullable(seen.givenUpGaps().get(episode))
                .map(gap -> empty(
                        "%,d gaps of %,d numbers may be of calls that were given up after a second: a number that"
                                + " nobody got could not have shown: %s",
                        gap.gaps(), gap.numbers(), named()));
        var certain = Optional.ofNullable(seen.episodeGaps().get(episode))
                .map(gap -> missed(
                        "%,d gaps of %,d numbers, where owners hand over and nobody is to miss any: %s",
                        gap.gaps(), gap.numbers(), named()));
        return Stream.concat(doubtful.stream(), certain.stream());
    }

    private Stream<Finding> ofBystanders(Bystanders untouched) {
        if (untouched.areHarmed()) {
            var what = say(
                    "%,d of %,d calls of bystanders failed, %,d of one user in a row: %s: %s",
                    untouched.failed(), untouched.calls(), untouched.mostInARow(), named(), harmed());
            return Stream.of(
                    bystanders != null && !bystanders.seenAwake(pausedNanos).areHarmed()
                            ? empty("%s; but for what may fail, while this program itself stood still", what)
                            : missed("%s", what));
        }
        return needsBystanders && untouched.calls() < Bystanders.ENOUGH
                ? Stream.of(empty(
                        "%,d calls for those whom it was not to touch were answered or refused, and %,d are needed: %s",
                        untouched.calls(), Bystanders.ENOUGH, named()))
                : Stream.empty();
    }

    private Stream<Finding> ofPromises() {
        long count = (over ? brokenAfter : broken.getAsLong()) - brokenBefore;
        return count > 0
                ? Stream.of(new Finding(RoundVerdict.VIOLATED, count + " promises were broken"))
                : Stream.empty();
    }

    private String named() {
        return String.join(" + ", faults);
    }

    private static Finding missed(String format, Object... values) {
        return new Finding(RoundVerdict.MISSED, say(format, values));
    }

    private static Finding empty(String format, Object... values) {
        return new Finding(RoundVerdict.VOID, say(format, values));
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Of the most harmed, what may tell why. */
    private String harmed() {
        return bystanders == null
                ? ""
                : bystanders.harmed().stream()
                        .limit(TOLD_OF)
                        .map(HarmedUser::words)
                        .collect(Collectors.joining("; "));
    }
}
