package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Breach;
import io.seqsvr.chaos.check.Operation;
import io.seqsvr.chaos.check.Rule;
import io.seqsvr.chaos.check.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** What was broken: all of it counted, the first of it kept. Safe for use by many threads. */
final class Violations {
    private static final int TOLD = 10;

    private final Witnesses witnesses = new Witnesses();
    private final LongAdder count = new LongAdder();
    private final LongAdder stepsBack = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    /** Guarded by itself. */
    private final List<String> words = new ArrayList<>();
    /** Guarded by the words. */
    private final Set<String> nonsense = new HashSet<>();

    /** An answer was wrong; the one that it breaks a rule against, if that is still known. */
    void add(Breach breach, Optional<Operation.Answered> before, Operation.Answered answer) {
        // A reading within a range is neither; that it is a breach is counted with all of them.
        if (breach.rule() == Rule.UNIQUE) {
            duplicates.increment();
        } else if (breach.rule() != Rule.CURRENT_SPLITS_NO_RANGE) {
            stepsBack.increment();
        }
        add(
                breach.rule().toString(),
                "user " + Long.toUnsignedString(breach.uid()) + " was answered " + breach.first() + " to "
                        + breach.last() + ", against " + breach.against(),
                Stream.concat(before.stream(), Stream.of(answer)).toList());
    }

    /** Something else was. */
    void add(String rule, String said) {
        add(rule, said, List.of());
    }

    private void add(String rule, String said, List<? extends Operation.Answered> operations) {
        count.increment();
        witnesses.add(rule, said, operations);
        synchronized (words) {
            if (words.size() < TOLD) {
                words.add(rule + ": " + said);
            }
        }
    }

    /** A server said what no server may say; told as often as one likes, it counts once. */
    void addNonsense(String said) {
        synchronized (words) {
            if (nonsense.add(said)) {
                add("SENSE", "a reply made no sense: " + said);
            }
        }
    }

    long count() {
        return count.sum();
    }

    long stepsBack() {
        return stepsBack.sum();
    }

    long duplicates() {
        return duplicates.sum();
    }

    /** The first of them, and those that a history shows as a whole. */
    List<String> words(Verdict whole) {
        var all = new ArrayList<String>();
        synchronized (words) {
            all.addAll(words);
        }
        whole.violations().stream().limit(TOLD).forEach(violation -> all.add(violation.toString()));
        return all;
    }

    Witnesses witnesses(Verdict whole) {
        return witnesses.with(whole);
    }
}
