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
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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
    private final List<String> doubts = new ArrayList<>();
    private final List<String> unwell = new ArrayList<>();
    private BystanderCalls.@Nullable Watch bystanders;
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
        doubts.add(fault + " did not take effect");
    }

    /** Whatever would have been wrong could not have been seen. */
    void couldNotHaveShown(String what, List<String> because) {
        doubts.add(what + " could not have shown: " + String.join(" + ", because));
    }

    /** Users may wait for so much longer. */
    void allowMore(Duration wait) {
        bound = bound.plus(wait);
    }

    /** Nobody may miss a number because of it. */
    void requireNoGap() {
        mayLeaveGaps = false;
    }

    /** Somebody whom it is not to touch has to have asked: else nobody could have noticed anything. */
    void requireBystanders() {
        needsBystanders = true;
    }

    /** When it was over and undone not all was well. */
    void leftUnwell(String what) {
        unwell.add(what);
    }

    void brokenOff(String why) {
        doubts.add(BROKEN_OFF + why);
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
            doubts.add("no straddling pair because of " + String.join(" + ", faults));
        }
    }

    /** What came of it, by all that was seen, as some users wait for longer than it goes on. */
    Round seenIn(Findings seen) {
        var waits = Optional.ofNullable(seen.episodes().get(episode));
        var longest = waits.map(Silences.Sum::longest);
        long waitedMillis = longest.map(Silences.Silence::nanos)
                .map(TimeUnit.NANOSECONDS::toMillis)
                .orElse(0L);
        var untouched = bystanders == null ? Bystanders.NONE : bystanders.seen();
        var words = new ArrayList<String>();
        var verdict = RoundVerdict.PASS;
        if (!doubts.isEmpty()) {
            verdict = RoundVerdict.VOID;
            words.addAll(doubts);
        }
        var givenUp = Optional.ofNullable(seen.givenUpGaps().get(episode));
        if (!mayLeaveGaps && givenUp.isPresent()) {
            verdict = RoundVerdict.VOID;
            words.add(String.format(
                    Locale.ROOT,
                    "%,d gaps of %,d numbers may be of calls that were given up after a second: a number that nobody"
                            + " got could not have shown: %s",
                    givenUp.get().gaps(),
                    givenUp.get().numbers(),
                    String.join(" + ", faults)));
        }
        if (needsBystanders && untouched.calls() == 0) {
            verdict = RoundVerdict.VOID;
            words.add("nobody whom it was not to touch was answered or refused: " + String.join(" + ", faults));
        }
        if (waitedMillis > bound.toMillis()) {
            verdict = RoundVerdict.MISSED;
            words.add(String.format(
                    Locale.ROOT,
                    "a user waited %,d ms; at most %,d ms were allowed: %s: %s",
                    waitedMillis,
                    bound.toMillis(),
                    String.join(" + ", faults),
                    longest.map(Silences.Silence::words).orElse("")));
        }
        if (!unwell.isEmpty()) {
            verdict = RoundVerdict.MISSED;
            unwell.forEach(what -> words.add(what + ": " + String.join(" + ", faults)));
        }
        var gap = Optional.ofNullable(seen.episodeGaps().get(episode));
        if (!mayLeaveGaps && gap.isPresent()) {
            verdict = RoundVerdict.MISSED;
            words.add(String.format(
                    Locale.ROOT,
                    "%,d gaps of %,d numbers, where owners hand over and nobody is to miss any: %s",
                    gap.get().gaps(),
                    gap.get().numbers(),
                    String.join(" + ", faults)));
        }
        if (untouched.areHarmed()) {
            verdict = RoundVerdict.MISSED;
            words.add(String.format(
                    Locale.ROOT,
                    "%,d of %,d calls of bystanders failed, %,d of one user in a row: %s: %s",
                    untouched.failed(),
                    untouched.calls(),
                    untouched.mostInARow(),
                    String.join(" + ", faults),
                    harmed()));
        }
        if (brokenAfter > brokenBefore) {
            verdict = RoundVerdict.VIOLATED;
            words.add((brokenAfter - brokenBefore) + " promises were broken");
        }
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
                verdict,
                words);
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
