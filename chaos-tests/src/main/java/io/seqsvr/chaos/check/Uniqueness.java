package io.seqsvr.chaos.check;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rule (U) over one user: in the order of their first sequences, each range begins above the reach of those before, and
 * no reading falls short of it.
 */
final class Uniqueness {
    private Uniqueness() {}

    static void check(List<? extends Operation> ofUser, List<Violation> violations) {
        var byStart = ofUser.stream()
                .filter(Operation.Answered.class::isInstance)
                .sorted(Comparator.<Operation>comparingLong(Uniqueness::start)
                        .thenComparing(Operation.Current.class::isInstance))
                .toList();
        Operation.@Nullable Next farthest = null;
        for (Operation operation : byStart) {
            if (operation instanceof Operation.Next next) {
                if (farthest != null && next.first() <= farthest.last()) {
                    violations.add(new Violation(Rule.UNIQUE, farthest, next));
                }
                if (farthest == null || next.last() > farthest.last()) {
                    farthest = next;
                }
            } else if (operation instanceof Operation.Current current
                    && farthest != null
                    && current.seq() < farthest.last()) {
                violations.add(new Violation(Rule.CURRENT_SPLITS_NO_RANGE, farthest, current));
            }
        }
    }

    private static long start(Operation operation) {
        if (operation instanceof Operation.Next next) {
            return next.first();
        }
        return operation instanceof Operation.Current current ? current.seq() : 0;
    }
}
