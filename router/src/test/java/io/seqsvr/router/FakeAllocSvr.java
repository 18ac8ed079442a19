package io.seqsvr.router;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.node.server.StreamReplies;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.codec.FrameRefusal;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An allocator on a real port that answers frames as the test wants and remembers what it was asked. */
final class FakeAllocSvr implements AutoCloseable {
    /** Not older than any table of these tests. */
    static final long EPOCH = 100;

    private final Vertx vertx = NodeServer.newVertx();
    private final FrameCodec codec = new FrameCodec();
    private final Queue<FrameCalls> frames = new ConcurrentLinkedQueue<>();
    private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    private final NodeServer port;
    private volatile Function<FrameCalls, @Nullable FrameReply> answers;
    private volatile boolean serving = true;
    private volatile long lateMillis;

    /**
     * One call that came.
     *
     * @param count 1 if it did not say
     * @param floor at_least or the floor, 0 if it had none
     */
    record Asked(FrameVerb verb, long uid, long count, long floor) {}

    /** Answers every call with {@code seq}, by which a test knows who answered. */
    FakeAllocSvr(long seq) {
        answers = calls -> reply(calls, seq, EPOCH);
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        port = NodeServer.onContext(
                        vertx.getOrCreateContext(),
                        () -> new NodeServer.Builder(vertx, registry, "allocsvr")
                                .stream(
                                                SequencesRpc.ALLOCATE,
                                                replies -> (bytes, from, to) -> take(bytes, from, to, replies))
                                        .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(serving)))
                .await();
    }

    private void take(byte[] bytes, int from, int to, StreamReplies replies) {
        var calls = new FrameCalls();
        try {
            codec.readRequest(bytes, from, to, calls);
        } catch (MalformedMessageException malformed) {
            throw new IllegalStateException(malformed);
        }
        frames.add(calls);
        for (int i = 0; i < calls.uids().size(); i++) {
            asked.add(new Asked(
                    FrameVerb.of(calls.verb()).orElseThrow(),
                    calls.uids().get(i),
                    calls.counts().isEmpty() ? 1 : calls.counts().get(i),
                    calls.floors().isEmpty() ? 0 : calls.floors().get(i)));
        }
        var reply = answers.apply(calls);
        if (reply == null) {
            // As one that waits for StoreSvr.
            replies.hold();
            return;
        }
        reply.correlation(calls.correlation());
        if (calls.uids().size() > 1 && lateMillis > 0) {
            vertx.setTimer(lateMillis, late -> write(reply, replies));
        } else {
            write(reply, replies);
        }
    }

    private void write(FrameReply reply, StreamReplies replies) {
        codec.writeReply(reply, replies.begin());
        replies.sent();
    }

    /** From now on it takes its time for frames of several calls, and none for others. */
    void takesItsTime(long millis) {
        lateMillis = millis;
    }

    /**
     * For each call the sequence {@code seq}, under one epoch for all segments that are named; readings are bounds, and
     * lifts stand where they want.
     */
    static FrameReply reply(FrameCalls calls, long seq, long epoch) {
        var reply = new FrameReply();
        for (int i = 0; i < calls.uids().size(); i++) {
            boolean lift = calls.verb() == FrameVerb.RAISE_FLOOR.number();
            reply.seqs().add(lift ? calls.floors().get(i) : seq);
            if (calls.verb() == FrameVerb.CURRENT.number()) {
                reply.bounds().add(i);
            }
        }
        for (int i = 0; i < calls.segments().size(); i++) {
            reply.segments().add(calls.segments().get(i));
            reply.epochs().add(epoch);
        }
        return reply;
    }

    /** Refuses calls at some places of a frame, all if none is named. */
    static FrameReply refusal(ErrorReason reason, String message, int... places) {
        var reply = new FrameReply();
        reply.refusals().add(new FrameRefusal(reason.getNumber(), message, 50, IntColumn.of(places)));
        return reply;
    }

    /** From now on it answers so; with null, not at all: it keeps the frame. */
    void onFrame(Function<FrameCalls, @Nullable FrameReply> handler) {
        answers = handler;
    }

    void serves(boolean well) {
        serving = well;
    }

    HostPort address() {
        return port.address();
    }

    /** The calls that came so far. */
    Queue<Asked> asked() {
        return asked;
    }

    /** The frames that came so far. */
    Queue<FrameCalls> frames() {
        return frames;
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
