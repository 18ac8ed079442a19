package io.seqsvr.chaos.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Message;
import io.seqsvr.chaos.grpc.CallFailure.Kind;
import io.seqsvr.proto.v1.CurrentManyReply;
import io.seqsvr.proto.v1.CurrentResult;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.ItemError;
import io.seqsvr.proto.v1.LastSequence;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextResult;
import io.seqsvr.proto.v1.TakenRange;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.server.GrpcServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls for many users at once, of whom each is answered or refused for itself. */
class BareClientManyTest {
    private static final long[] UIDS = {7, 8};

    private final Vertx vertx = Vertx.vertx();
    private volatile Message reply = NextManyReply.getDefaultInstance();
    private final HttpServer server = vertx.createHttpServer()
            .requestHandler(GrpcServer.server(vertx)
                    .callHandler(call -> call.handler(body -> call.response().end(Buffer.buffer(reply.toByteArray())))))
            .listen(0, "127.0.0.1")
            .await();
    private final BareClient client = new BareClient("127.0.0.1", server.actualPort(), Duration.ofSeconds(5));

    @AfterEach
    void close() {
        client.close();
        vertx.close().await();
    }

    private static ItemError error(ErrorReason reason) {
        return ItemError.newBuilder().setReason(reason).setMessage("so it is").build();
    }

    private static NextManyReply taken(ErrorReason ofTheOther) {
        return NextManyReply.newBuilder()
                .addResults(NextResult.newBuilder()
                        .setUid(7)
                        .setTaken(TakenRange.newBuilder().setFirst(4).setLast(4).setEpoch(2)))
                .addResults(NextResult.newBuilder().setUid(8).setError(error(ofTheOther)))
                .build();
    }

    @Test
    void whoIsRefusedGetsNothingAndTheOthersTheirs() throws Exception {
        reply = taken(ErrorReason.NOT_OWNER);
        assertEquals(
                List.of(Optional.of(new Given(7, 4, 4, 2)), Optional.empty()),
                Stages.of(client.nextMany("messages", UIDS)));
    }

    @Test
    void aDefectThatAServerAdmitsForOneIsToldThoughTheOthersAreServed() {
        reply = taken(ErrorReason.INTERNAL_DEFECT);
        var failure = Stages.failure(client.nextMany("messages", UIDS));
        assertEquals(Kind.DEFECT, failure.kind());
        assertEquals("so it is", failure.getMessage());
    }

    @Test
    void theSameOfReadings() throws Exception {
        var told = CurrentManyReply.newBuilder()
                .addResults(CurrentResult.newBuilder()
                        .setUid(7)
                        .setLast(LastSequence.newBuilder().setSeq(4).setEpoch(2)));
        reply = told.build();
        assertEquals(List.of(Optional.of(new Told(7, 4, 2))), Stages.of(client.currentMany("messages", UIDS)));
        reply = told.addResults(CurrentResult.newBuilder().setUid(8).setError(error(ErrorReason.INTERNAL_DEFECT)))
                .build();
        assertEquals(
                Kind.DEFECT,
                Stages.failure(client.currentMany("messages", UIDS)).kind());
    }
}
