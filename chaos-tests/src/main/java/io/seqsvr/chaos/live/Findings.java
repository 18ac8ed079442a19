package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Power;
import io.seqsvr.chaos.report.Second;
import io.seqsvr.chaos.report.Witness;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was seen of a living cluster so far.
 *
 * @param operations answered calls
 * @param items users of the crowd that were answered, many to a call
 * @param itemsLost the same, but refused or without an answer
 * @param refused calls that a typed "no" ended
 * @param unknown calls without an answer
 * @param stepsBack answers that were not above all that had been received when their calls were sent
 * @param duplicates answers that bear a sequence which another one bears too
 * @param violations in words: the first of these, and whatever else broke a rule; empty if nothing did
 * @param broken how many rules were broken in all
 * @param unjudged answers that were compared with a part only of what they could collide with
 * @param sampled answered calls of the sample that was kept and judged as a whole too
 * @param power what could have been seen
 * @param longest the longest time in which one user asked and nobody answered
 * @param silences the same by cause, and how often, where it was longer than answers take
 * @param episodes the same by the number of the fault, 0 where none was at work
 * @param gaps numbers that were skipped, by cause
 * @param episodeGaps those that a fault explains, by its number; 0 where owners changed and none was at work
 * @param givenUpGaps the same of those at changes of owner that may be of calls which their callers gave up
 * @param unexplained the first gaps that nothing explains, in words
 * @param timeline what was seen in each second
 * @param witnesses the first answers that broke a promise, each with the one that it broke it against, if that is known
 */
public record Findings(
        long operations,
        long items,
        long itemsLost,
        long refused,
        long unknown,
        long stepsBack,
        long duplicates,
        List<String> violations,
        long broken,
        long unjudged,
        long sampled,
        Power power,
        Optional<Silences.Silence> longest,
        Map<String, Silences.Sum> silences,
        Map<Integer, Silences.Sum> episodes,
        Map<String, Gaps.Sum> gaps,
        Map<Integer, Gaps.Sum> episodeGaps,
        Map<Integer, Gaps.Sum> givenUpGaps,
        List<String> unexplained,
        List<Second> timeline,
        List<Witness> witnesses) {
    /** Keeps copies. */
    public Findings {
        violations = List.copyOf(violations);
        silences = Map.copyOf(silences);
        episodes = Map.copyOf(episodes);
        gaps = Map.copyOf(gaps);
        episodeGaps = Map.copyOf(episodeGaps);
        givenUpGaps = Map.copyOf(givenUpGaps);
        unexplained = List.copyOf(unexplained);
        timeline = List.copyOf(timeline);
        witnesses = List.copyOf(witnesses);
    }

    /** How long the longest silence lasted, in nanoseconds; 0 if nobody was ever answered. */
    public long longestNanos() {
        return longest.map(Silences.Silence::nanos).orElse(0L);
    }

    /** Numbers that an owner skipped while it served, with every call answered: it promises not to. */
    public long unexplainedGaps() {
        var unexplained = gaps.get(Gaps.UNEXPLAINED);
        return unexplained == null ? 0 : unexplained.gaps();
    }
}
