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
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What a call of a frame costs, in nanoseconds of CPU time of one thread: 1,000 calls a frame, 1,000,000 users drawn
 * evenly, in 10 segments. All ways take turns in one run, so that whatever else the machine does hits all of them.
 */
public final class FrameCost {
    private static final Logger LOG = System.getLogger(FrameCost.class.getName());
    private static final int CALLS = 1_000;
    private static final int USERS = 1_000_000;
    private static final int FRAMES = 4_000;
    private static final int TURN = 2_000;
    private static final int TURNS = 15;

    private final byte[][] requests = new byte[FRAMES][];
    private final long[][] users = new long[FRAMES][];
    private final FrameCodec codec = new FrameCodec();
    private final FrameCalls calls = new FrameCalls();
    private final WireBytes out = new WireBytes();
    private final BenchAllocator direct = new BenchAllocator(namespace(Keying.DIRECT));
    private final BenchAllocator hashed = new BenchAllocator(namespace(Keying.HASHED));
    private int next;
    private long sum;

    private interface Way {
        void frame(int which) throws MalformedMessageException, InvalidProtocolBufferException;
    }

    private static final class Measured {
        private final String name;
        private final Way way;
        private final long[] nanosPerTurn = new long[TURNS];

        Measured(String name, Way way) {
            this.name = name;
            this.way = way;
        }
    }

    private FrameCost() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < FRAMES; i++) {
            calls.clear();
            calls.namespaceName(BenchAllocator.NAMESPACE).verb(FrameVerb.NEXT).correlation(i);
            users[i] = random.longs(CALLS, 0, USERS).toArray();
            Arrays.stream(users[i]).forEach(calls.uids()::add);
            requests[i] = codec.writeRequest(calls).getBytes();
        }
    }

    private static Namespace namespace(Keying keying) {
        return new Namespace(
                1,
                BenchAllocator.NAMESPACE,
                USERS,
                USERS / 10,
                keying,
                Order.LEASE,
                100_000,
                10_000,
                1_000_000,
                Long.MAX_VALUE);
    }

    /** Measures, and prints one line for each way. */
    public static void main(String[] arguments) throws MalformedMessageException, InvalidProtocolBufferException {
        new FrameCost().run();
    }

    private void run() throws MalformedMessageException, InvalidProtocolBufferException {
        var ways = new Measured[] {
            new Measured("one by one: Allocator.next and release", this::oneByOne),
            new Measured("decode by protobuf", this::decodeByProtobuf),
            new Measured("decode", this::decode),
            new Measured("take and release", which -> sum += take(direct, which).sequences()),
            new Measured(
                    "take and release, HASHED",
                    which -> sum += take(hashed, which).sequences()),
            new Measured("decode, take, release, encode", this::whole)
        };
        var threads = ManagementFactory.getThreadMXBean();
        for (int turn = -3; turn < TURNS; turn++) {
            for (var measured : ways) {
                direct.tick();
                hashed.tick();
                long before = threads.getCurrentThreadCpuTime();
                for (int i = 0; i < TURN; i++) {
                    next = next + 1 == FRAMES ? 0 : next + 1;
                    measured.way.frame(next);
                }
                if (turn >= 0) {
                    measured.nanosPerTurn[turn] = threads.getCurrentThreadCpuTime() - before;
                }
            }
        }
        for (var measured : ways) {
            Arrays.sort(measured.nanosPerTurn);
            LOG.log(
                    Level.INFO,
                    () -> String.format(
                            "%-42s %6.1f ns per call (least %.1f)",
                            measured.name, perCall(measured, TURNS / 2), perCall(measured, 0)));
        }
        LOG.log(Level.INFO, "checksum {0}", sum);
    }

    private static double perCall(Measured measured, int place) {
        return (double) measured.nanosPerTurn[place] / TURN / CALLS;
    }

    private void oneByOne(int which) {
        for (long uid : users[which]) {
            var step = direct.allocator.next(BenchAllocator.NAMESPACE, uid, 1, BenchAllocator.now());
            if (step instanceof Step.Taken taken) {
                sum += direct.allocator.release(taken, BenchAllocator.now()).epoch();
            }
        }
        direct.carryOut();
    }

    private void decodeByProtobuf(int which) throws InvalidProtocolBufferException {
        sum += AllocateRequest.parseFrom(requests[which]).getUidsCount();
    }

    private void decode(int which) throws MalformedMessageException {
        codec.readRequest(requests[which], 0, requests[which].length, calls);
        sum += calls.uids().size();
    }

    private FrameAnswers take(BenchAllocator from, int which) {
        calls.clear();
        calls.namespaceName(BenchAllocator.NAMESPACE).verb(FrameVerb.NEXT).correlation(which);
        int first = calls.uids().extend(CALLS);
        System.arraycopy(users[which], 0, calls.uids().array(), first, CALLS);
        return answer(from);
    }

    private FrameAnswers answer(BenchAllocator from) {
        var frame = from.allocator.frame(calls, BenchAllocator.now());
        from.carryOut();
        return from.allocator.release(frame, BenchAllocator.now());
    }

    private void whole(int which) throws MalformedMessageException {
        codec.readRequest(requests[which], 0, requests[which].length, calls);
        var answers = answer(direct);
        out.clear();
        codec.writeReply(
                new FrameReply(answers.seqs(), answers.segments(), answers.epochs(), answers.bounds())
                        .correlation(answers.correlation()),
                out);
        sum += out.toBuffer().length();
    }
}
