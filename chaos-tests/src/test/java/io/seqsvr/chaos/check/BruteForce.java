package io.seqsvr.chaos.check;

import java.util.List;

/**
 * The oracle: tries every order of the operations that keeps real time, with every unknown operation left out or put
 * anywhere after its invocation with any effect. Knows nothing of the theorem.
 */
final class BruteForce {
    private final List<Operation.Next> answered;
    private final List<Long> unknown;
    private final long greatest;

    private BruteForce(RandomHistory history) {
        this.answered = history.answered();
        this.unknown = history.unknown();
        this.greatest = answered.stream().mapToLong(Operation.Next::last).max().orElse(0);
    }

    static boolean linearizable(RandomHistory history) {
        var oracle = new BruteForce(history);
        return oracle.canGoOn((1 << oracle.answered.size()) - 1, (1 << oracle.unknown.size()) - 1, 0);
    }

    /** Whether the rest, given as bits of the operations not placed yet, has an order after state {@code state}. */
    private boolean canGoOn(int answeredLeft, int unknownLeft, long state) {
        if (answeredLeft == 0) {
            return true;
        }
        for (int i = 0; i < answered.size(); i++) {
            var next = answered.get(i);
            if ((answeredLeft & 1 << i) != 0
                    && mayBeFirst(next.invoked(), answeredLeft)
                    && next.first() > state
                    && canGoOn(answeredLeft & ~(1 << i), unknownLeft, next.last())) {
                return true;
            }
        }
        for (int i = 0; i < unknown.size(); i++) {
            if ((unknownLeft & 1 << i) != 0 && mayBeFirst(unknown.get(i), answeredLeft)) {
                for (long taken = state + 1; taken <= greatest; taken++) {
                    if (canGoOn(answeredLeft, unknownLeft & ~(1 << i), taken)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean mayBeFirst(long invoked, int answeredLeft) {
        for (int i = 0; i < answered.size(); i++) {
            if ((answeredLeft & 1 << i) != 0 && answered.get(i).returned() < invoked) {
                return false;
            }
        }
        return true;
    }
}
