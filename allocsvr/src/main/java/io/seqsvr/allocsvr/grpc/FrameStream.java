package io.seqsvr.allocsvr.grpc;

import io.seqsvr.allocsvr.role.AllocatorLoop;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.FrameAnswers;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.frame.LongColumn;
import io.seqsvr.node.api.PublicApi;
import io.seqsvr.node.server.StreamHandler;
import io.seqsvr.node.server.StreamReplies;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.codec.FrameRefusal;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.grpc.common.GrpcStatus;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** One stream of frames: reads each, has the allocator answer it, and writes the reply. */
final class FrameStream implements StreamHandler.Receiver {
    private static final Answer.Refused STARTING = new Answer.Refused(Refusal.NOT_READY, "the allocator is starting");

    private final StreamReplies replies;
    private final Supplier<Optional<AllocatorLoop>> loop;
    private final FrameCodec codec = new FrameCodec();
    /** The frame that is being read; what waits keeps nothing of it. */
    private final FrameCalls calls = new FrameCalls();

    FrameStream(StreamReplies replies, Supplier<Optional<AllocatorLoop>> loop) {
        this.replies = replies;
        this.loop = loop;
    }

    @Override
    public void message(byte[] bytes, int from, int to) throws RpcException {
        try {
            codec.readRequest(bytes, from, to, calls);
        } catch (MalformedMessageException malformed) {
            throw RpcException.of(
                    GrpcStatus.INVALID_ARGUMENT,
                    ErrorReason.MALFORMED_REQUEST,
                    "a message is no AllocateRequest: " + malformed.message());
        }
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
            reply.refusals().add(refusal(refused));
        }
        codec.writeReply(reply, replies.begin());
        replies.sent();
    }

    private static FrameRefusal refusal(FrameAnswers.Refused refused) {
        var error = PublicApi.error(refused.first());
        return new FrameRefusal(
                error.reason().getNumber(),
                error.message(),
                (int) Math.max(0, error.retryAfterMillis()),
                refused.places());
    }
}
