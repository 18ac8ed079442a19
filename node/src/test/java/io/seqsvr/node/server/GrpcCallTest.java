package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.google.rpc.RetryInfo;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Unary gRPC calls: every request ends as one reply or one typed error, whatever its bytes are. */
@Timeout(20)
class GrpcCallTest {
    private static final NextRequest REQUEST = NextRequest.newBuilder()
            .setNamespace("messages")
            .setUid(7)
            .setCount(3)
            .build();
    /** Field 1, length-delimited, longer than what follows. */
    private static final byte[] NO_MESSAGE = {0x0a, 0x7f, 0x01};

    private static final String NEXT_MANY = "/seqsvr.v1.Sequences/NextMany";
    private static final String ALLOCATE = "/seqsvr.v1.Sequences/Allocate";

    private static final String TOO_LARGE =
            "the request is no NextRequest: it is larger than " + UnaryCaller.MAX_MESSAGE_BYTES + " bytes";

    private final TestPort port = new TestPort();
    private final TestClient client = new TestClient(port);

    @AfterEach
    void close() {
        client.close();
        port.close();
    }

    private void assertStillServes() {
        assertEquals(TestPort.reply(REQUEST), TestClient.await(client.call(SequencesRpc.NEXT, REQUEST)));
    }

    private GrpcAnswer next(Buffer body) {
        return client.post(TestClient.NEXT, body);
    }

    private GrpcAnswer nextFailing(Throwable cause) {
        port.onNext((request, timeout, caller) -> Future.failedFuture(cause));
        return next(TestClient.frame(REQUEST));
    }

    @Test
    void requestIsAnsweredWithTheReplyOfItsHandler() {
        var answer = next(TestClient.frame(REQUEST));
        assertEquals(TestPort.reply(REQUEST), answer.only(SequencesRpc.NEXT));
        assertEquals("application/grpc", answer.headers().get("content-type"));
    }

    @Test
    void errorOfAFieldArrivesWithStatusReasonMessageAndField() {
        var answer = nextFailing(RpcException.ofField(
                GrpcStatus.OUT_OF_RANGE, ErrorReason.UID_OUT_OF_RANGE, "uid", "uid is 7; it must be below 5"));
        answer.assertError(GrpcStatus.OUT_OF_RANGE, ErrorReason.UID_OUT_OF_RANGE, "uid is 7; it must be below 5");
        assertEquals(Map.of("field", "uid"), answer.info().getMetadataMap());
        assertEquals("", answer.trailer("grpc-retry-pushback-ms"));
    }

    @Test
    void errorThatWaitingCuresArrivesWithTheDelayInDetailsAndTrailer() throws Exception {
        var answer = nextFailing(RpcException.retryable(
                GrpcStatus.RESOURCE_EXHAUSTED, ErrorReason.TOO_MANY_WAITING, "9 requests wait", 50));
        answer.assertError(GrpcStatus.RESOURCE_EXHAUSTED, ErrorReason.TOO_MANY_WAITING, "9 requests wait");
        assertEquals("50", answer.trailer("grpc-retry-pushback-ms"));
        assertEquals(
                Durations.fromMillis(50),
                answer.details().getDetails(1).unpack(RetryInfo.class).getRetryDelay());
    }

    @Test
    void errorAboutAValueOfTheCallersReachesItWhateverTheValueIs() {
        port.onNext((request, timeout, caller) -> Future.failedFuture(RpcException.of(
                GrpcStatus.NOT_FOUND, ErrorReason.NAMESPACE_UNKNOWN, "no namespace '" + request.getNamespace())));
        var odd = "Grüße\r\ngrpc-status: 0\u0000 100 % + \uD83D\uDE00";
        next(TestClient.frame(NextRequest.newBuilder().setNamespace(odd).build()))
                .assertError(GrpcStatus.NOT_FOUND, ErrorReason.NAMESPACE_UNKNOWN, "no namespace '" + odd);

        var endless =
                NextRequest.newBuilder().setNamespace("\uFFFD".repeat(100_000)).build();
        assertEquals(
                ErrorReason.NAMESPACE_UNKNOWN.name(),
                next(TestClient.frame(endless)).info().getReason());
    }

    @Test
    void bodyThatIsNoMessageIsRefused() {
        var answer = next(TestClient.frame(NO_MESSAGE));
        assertEquals(GrpcStatus.INVALID_ARGUMENT, answer.status());
        assertEquals(ErrorReason.MALFORMED_REQUEST.name(), answer.info().getReason());
        assertEquals(
                "the request is no NextRequest: ",
                answer.message().substring(0, "the request is no NextRequest: ".length()));
        assertStillServes();
    }

    @Test
    void textThatIsNoUtf8IsRefused() {
        var namespace = ByteString.copyFrom(new byte[] {0x0a, 0x02, (byte) 0xc3, 0x28});
        assertEquals(
                GrpcStatus.INVALID_ARGUMENT,
                next(TestClient.frame(namespace.toByteArray())).status());
        assertStillServes();
    }

    @Test
    void noMessageAndTwoMessagesAreRefused() {
        next(Buffer.buffer())
                .assertError(
                        GrpcStatus.INVALID_ARGUMENT,
                        ErrorReason.MALFORMED_REQUEST,
                        "the request is no NextRequest: the call carried 0 messages, not 1");
        next(TestClient.frame(REQUEST).appendBuffer(TestClient.frame(REQUEST)))
                .assertError(
                        GrpcStatus.INVALID_ARGUMENT,
                        ErrorReason.MALFORMED_REQUEST,
                        "the request is no NextRequest: the call carried 2 messages, not 1");
        assertStillServes();
    }

    @Test
    void messageCutShortIsRefused() {
        var whole = TestClient.frame(REQUEST);
        assertEquals(
                GrpcStatus.INVALID_ARGUMENT,
                next(whole.slice(0, whole.length() - 1)).status());
        assertEquals(GrpcStatus.INVALID_ARGUMENT, next(whole.slice(0, 3)).status());
        assertStillServes();
    }

    @Test
    void moreThanOneMessageIsRefusedHoweverLittleMore() {
        next(TestClient.frame(REQUEST).appendByte((byte) 0))
                .assertError(
                        GrpcStatus.INVALID_ARGUMENT,
                        ErrorReason.MALFORMED_REQUEST,
                        "the request is no NextRequest: the call ends within a second message");
        assertStillServes();
    }

    @Test
    void messageThatIsCompressedInAWayThatNobodyNamesIsRefused() {
        next(TestClient.frame(REQUEST).setByte(0, (byte) 1))
                .assertError(
                        GrpcStatus.INVALID_ARGUMENT,
                        ErrorReason.MALFORMED_REQUEST,
                        "the request is no NextRequest: it is compressed, and no grpc-encoding says how");
        assertStillServes();
    }

    @Test
    void messageInManyChunksIsRead() {
        var namespace = "x".repeat(1 << 20);
        var seen = new AtomicInteger();
        port.onNext((request, timeout, caller) -> {
            seen.set(request.getNamespace().length());
            return Future.succeededFuture(TestPort.reply(REQUEST));
        });
        var wide = NextRequest.newBuilder().setNamespace(namespace).build();
        assertEquals(TestPort.reply(REQUEST), next(TestClient.frame(wide)).only(SequencesRpc.NEXT));
        assertEquals(namespace.length(), seen.get());
    }

    @Test
    void messageBeyondTheBoundIsRefused() {
        var tooLarge = NextRequest.newBuilder()
                .setNamespace("x".repeat(UnaryCaller.MAX_MESSAGE_BYTES))
                .build();
        next(TestClient.frame(tooLarge))
                .assertError(GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, TOO_LARGE);
        next(Buffer.buffer("GET / HTTP/1.1\r\n\r\n"))
                .assertError(GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, TOO_LARGE);
        assertStillServes();
    }

    @Test
    void compressedMessageIsRead() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            REQUEST.writeTo(gzip);
        }
        var frame = TestClient.frame(packed.toByteArray()).setByte(0, (byte) 1);
        var answer =
                client.post(TestClient.NEXT, MultiMap.caseInsensitiveMultiMap().set("grpc-encoding", "gzip"), frame);
        assertEquals(TestPort.reply(REQUEST), answer.only(SequencesRpc.NEXT));
    }

    /** A megabyte may hold a gigabyte. */
    @Test
    void compressedMessageIsUnpackedAsFarAsAMessageMayGo() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(new byte[64 << 20]);
        }
        var zipped = MultiMap.caseInsensitiveMultiMap().set("grpc-encoding", "gzip");
        client.post(
                        TestClient.NEXT,
                        zipped,
                        TestClient.frame(packed.toByteArray()).setByte(0, (byte) 1))
                .assertError(GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, TOO_LARGE);
        client.post(
                        TestClient.NEXT,
                        zipped,
                        TestClient.frame("no gzip".getBytes(StandardCharsets.UTF_8))
                                .setByte(0, (byte) 1))
                .assertError(
                        GrpcStatus.INVALID_ARGUMENT,
                        ErrorReason.MALFORMED_REQUEST,
                        "the request is no NextRequest: it is compressed, but not by gzip: Not in GZIP format");
        assertStillServes();
    }

    /** As objects they take thirty times as much: what follows them was not looked at, as nothing was parsed. */
    @Test
    void itemsAreCountedBeforeTheyAreParsed() throws IOException {
        var items = new byte[UnaryCaller.MAX_MESSAGE_BYTES];
        for (int i = 0; i < items.length; i += 2) {
            items[i] = 0x12;
        }
        items[items.length - 1] = 0x7f;
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(items);
        }
        var zipped = MultiMap.caseInsensitiveMultiMap().set("grpc-encoding", "gzip");
        client.post(NEXT_MANY, zipped, TestClient.frame(packed.toByteArray()).setByte(0, (byte) 1))
                .assertError(
                        GrpcStatus.INVALID_ARGUMENT,
                        ErrorReason.TOO_MANY_ITEMS,
                        "items are 2097151; there must be at most 10000");
        var few = client.post(NEXT_MANY, TestClient.frame((byte) 0x12, (byte) 0x7f));
        assertEquals(ErrorReason.MALFORMED_REQUEST.name(), few.info().getReason());
        assertStillServes();
    }

    @Test
    void whatNobodyHereUnpacksIsRefused() {
        assertNotUnpacked(TestClient.NEXT, "zstd", "identity,gzip");
        assertNotUnpacked(ALLOCATE, "zstd", "identity");
        assertNotUnpacked("/grpc.health.v1.Health/Watch", "zstd", "identity");
        // The library would unpack it without a bound.
        assertNotUnpacked("/grpc.health.v1.Health/Check", "gzip", "identity");
        assertStillServes();
    }

    private void assertNotUnpacked(String path, String encoding, String accepted) {
        var answer = client.post(
                path, MultiMap.caseInsensitiveMultiMap().set("grpc-encoding", encoding), TestClient.frame(REQUEST));
        answer.assertError(
                GrpcStatus.UNIMPLEMENTED,
                ErrorReason.MALFORMED_REQUEST,
                "grpc-encoding is " + encoding + "; what is understood is " + accepted);
        assertEquals(accepted, answer.headers().get("grpc-accept-encoding"));
    }

    @Test
    void emptyMessageIsAMessage() {
        port.onNext((request, timeout, caller) -> Future.failedFuture(RpcException.ofField(
                GrpcStatus.INVALID_ARGUMENT, ErrorReason.FIELD_MISSING, "uid", "has uid: " + request.hasUid())));
        next(TestClient.frame()).assertError(GrpcStatus.INVALID_ARGUMENT, ErrorReason.FIELD_MISSING, "has uid: false");
    }

    @Test
    void unknownMethodAndUnknownServiceAreUnimplemented() {
        for (var path : new String[] {"/seqsvr.v1.Sequences/Last", "/seqsvr.v1.Numbers/Next", "/Next", "/"}) {
            client.post(path, TestClient.frame(REQUEST))
                    .assertError(
                            GrpcStatus.UNIMPLEMENTED,
                            ErrorReason.PATH_UNKNOWN,
                            "there is no method at " + path + " for application/grpc over HTTP_2");
        }
        assertEquals(4, port.refused(ErrorReason.PATH_UNKNOWN));
        assertStillServes();
    }

    /** Browsers cannot stream both ways. */
    @Test
    void streamOfFramesIsNoMethodOfBrowsers() {
        var answer = TestClient.await(client.onLoop(() -> client.open(ALLOCATE)
                .compose(request -> request.putHeader("content-type", "application/grpc-web+proto")
                        .send(TestClient.frame(REQUEST)))
                .compose(TestClient::wholeAnswer)));
        answer.assertError(
                GrpcStatus.UNIMPLEMENTED,
                ErrorReason.PATH_UNKNOWN,
                "there is no method at " + ALLOCATE + " for application/grpc-web+proto over HTTP_2");
    }

    @Test
    void defectOfAHandlerIsInternalAndTellsNothingOfItsInside() {
        var secret = "password=hunter2";
        var thrown = new IllegalStateException(secret);
        port.onNext((request, timeout, caller) -> {
            throw thrown;
        });
        for (var answer : new GrpcAnswer[] {next(TestClient.frame(REQUEST)), nextFailing(thrown)}) {
            answer.assertError(
                    GrpcStatus.INTERNAL,
                    ErrorReason.INTERNAL_DEFECT,
                    "Next failed by a defect of the server; its log tells more");
            assertFalse(answer.toString().contains(secret), answer::toString);
            assertFalse(answer.details().toString().contains(secret));
            assertFalse(answer.headers().toString().contains("IllegalState"));
        }
    }
}
