package io.seqsvr.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the counter alone costs, by who may take from it: one thread, or all of them by an atomic addition. 1,000 users
 * drawn evenly in a turn, as in a frame; one operation is one sequence.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(CounterBenchmark.CALLS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CounterBenchmark {
    static final int CALLS = 1_000;
    private static final int TURNS = 4_000;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    /** Of a million, the counters do not fit into the second cache. */
    @Param({"1000000", "10000"})
    public int users = 1_000_000;

    private final int[][] drawn = new int[TURNS][];
    private long[] counters = new long[0];
    private int[] offsets = new int[0];
    private int next;

    /** Draws who asks. */
    @Setup
    public void draw() {
        counters = new long[users];
        offsets = new int[users];
        var random = new SplittableRandom(7);
        for (int i = 0; i < TURNS; i++) {
            drawn[i] = random.ints(CALLS, 0, users).toArray();
        }
    }

    private int[] turn() {
        next = next + 1 == TURNS ? 0 : next + 1;
        return drawn[next];
    }

    /** One thread owns them. */
    @Benchmark
    public long plain() {
        long sum = 0;
        for (int user : turn()) {
            sum += ++counters[user];
        }
        return sum;
    }

    /** The same, as offsets from what was durable when their page was made. */
    @Benchmark
    public long plainOffsets() {
        long sum = 0;
        for (int user : turn()) {
            sum += ++offsets[user];
        }
        return sum;
    }

    /** Any thread may take. */
    @Benchmark
    public long atomic() {
        long sum = 0;
        for (int user : turn()) {
            sum += (long) LONGS.getAndAdd(counters, user, 1L) + 1;
        }
        return sum;
    }

    /** Any thread may take an offset. */
    @Benchmark
    public long atomicOffsets() {
        long sum = 0;
        for (int user : turn()) {
            sum += (int) INTS.getAndAdd(offsets, user, 1) + 1;
        }
        return sum;
    }
}
