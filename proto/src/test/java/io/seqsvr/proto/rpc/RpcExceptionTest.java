package io.seqsvr.proto.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.MultiMap;
import io.vertx.grpc.common.GrpcStatus;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** An error that goes out as trailers comes back as the same error; foreign trailers are read with care. */
class RpcExceptionTest {
    private static final String DETAILS = "grpc-status-details-bin";
    private static final String PUSHBACK = "grpc-retry-pushback-ms";

    private static MultiMap written(RpcException error) {
        var trailers = MultiMap.caseInsensitiveMultiMap();
        error.writeTo(trailers);
        return trailers;
    }

    private static RpcException read(GrpcStatus status, MultiMap trailers) {
        return RpcException.fromTrailers(status, "what grpc-message said", trailers);
    }

    private static void assertSame(RpcException sent, RpcException received) {
        assertEquals(sent.status(), received.status());
        assertEquals(sent.reason(), received.reason());
        assertEquals(sent.message(), received.message());
        assertEquals(sent.metadata(), received.metadata());
        assertEquals(sent.retryAfterMillis(), received.retryAfterMillis());
    }

    @ParameterizedTest
    @EnumSource(value = ErrorReason.class, mode = Mode.EXCLUDE, names = "UNRECOGNIZED")
    void everyReasonComesBack(ErrorReason reason) {
        var sent = RpcException.of(GrpcStatus.UNAVAILABLE, reason, "a sentence");
        assertSame(sent, read(GrpcStatus.UNAVAILABLE, written(sent)));
    }

    @Test
    void fieldOfAnErrorComesBack() {
        var sent = RpcException.ofField(
                GrpcStatus.INVALID_ARGUMENT, ErrorReason.COUNT_OUT_OF_BOUNDS, "count", "count is 0");
        assertEquals(Map.of("field", "count"), sent.metadata());
        assertSame(sent, read(GrpcStatus.INVALID_ARGUMENT, written(sent)));
    }

    @Test
    void delayOfARetryComesBackAndStandsInTheTrailerThatLibrariesActOn() {
        var sent = RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.LEASE_EXPIRED, "no lease", 1_050);
        assertEquals("1050", written(sent).get(PUSHBACK));
        assertSame(sent, read(GrpcStatus.UNAVAILABLE, written(sent)));
    }

    @Test
    void retryAtOnceIsNotTheSameAsNoRetry() {
        var atOnce = RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "starting", 0);
        assertEquals("0", written(atOnce).get(PUSHBACK));
        assertEquals(0, read(GrpcStatus.UNAVAILABLE, written(atOnce)).retryAfterMillis());

        var never = RpcException.of(GrpcStatus.NOT_FOUND, ErrorReason.NAMESPACE_UNKNOWN, "no namespace");
        assertEquals(null, written(never).get(PUSHBACK));
        assertTrue(read(GrpcStatus.NOT_FOUND, written(never)).retryAfterMillis() < 0);
    }

    @Test
    void anyTextComesBackUnchanged() {
        var text = "there is no namespace 'Grüße\r\n\t100 % + \u0000 \uD83D\uDE00'";
        var sent = RpcException.of(GrpcStatus.NOT_FOUND, ErrorReason.NAMESPACE_UNKNOWN, text);
        assertEquals(text, read(GrpcStatus.NOT_FOUND, written(sent)).message());
    }

    /** A message may name a value of any length, and HTTP/2 peers end connections over headers above 8 KiB. */
    @Test
    void errorAboutAnEndlessValuePassesAsHeaders() {
        for (var character : new String[] {"x", "%", "ü", "\uFFFD", "\uD83D\uDE00"}) {
            var sent = RpcException.of(
                    GrpcStatus.NOT_FOUND,
                    ErrorReason.NAMESPACE_UNKNOWN,
                    "there is no namespace '" + character.repeat(100_000));
            int grpcMessage =
                    URLEncoder.encode(sent.message(), StandardCharsets.UTF_8).length();
            int details = String.valueOf(written(sent).get(DETAILS)).length();
            assertTrue(grpcMessage + details < 7_000, () -> grpcMessage + " and " + details + " bytes");
            assertTrue(sent.message().startsWith("there is no namespace '" + character), sent::message);
            assertTrue(sent.message().endsWith("..."), sent::message);
        }
    }

    @Test
    void detailsAreReadWithPaddingToo() {
        var sent = RpcException.ofField(GrpcStatus.OUT_OF_RANGE, ErrorReason.UID_OUT_OF_RANGE, "uid", "uid is 7");
        var padded = MultiMap.caseInsensitiveMultiMap()
                .set(DETAILS, Base64.getEncoder().encodeToString(sent.toStatus().toByteArray()));
        assertSame(sent, read(GrpcStatus.OUT_OF_RANGE, padded));
    }

    @Test
    void errorWithoutDetailsKeepsStatusAndMessage() {
        var error = read(GrpcStatus.UNIMPLEMENTED, MultiMap.caseInsensitiveMultiMap());
        assertEquals(GrpcStatus.UNIMPLEMENTED, error.status());
        assertEquals("what grpc-message said", error.message());
        assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, error.reason());
        assertTrue(error.retryAfterMillis() < 0);
    }

    @Test
    void unreadableDetailsDoNotHideTheError() {
        for (var broken : new String[] {"*not base64*", "////"}) {
            var error = read(
                    GrpcStatus.UNAVAILABLE, MultiMap.caseInsensitiveMultiMap().set(DETAILS, broken));
            assertEquals(GrpcStatus.UNAVAILABLE, error.status());
            assertTrue(error.message().startsWith("what grpc-message said (with unreadable details: "), error::message);
            assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, error.reason());
        }
    }

    @Test
    void reasonOfAnotherDomainOrOfALaterVersionIsUnspecified() {
        assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, reasonOf("example.org", "NOT_OWNER"));
        assertEquals(ErrorReason.ERROR_REASON_UNSPECIFIED, reasonOf(RpcException.DOMAIN, "INVENTED_LATER"));
        assertEquals(ErrorReason.NOT_OWNER, reasonOf(RpcException.DOMAIN, "NOT_OWNER"));
    }

    private static ErrorReason reasonOf(String domain, String reason) {
        var status = Status.newBuilder()
                .setMessage("a sentence")
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain(domain)
                        .setReason(reason)
                        .build()))
                .build();
        var encoded = Base64.getEncoder().encodeToString(status.toByteArray());
        return read(
                        GrpcStatus.FAILED_PRECONDITION,
                        MultiMap.caseInsensitiveMultiMap().set(DETAILS, encoded))
                .reason();
    }
}
