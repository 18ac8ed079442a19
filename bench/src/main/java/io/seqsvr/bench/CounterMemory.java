package io.seqsvr.bench;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;

/**
 * What counters take of an AllocSvr's heap: of users side by side, and of users anywhere.
 * Each is the difference of what is in use after collections, with one number taken by each user.
 */
public final class CounterMemory {
    private static final int SEGMENTS = 42_950;
    private static final int SEGMENT_SIZE = 100_000;
    private static final int DENSE = 10_000_000;
    private static final int LONELY = 1_000_000;
    private static final int CALLS = 1_000;
    /** The first one finds what the next can free. */
    private static final int COLLECTIONS = 4;

    private static final long RENEWED_AFTER_FRAMES = 1_000;

    private CounterMemory() {}

    /** Prints one line for each. */
    public static void main(String[] arguments) {
        var owner = newOwner();
        long untouched = used();
        take(owner, DENSE, user -> user);
        weigh("users side by side", DENSE, untouched, owner);

        owner = newOwner();
        untouched = used();
        var random = new SplittableRandom(5);
        take(owner, LONELY, user -> random.nextLong((long) SEGMENTS * SEGMENT_SIZE));
        weigh("users anywhere among " + (long) SEGMENTS * SEGMENT_SIZE, LONELY, untouched, owner);
    }

    private static BenchAllocator newOwner() {
        return new BenchAllocator(new Namespace(
                1,
                BenchAllocator.NAMESPACE,
                (long) SEGMENTS * SEGMENT_SIZE,
                SEGMENT_SIZE,
                Keying.DIRECT,
                Order.LEASE,
                100_000,
                10_000,
                1_000_000,
                Long.MAX_VALUE));
    }

    private static void take(BenchAllocator owner, int users, IntToLongFunction uids) {
        var calls = new FrameCalls();
        for (int first = 0; first < users; first += CALLS) {
            calls.clear();
            calls.namespaceName(BenchAllocator.NAMESPACE).verb(FrameVerb.NEXT).correlation(first);
            for (int user = first; user < first + CALLS; user++) {
                calls.uids().add(uids.applyAsLong(user));
            }
            if (first / CALLS % RENEWED_AFTER_FRAMES == 0) {
                owner.tick();
            }
            var frame = owner.allocator.frame(calls, BenchAllocator.now());
            owner.carryOut();
            long given = owner.allocator.release(frame, BenchAllocator.now()).sequences();
            if (given != CALLS) {
                throw new IllegalStateException("of " + CALLS + " calls " + given + " were given a number");
            }
        }
    }

    private static void weigh(String whose, int count, long before, BenchAllocator owner) {
        try {
            double each = (double) (used() - before) / count;
            System.out.println(String.format(Locale.ROOT, "%,d %s: %.2f bytes each", count, whose, each));
        } finally {
            // Else it could be collected before it was weighed.
            Reference.reachabilityFence(owner);
        }
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
