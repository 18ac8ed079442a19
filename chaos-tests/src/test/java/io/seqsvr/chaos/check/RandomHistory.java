package io.seqsvr.chaos.check;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Small histories of one user, about as often right as wrong: at most seven operations, whose times and sequences are
 * few, so that they tie and collide.
 */
final class RandomHistory {
    private static final int MAX_OPERATIONS = 7;

    private final SplittableRandom random;
    private final int size;
    /** How long an operation takes at most, on either side of the point where it takes effect. */
    private final int longest;

    private final List<Operation> operations = new ArrayList<>();

    private RandomHistory(SplittableRandom random) {
        this.random = random;
        this.size = 2 + random.nextInt(MAX_OPERATIONS - 1);
        this.longest = 1 + random.nextInt(size);
    }

    static List<Operation> of(SplittableRandom random) {
        var history = new RandomHistory(random);
        if (random.nextInt(8) == 0) {
            history.beArbitrary();
        } else {
            history.beLegal();
            history.spoil();
            history.spoil();
        }
        return history.operations;
    }

    private void beArbitrary() {
        for (int i = 0; i < size; i++) {
            long invoked = random.nextInt(3 * size);
            long returned = invoked + random.nextInt(2 * size);
            long seq = 1L + random.nextInt(2 * size);
            switch (random.nextInt(5)) {
                case 0 -> operations.add(new Operation.Unserved(1, invoked, false));
                case 1 -> operations.add(new Operation.Current(1, seq, random.nextBoolean(), invoked, returned));
                default ->
                    operations.add(new Operation.Next(1, seq, seq + random.nextInt(3) / 2, 1, invoked, returned));
            }
        }
    }

    /** A run of the object, each operation with a span of time around the point where it took effect. */
    private void beLegal() {
        long state = 0;
        boolean handedOut = true;
        long point = size;
        for (int i = 0; i < size; i++) {
            point += random.nextInt(3);
            long invoked = point - random.nextInt(longest);
            long returned = point + random.nextInt(longest);
            long gap = random.nextInt(3) / 2;
            int kind = random.nextInt(10);
            if (kind < 2) {
                handedOut &= gap == 0;
                state += gap;
                operations.add(new Operation.Current(1, state, false, invoked, returned));
            } else if (kind < 6 && handedOut) {
                operations.add(new Operation.Current(1, state, true, invoked, returned));
            } else if (kind == 6) {
                state += 2 * gap;
                handedOut |= gap > 0;
                operations.add(new Operation.Unserved(1, invoked, false));
            } else {
                long first = state + 1 + gap;
                state = first + random.nextInt(3) / 2;
                handedOut = true;
                operations.add(new Operation.Next(1, first, state, 1, invoked, returned));
            }
        }
    }

    private void spoil() {
        if (operations.isEmpty()) {
            return;
        }
        int at = random.nextInt(operations.size());
        int other = random.nextInt(operations.size());
        var one = operations.get(at);
        switch (random.nextInt(5)) {
            case 0 -> operations.set(at, withSequencesOf(operations.get(other), one));
            case 1 -> {
                operations.set(at, withSequencesOf(operations.get(other), one));
                operations.set(other, withSequencesOf(one, operations.get(other)));
            }
            case 2 -> operations.set(at, atAnotherTime(one));
            case 3 -> operations.removeIf(operation -> operation instanceof Operation.Unserved);
            default -> operations.set(at, shifted(one));
        }
    }

    private Operation shifted(Operation operation) {
        if (operation instanceof Operation.Next next) {
            return new Operation.Next(
                    1, Math.max(1, next.first() - 1), next.last(), 1, next.invoked(), next.returned());
        }
        if (operation instanceof Operation.Current current) {
            long seq = Math.max(0, current.seq() + random.nextInt(3) - 1);
            return new Operation.Current(1, seq, current.exact(), current.invoked(), current.returned());
        }
        return operation;
    }

    private Operation atAnotherTime(Operation operation) {
        long invoked = random.nextInt(3 * size);
        long returned = invoked + random.nextInt(longest);
        if (operation instanceof Operation.Next next) {
            return new Operation.Next(1, next.first(), next.last(), 1, invoked, returned);
        }
        if (operation instanceof Operation.Current current) {
            return new Operation.Current(1, current.seq(), current.exact(), invoked, returned);
        }
        return new Operation.Unserved(1, invoked, false);
    }

    /** The same, with the sequences of {@code from} as far as both have any. */
    private static Operation withSequencesOf(Operation from, Operation of) {
        if (of instanceof Operation.Next next && from instanceof Operation.Next other) {
            return new Operation.Next(1, other.first(), other.last(), 1, next.invoked(), next.returned());
        }
        if (of instanceof Operation.Next next && from instanceof Operation.Current other && other.seq() > 0) {
            return new Operation.Next(1, other.seq(), other.seq(), 1, next.invoked(), next.returned());
        }
        if (of instanceof Operation.Current current && from instanceof Operation.Next other) {
            return new Operation.Current(1, other.first(), current.exact(), current.invoked(), current.returned());
        }
        if (of instanceof Operation.Current current && from instanceof Operation.Current other) {
            return new Operation.Current(1, other.seq(), current.exact(), current.invoked(), current.returned());
        }
        return of;
    }
}
