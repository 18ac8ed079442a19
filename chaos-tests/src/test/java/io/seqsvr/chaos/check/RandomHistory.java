package io.seqsvr.chaos.check;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A small history of one user, about as often right as wrong: times and sequences are few, so that they tie and
 * collide.
 *
 * @param answered the operations with an answer
 * @param unknown when those without one were invoked
 */
record RandomHistory(List<Operation.Next> answered, List<Long> unknown) {
    private static final int MAX_OPERATIONS = 7;

    /** Answered and unknown together are at most seven. */
    static RandomHistory of(SplittableRandom random) {
        int size = 1 + random.nextInt(MAX_OPERATIONS);
        int unanswered = Math.min(size - 1, random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0);
        var answered = random.nextInt(4) == 0
                ? arbitrary(random, size - unanswered)
                : spoiled(random, legal(random, size - unanswered));
        var unknown = new ArrayList<Long>();
        for (int i = 0; i < unanswered; i++) {
            unknown.add((long) random.nextInt(3 * size));
        }
        return new RandomHistory(answered, unknown);
    }

    private static List<Operation.Next> arbitrary(SplittableRandom random, int size) {
        var operations = new ArrayList<Operation.Next>();
        for (int i = 0; i < size; i++) {
            operations.add(arbitrary(random, size, 1 + random.nextInt(2 * size)));
        }
        return operations;
    }

    private static Operation.Next arbitrary(SplittableRandom random, int size, long first) {
        long invoked = random.nextInt(3 * size);
        return new Operation.Next(
                1, first, first + random.nextInt(3) / 2, 1, invoked, invoked + random.nextInt(2 * size));
    }

    /** A run of the object, each operation with a span of time around the point where it took effect. */
    private static List<Operation.Next> legal(SplittableRandom random, int size) {
        var operations = new ArrayList<Operation.Next>();
        long last = 0;
        long point = size;
        for (int i = 0; i < size; i++) {
            long first = last + 1 + random.nextInt(3) / 2;
            last = first + random.nextInt(3) / 2;
            point += random.nextInt(3);
            operations.add(
                    new Operation.Next(1, first, last, 1, point - random.nextInt(size), point + random.nextInt(size)));
        }
        return operations;
    }

    private static List<Operation.Next> spoiled(SplittableRandom random, List<Operation.Next> legal) {
        var operations = new ArrayList<>(legal);
        int at = random.nextInt(legal.size());
        var one = legal.get(at);
        var other = legal.get(random.nextInt(legal.size()));
        switch (random.nextInt(5)) {
            case 0 -> operations.set(at, withRange(one, other.first(), other.last()));
            case 1 -> operations.set(at, withRange(one, Math.max(1, one.first() - 1), one.last()));
            case 2 -> operations.set(at, arbitrary(random, legal.size(), one.first()));
            case 3 -> {
                operations.set(at, withRange(one, other.first(), other.last()));
                operations.set(legal.indexOf(other), withRange(other, one.first(), one.last()));
            }
            default -> {}
        }
        return operations;
    }

    private static Operation.Next withRange(Operation.Next of, long first, long last) {
        return new Operation.Next(of.uid(), first, last, of.epoch(), of.invoked(), of.returned());
    }
}
