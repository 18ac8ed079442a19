package io.seqsvr.allocsvr.grpc;

import io.seqsvr.allocsvr.role.AllocatorLoop;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.FrameAnswers;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import io.seqsvr.node.api.FrameApi;
import io.seqsvr.node.api.FrameReader;
import io.seqsvr.node.api.RoutesService;
import io.seqsvr.node.server.StreamHandler;
import io.seqsvr.node.server.StreamReplies;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.rpc.RpcException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** One stream of frames: reads each, has the allocator answer it, and writes the reply. */
final class FrameStream implements StreamHandler.Receiver {
    private static final Answer.Refused STARTING = new Answer.Refused(Refusal.NOT_READY, "the allocator is starting");

    private final StreamReplies replies;
    private final Supplier<Optional<AllocatorLoop>> loop;
    private final FrameReader reader;
    private final RoutesService routes;
    /** Version of the newest picture that the caller has named or was shown here; 0 if it wants none. */
    private long knownRoutes;
    /** Version of the newest picture here when somebody was refused last: looked at once, also if it is too large. */
    private long lastRoutes;

    /**
     * A stream without a frame.
     *
     * @param reader shared by the streams of one event loop
     * @param routes shows who owns what to callers that were refused for not knowing it
     */
    FrameStream(
            StreamReplies replies, Supplier<Optional<AllocatorLoop>> loop, FrameReader reader, RoutesService routes) {
        this.replies = replies;
        this.loop = loop;
        this.reader = reader;
        this.routes = routes;
    }

    @Override
    public void message(byte[] bytes, int from, int to) throws RpcException {
        var calls = reader.read(bytes, from, to);
        knownRoutes = Math.max(knownRoutes, calls.routesVersion());
        var serving = loop.get();
        if (serving.isEmpty()) {
            write(starting(calls.correlation()));
            return;
        }
        var answers = serving.get().frame(calls, this::later);
        if (answers.isPresent()) {
            write(answers.get());
        } else {
            replies.hold();
        }
    }

    /**
     * Who asks here for what somebody else owns goes by an old picture. Or this process does, right after a hand-over:
     * then it has nothing to show or shows what is of no use, and shows the next picture when it has seen it.
     */
    private void show(FrameReply reply) {
        long newest = routes.version();
        if (knownRoutes > 0 && newest > lastRoutes) {
            lastRoutes = newest;
            routes.newerThan(knownRoutes).ifPresent(changes -> {
                reply.routes(changes);
                knownRoutes = newest;
            });
        }
    }

    private void later(FrameAnswers answers) {
        if (!replies.over()) {
            write(answers);
        }
        replies.release();
    }

    private static FrameAnswers starting(long correlation) {
        var refused = new FrameAnswers.Refused(STARTING, new IntColumn());
        return new FrameAnswers(
                correlation, new LongColumn(), new IntColumn(), new LongColumn(), new IntColumn(), List.of(refused), 0);
    }

    private void write(FrameAnswers answers) {
        var reply = new FrameReply(answers.seqs(), answers.segments(), answers.epochs(), answers.bounds())
                .correlation(answers.correlation());
        for (var refused : answers.refusals()) {
            reply.refusals().add(FrameApi.refusal(refused.first(), refused.places()));
            if (refused.first().refusal() == Refusal.NOT_OWNER) {
                show(reply);
            }
        }
        reader.codec().writeReply(reply, replies.begin());
        replies.sent();
    }
}
