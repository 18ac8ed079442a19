package io.seqsvr.chaos.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.chaos.grpc.CallFailure.Kind;
import io.seqsvr.proto.v1.AllocateReply;
import io.seqsvr.proto.v1.AllocateRequest;
import io.seqsvr.proto.v1.FrameVerb;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames on a stream, and what their caller hears when a server answers late, wrongly or not at all. */
class FrameClientTest {
    /** The first call of a process takes its time on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    private final HttpServer server = vertx.createHttpServer()
            .requestHandler(GrpcServer.server(vertx)
                    .callHandler(call -> call.handler(
                            body -> frames.add(new Frame(vertx.getOrCreateContext(), call, parsed(body))))))
            .listen(0, "127.0.0.1")
            .await();
    private final FrameClient client = new FrameClient("127.0.0.1", server.actualPort(), PATIENCE, uid -> 0);

    /** A frame that has come to the server, and the stream on which it came. */
    private record Frame(Context context, GrpcServerRequest<Buffer, Buffer> stream, AllocateRequest request) {
        void answer(long seq) {
            answer(AllocateReply.newBuilder()
                    .setCorrelation(request.getCorrelation())
                    .addSeqs(seq)
                    .addSegments(0)
                    .addEpochs(3)
                    .build()
                    .toByteArray());
        }

        void end(GrpcStatus status) {
            context.runOnContext(there -> stream.response().status(status).end());
        }

        void answer(byte[] message) {
            context.runOnContext(there -> stream.response().write(Buffer.buffer(message)));
        }
    }

    private static AllocateRequest parsed(Buffer body) {
        try {
            return AllocateRequest.parseFrom(body.getBytes());
        } catch (InvalidProtocolBufferException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    @AfterEach
    void close() {
        client.close();
        vertx.close().await();
    }

    private CompletionStage<List<Optional<Given>>> next(long uid) {
        return client.nextMany("messages", new long[] {uid});
    }

    private Frame frame() throws InterruptedException {
        var frame = frames.poll(Stages.SOON_SECONDS, TimeUnit.SECONDS);
        assertNotNull(frame, "no frame came");
        return frame;
    }

    private static List<Optional<Given>> given(long uid, long seq) {
        return List.of(Optional.of(new Given(uid, seq, seq, 3)));
    }

    @Test
    void framesOfOneStreamAreAnsweredInAnyOrderEachWithItsOwnReply() throws Exception {
        var first = next(7);
        frame().answer(40);
        assertEquals(given(7, 40), Stages.of(first));
        var early = next(7);
        var late = client.currentMany("messages", new long[] {8});
        var earlyFrame = frame();
        var lateFrame = frame();
        assertEquals(FrameVerb.FRAME_CURRENT, lateFrame.request().getVerb());
        assertEquals(earlyFrame.stream(), lateFrame.stream());
        lateFrame.answer(50);
        assertEquals(List.of(Optional.of(new Told(8, 50, 3))), Stages.of(late));
        earlyFrame.answer(41);
        assertEquals(given(7, 41), Stages.of(early));
    }

    @Test
    void aFrameThatIsNotAnsweredInTimeIsUnknownAndTheNextOneHasAnotherStream() throws Exception {
        var asked = next(7);
        var silent = frame();
        assertEquals(Kind.UNKNOWN, Stages.failure(asked).kind());
        var again = next(7);
        var frame = frame();
        assertNotEquals(silent.stream(), frame.stream());
        frame.answer(5);
        assertEquals(given(7, 5), Stages.of(again));
    }

    @Test
    void whatAServerEndsLeavesItsFramesUnknown() throws Exception {
        var asked = next(7);
        frame().end(GrpcStatus.UNAVAILABLE);
        assertEquals(Kind.UNKNOWN, Stages.failure(asked).kind());
        var again = next(7);
        frame().answer(6);
        assertEquals(given(7, 6), Stages.of(again));
    }

    @Test
    void bytesThatAreNoReplyAreADefect() throws Exception {
        var asked = next(7);
        frame().answer(new byte[] {(byte) 0xff});
        assertEquals(Kind.DEFECT, Stages.failure(asked).kind());
    }

    @Test
    void aReplyThatDoesNotFitItsFrameIsADefect() throws Exception {
        var asked = client.nextMany("messages", new long[] {7, 8});
        frame().answer(1);
        assertEquals(Kind.DEFECT, Stages.failure(asked).kind());
    }

    @Test
    void whereNobodyListensTheOutcomeIsUnknown() {
        server.close().await();
        assertEquals(Kind.UNKNOWN, Stages.failure(next(7)).kind());
    }
}
