package io.seqsvr.chaos.check;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rule (U) over one user: in the order of their first sequences, each range begins above the reach of those before. */
final class Uniqueness {
    private Uniqueness() {}

    static void check(List<? extends Operation> ofUser, List<Violation> violations) {
        var byFirst = ofUser.stream()
                .filter(Operation.Next.class::isInstance)
                .map(Operation.Next.class::cast)
                .sorted(Comparator.comparingLong(Operation.Next::first))
                .toList();
        Operation.@Nullable Next farthest = null;
        for (Operation.Next next : byFirst) {
            if (farthest != null && next.first() <= farthest.last()) {
                violations.add(new Violation(Rule.UNIQUE, farthest, next));
            }
            if (farthest == null || next.last() > farthest.last()) {
                farthest = next;
            }
        }
    }
}
