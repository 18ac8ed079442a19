package io.seqsvr.core.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Counters against arithmetic that cannot overflow, from any corner of the sequence space. */
class SegmentCountersRandomTest {
    private static final int USERS = 1_500;

    @Test
    void wantedMaxSeqLeavesAStepOfHeadroomAndNeverPassesTheEnd() {
        Seed.announcedFor(SegmentCountersRandomTest.class).run(random -> {
            for (int round = 0; round < 50_000; round++) {
                long maxSequence = corner(random, 1, Long.MAX_VALUE);
                long step = corner(random, 1, maxSequence);
                long base = corner(random, 0, maxSequence);
                // What an assignment gives: a step above base, or the end.
                long maxSeq = base > maxSequence - step ? maxSequence : base + step;
                var counters = new SegmentCounters(1, base, maxSeq, 1, maxSequence);
                if (base < maxSequence) {
                    counters.take(0, corner(random, 1, maxSequence - base));
                }
                assertWanted(counters, step, maxSequence);
            }
        });
    }

    private static void assertWanted(SegmentCounters counters, long step, long maxSequence) {
        long maxSeq = counters.maxSeq();
        long wanted = counters.wantedMaxSeq(step);
        var story = "highest " + counters.highest() + ", max_seq " + maxSeq + ", step " + step + ", max_sequence "
                + maxSequence + ", wanted " + wanted;
        assertTrue(wanted >= maxSeq && wanted <= maxSequence, story);
        var headroom = big(maxSeq).subtract(big(counters.highest()));
        boolean needed = maxSeq < maxSequence && headroom.compareTo(big(step / 2)) <= 0;
        assertEquals(needed, wanted > maxSeq, story);
        if (needed && wanted < maxSequence) {
            var after = big(wanted).subtract(big(counters.highest()));
            assertTrue(after.compareTo(big(step)) >= 0, story);
            assertTrue(after.compareTo(big(step).shiftLeft(1)) < 0, story);
            assertEquals(big(0), big(wanted).subtract(big(maxSeq)).mod(big(step)), story);
        }
    }

    @Test
    void countersAgreeWithPlainArithmetic() {
        Seed.announcedFor(SegmentCountersRandomTest.class).run(random -> {
            for (int round = 0; round < 200; round++) {
                long maxSequence = corner(random, 1_000, Long.MAX_VALUE);
                long base = corner(random, 0, maxSequence);
                long maxSeq = corner(random, base, maxSequence);
                compare(random, new SegmentCounters(3, base, maxSeq, USERS, maxSequence), maxSequence);
            }
        });
    }

    private static void compare(SplittableRandom random, SegmentCounters counters, long maxSequence) {
        var model = new long[USERS];
        Arrays.fill(model, counters.base());
        long maxSeq = counters.maxSeq();
        long highest = counters.base();
        for (int i = 0; i < 300; i++) {
            int slot = random.nextInt(USERS);
            long count = corner(random, 1, random.nextBoolean() ? Long.MAX_VALUE : 1_000);
            var last = big(model[slot]).add(big(count));
            boolean left = last.compareTo(big(maxSequence)) <= 0;
            assertEquals(left, counters.hasLeft(counters.current(slot), count));
            assertEquals(last.compareTo(big(maxSeq)) <= 0, counters.hasRoom(counters.current(slot), count));
            if (left) {
                assertEquals(last.longValueExact(), counters.take(slot, count));
                model[slot] = last.longValueExact();
                highest = Math.max(highest, model[slot]);
            }
            if (random.nextInt(10) == 0) {
                long bound = corner(random, 0, Long.MAX_VALUE);
                maxSeq = Math.min(maxSequence, Math.max(maxSeq, bound));
                counters.raised(bound);
            }
            int other = random.nextInt(USERS);
            assertEquals(model[other], counters.current(other));
            assertEquals(counters.base() == 0 || model[other] > counters.base(), counters.exact(other));
            assertEquals(maxSeq, counters.maxSeq());
            assertEquals(highest, counters.highest());
            assertEquals(highest <= maxSeq, counters.durable(highest));
        }
    }

    /** From {@code least} to {@code most}, often near an end. */
    private static long corner(SplittableRandom random, long least, long most) {
        long span = most - least;
        long near = span == 0 ? 0 : random.nextLong(Math.min(span, 2_000) + 1);
        return switch (random.nextInt(4)) {
            case 0 -> least + near;
            case 1 -> most - near;
            case 2 -> least + (random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63)) % Math.max(1, span);
            default -> least + random.nextLong(Math.max(1, span));
        };
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }
}
