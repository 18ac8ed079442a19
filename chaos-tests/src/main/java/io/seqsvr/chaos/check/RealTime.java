package io.seqsvr.chaos.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rule (R) over one user: a sweep over the invocations in the order of time, with the greatest answers that had
 * returned strictly before. Only the greatest can be the first to break a rule, so one witness is enough.
 */
final class RealTime {
    private final List<Violation> violations;
    private final List<Long> floorsOfUnserved = new ArrayList<>();
    private Operation.@Nullable Next handedOut;
    private Operation.@Nullable Current told;

    private RealTime(List<Violation> violations) {
        this.violations = violations;
    }

    /** The floor of each call that brought nothing, the smallest first: the greatest sequence seen when it began. */
    static List<Long> check(List<? extends Operation> ofUser, List<Violation> violations) {
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
        return sweep.floorsOfUnserved;
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
            judge(next);
        } else if (operation instanceof Operation.Current current) {
            judge(current);
        } else {
            floorsOfUnserved.add(Math.max(handedOut == null ? 0 : handedOut.last(), told == null ? 0 : told.seq()));
        }
    }

    private void judge(Operation.Next next) {
        if (handedOut != null && next.first() <= handedOut.last()) {
            violations.add(new Violation(Rule.ORDERED, handedOut, next));
        }
        if (told != null && next.first() <= told.seq()) {
            violations.add(new Violation(Rule.NEXT_PASSES_CURRENT, told, next));
        }
    }

    private void judge(Operation.Current current) {
        if (handedOut != null && current.seq() < handedOut.last()) {
            violations.add(new Violation(Rule.CURRENT_COVERS_WHAT_WAS_SEEN, handedOut, current));
        }
        if (told != null && current.seq() < told.seq()) {
            violations.add(new Violation(Rule.CURRENT_NEVER_GOES_BACK, told, current));
        }
    }
}
