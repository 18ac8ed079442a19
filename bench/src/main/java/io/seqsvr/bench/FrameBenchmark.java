package io.seqsvr.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.alloc.FrameAnswers;
import io.seqsvr.core.alloc.Step;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.codec.WireBytes;
import io.seqsvr.proto.v1.AllocateRequest;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * What a call of a frame costs: 1,000 calls a frame, of users drawn evenly from so many, in 10 segments. One operation
 * is one call.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(FrameBenchmark.CALLS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class FrameBenchmark {
    static final int CALLS = 1_000;
    private static final int SEGMENTS = 10;
    /** So many that the calls of one are not in the cache when they come again. */
    private static final int FRAMES = 4_000;

    /** Of a million, the counters do not fit into a cache. */
    @Param({"1000000", "10000"})
    public int users = 1_000_000;

    /** How users find their counters. */
    @Param({"DIRECT", "HASHED"})
    public Keying keying = Keying.DIRECT;

    private final byte[][] requests = new byte[FRAMES][];
    private final long[][] uids = new long[FRAMES][];
    private final FrameCodec codec = new FrameCodec();
    private final FrameCalls calls = new FrameCalls();
    private final WireBytes out = new WireBytes();

    @SuppressWarnings("NullAway.Init") // JMH has it drawn first
    private BenchAllocator owner;

    private int next;

    /** Draws the frames. */
    @Setup
    public void draw() {
        owner = new BenchAllocator(new Namespace(
                1,
                BenchAllocator.NAMESPACE,
                users,
                users / SEGMENTS,
                keying,
                Order.LEASE,
                100_000,
                10_000,
                1_000_000,
                Long.MAX_VALUE));
        var random = new SplittableRandom(7);
        for (int i = 0; i < FRAMES; i++) {
            calls.clear();
            calls.namespaceName(BenchAllocator.NAMESPACE).verb(FrameVerb.NEXT).correlation(i);
            uids[i] = random.longs(CALLS, 0, users).toArray();
            Arrays.stream(uids[i]).forEach(calls.uids()::add);
            requests[i] = codec.writeRequest(calls).getBytes();
        }
    }

    /** Its lease is kept by whoever owns it, beside the frames. */
    @Setup(Level.Iteration)
    public void renew() {
        owner.tick();
    }

    private int nextFrame() {
        next = next + 1 == FRAMES ? 0 : next + 1;
        return next;
    }

    /** Each call by itself, with looks at the clocks of its own. */
    @Benchmark
    public long oneByOne() {
        long sum = 0;
        for (long uid : uids[nextFrame()]) {
            var step = owner.allocator.next(BenchAllocator.NAMESPACE, uid, 1, 0, 0, BenchAllocator.now());
            if (step instanceof Step.Taken taken) {
                sum += owner.allocator.release(taken, BenchAllocator.now()).epoch();
            }
        }
        owner.carryOut();
        return sum;
    }

    /** The wire bytes of a frame by protobuf's own parser. */
    @Benchmark
    public AllocateRequest decodeByProtobuf() throws InvalidProtocolBufferException {
        return AllocateRequest.parseFrom(requests[nextFrame()]);
    }

    /** The same by ours. */
    @Benchmark
    public int decode() throws MalformedMessageException {
        var bytes = requests[nextFrame()];
        codec.readRequest(bytes, 0, bytes.length, calls);
        return calls.uids().size();
    }

    /** From columns to columns. */
    @Benchmark
    public long takeAndRelease() {
        int which = nextFrame();
        calls.clear();
        calls.namespaceName(BenchAllocator.NAMESPACE).verb(FrameVerb.NEXT).correlation(which);
        int first = calls.uids().extend(CALLS);
        System.arraycopy(uids[which], 0, calls.uids().array(), first, CALLS);
        return answer().sequences();
    }

    /** From wire bytes to wire bytes. */
    @Benchmark
    public Buffer decodeTakeReleaseEncode() throws MalformedMessageException {
        var bytes = requests[nextFrame()];
        codec.readRequest(bytes, 0, bytes.length, calls);
        var answers = answer();
        out.clear();
        codec.writeReply(
                new FrameReply(answers.seqs(), answers.segments(), answers.epochs(), answers.bounds())
                        .correlation(answers.correlation()),
                out);
        return out.toBuffer();
    }

    private FrameAnswers answer() {
        var frame = owner.allocator.frame(calls, BenchAllocator.now());
        owner.carryOut();
        return owner.allocator.release(frame, BenchAllocator.now());
    }
}
