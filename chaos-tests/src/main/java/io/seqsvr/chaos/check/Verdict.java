package io.seqsvr.chaos.check;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What the checker found in a history.
 *
 * @param operations how many answered operations it judged
 * @param users of how many users they were
 * @param violations each operation that broke a rule, once per rule, with one witness; none if the history is right
 */
public record Verdict(long operations, long users, List<Violation> violations) {
    private static final int SHOWN = 10;

    /** Keeps its own copy of the list. */
    public Verdict {
        violations = List.copyOf(violations);
    }

    /** Whether every rule held. */
    public boolean holds() {
        return violations.isEmpty();
    }

    /** One line of counts, and the first ten violations with both their operations. */
    @Override
    public String toString() {
        var counts = operations + " operations of " + users + " users, " + violations.size() + " violations";
        return violations.stream()
                .limit(SHOWN)
                .map(violation -> System.lineSeparator() + "  " + violation)
                .collect(Collectors.joining("", counts, ""));
    }
}
