package io.seqsvr.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.codec.NextCodec;
import io.seqsvr.proto.codec.WireBytes;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the messages of one Next cost its caller, with our codec and with protobuf's. One operation is one message. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(NextBenchmark.CALLS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class NextBenchmark {
    static final int CALLS = 1_000;
    private static final int USERS = 1_000_000;
    private static final String NAMESPACE = "messages";

    private final NextCodec codec = new NextCodec(NAMESPACE);
    private final WireBytes out = new WireBytes();
    private final long[] uids = new long[CALLS];
    private final byte[][] replies = new byte[CALLS][];

    /** Draws users, and what they are answered. */
    @Setup
    public void draw() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < CALLS; i++) {
            uids[i] = random.nextLong(USERS);
            long number = random.nextLong(1, 1L << 40);
            replies[i] = NextReply.newBuilder()
                    .setUid(uids[i])
                    .setFirst(number)
                    .setLast(number)
                    .setEpoch(17)
                    .build()
                    .toByteArray();
        }
    }

    /** A request, written by our codec. */
    @Benchmark
    public int request() {
        out.clear();
        for (long uid : uids) {
            codec.writeRequest(uid, out);
        }
        return out.size();
    }

    /** The same by protobuf. */
    @Benchmark
    public long requestByProtobuf() {
        long size = 0;
        for (long uid : uids) {
            size += NextRequest.newBuilder()
                    .setNamespace(NAMESPACE)
                    .setUid(uid)
                    .build()
                    .toByteArray()
                    .length;
        }
        return size;
    }

    /** A reply, read by our codec. */
    @Benchmark
    public long reply() throws MalformedMessageException {
        long sum = 0;
        for (var reply : replies) {
            codec.readReply(reply, 0, reply.length);
            sum += codec.uid() ^ codec.last();
        }
        return sum;
    }

    /** The same by protobuf. */
    @Benchmark
    public long replyByProtobuf() throws InvalidProtocolBufferException {
        long sum = 0;
        for (var bytes : replies) {
            var reply = NextReply.parseFrom(bytes);
            sum += reply.getUid() ^ reply.getLast();
        }
        return sum;
    }
}
