package io.seqsvr.chaos.check;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rule (R) and those about current over one user: a sweep over the invocations in the order of time, with the greatest
 * answers that had returned strictly before. Only the greatest can be the first to break a rule, so one witness is
 * enough.
 */
final class RealTime {
    private final List<Violation> violations;
    private Operation.@Nullable Next handedOut;
    private Operation.@Nullable Current told;

    private RealTime(List<Violation> violations) {
        this.violations = violations;
    }

    static void check(List<? extends Operation> ofUser, List<Violation> violations) {
        var byInvocation = ofUser.stream()
                .sorted(Comparator.comparingLong(Operation::invoked))
                .toList();
        var byReturn = ofUser.stream()
                .sorted(Comparator.comparingLong(Operation::returned))
                .toList();
        var sweep = new RealTime(violations);
        int seen = 0;
        for (Operation operation : byInvocation) {
            while (byReturn.get(seen).returned() < operation.invoked()) {
                sweep.see(byReturn.get(seen++));
            }
            sweep.judge(operation);
        }
    }

    private void see(Operation operation) {
        if (operation instanceof Operation.Next next && (handedOut == null || next.last() > handedOut.last())) {
            handedOut = next;
        }
        if (operation instanceof Operation.Current current && (told == null || current.seq() > told.seq())) {
            told = current;
        }
    }

    private void judge(Operation operation) {
        if (operation instanceof Operation.Next next) {
            if (handedOut != null && next.first() <= handedOut.last()) {
                violations.add(new Violation(Rule.ORDERED, handedOut, next));
            }
            if (told != null && next.first() <= told.seq()) {
                violations.add(new Violation(Rule.NEXT_PASSES_CURRENT, told, next));
            }
        }
        if (operation instanceof Operation.Current current && handedOut != null && current.seq() < handedOut.last()) {
            violations.add(new Violation(Rule.CURRENT_COVERS_WHAT_WAS_SEEN, handedOut, current));
        }
    }
}
