package io.seqsvr.chaos.check;

import java.util.List;

/**
 * The oracle: runs the object through every order of the operations that keeps real time. Operations that brought
 * nothing are left out or put anywhere after their invocation, with any effect. Knows nothing of the theorem.
 *
 * <p>What matters of the orders of one set of operations is the states that they can end in. So it goes over the sets,
 * each before all that contain it, with the states of a set as bits of a number: bit s of {@code handedOut} if s was
 * the last sequence handed out, of {@code bound} if it was told as a bound and not handed out.
 */
final class BruteForce {
    private final List<Operation> operations;
    private final long[] handedOut;
    private final long[] bound;

    private BruteForce(List<Operation> operations) {
        this.operations = operations;
        this.handedOut = new long[1 << operations.size()];
        this.bound = new long[1 << operations.size()];
    }

    /** Of operations of one user, at most 20, with sequences below 63. */
    static boolean linearizable(List<Operation> operations) {
        return new BruteForce(operations).hasOrder();
    }

    private boolean hasOrder() {
        var before = new int[operations.size()];
        int answered = 0;
        for (int i = 0; i < before.length; i++) {
            before[i] = precedingInRealTime(operations.get(i));
            answered |= operations.get(i) instanceof Operation.Answered ? 1 << i : 0;
        }
        handedOut[0] = 1;
        for (int placed = 0; placed < handedOut.length; placed++) {
            if ((handedOut[placed] | bound[placed]) == 0) {
                continue;
            }
            if ((placed & answered) == answered) {
                return true;
            }
            for (int i = 0; i < before.length; i++) {
                if ((placed & 1 << i) == 0 && (before[i] & ~placed) == 0) {
                    place(operations.get(i), placed, placed | 1 << i);
                }
            }
        }
        return false;
    }

    private int precedingInRealTime(Operation operation) {
        int preceding = 0;
        for (int i = 0; i < operations.size(); i++) {
            preceding |= operations.get(i).returned() < operation.invoked() ? 1 << i : 0;
        }
        return preceding;
    }

    private void place(Operation operation, int from, int to) {
        long states = handedOut[from] | bound[from];
        if (operation instanceof Operation.Next next) {
            boolean mayAnswer = (states & below(next.first())) != 0;
            handedOut[to] |= mayAnswer ? 1L << next.last() : 0;
        } else if (operation instanceof Operation.Current current) {
            long told = 1L << current.seq();
            handedOut[to] |= handedOut[from] & told;
            if (!current.exact()) {
                boolean raises = (states & below(current.seq())) != 0;
                bound[to] |= (bound[from] & told) | (raises ? told : 0);
            }
        } else {
            long smallest = Long.lowestOneBit(states);
            handedOut[to] |= ~(smallest | smallest - 1) & Long.MAX_VALUE;
        }
    }

    private static long below(long sequence) {
        return (1L << sequence) - 1;
    }
}
