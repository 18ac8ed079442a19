package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.Message;
import io.seqsvr.client.SequenceException.Kind;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.grpc.common.GrpcStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a caller of the client gets: the sequences asked for, or an exception that says what to do next. */
@Timeout(20)
class SequenceClientTest {
    private static final Duration GENEROUS = Duration.ofSeconds(10);

    /** Nobody listens there, and no system gives it to anybody who asks for a free one. */
    private static final int NOBODYS_PORT = 1;

    private final BlockingQueue<Message> seen = new LinkedBlockingQueue<>();
    private Function<Message, Future<? extends Message>> answers = request -> Future.failedFuture("no answer yet");
    private final FakeServer server = new FakeServer(request -> {
        seen.add(request);
        return answers.apply(request);
    });
    private final SequenceClient client = SequenceClient.of("127.0.0.1", server.port(), GENEROUS);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private void answer(Message reply) {
        answers = request -> Future.succeededFuture(reply);
    }

    private static SequenceException errorOf(CompletionStage<?> stage) {
        try {
            var answer = stage.toCompletableFuture().get(GENEROUS.toSeconds(), TimeUnit.SECONDS);
            return fail("an answer came: " + answer);
        } catch (ExecutionException failed) {
            return failed.getCause() instanceof SequenceException typed ? typed : fail(failed.getCause());
        } catch (TimeoutException | InterruptedException hanging) {
            return fail("the call did not end", hanging);
        }
    }

    private static NextReply.Builder range(long uid, long first, long last) {
        return NextReply.newBuilder().setUid(uid).setFirst(first).setLast(last).setEpoch(3);
    }

    private static CurrentReply.Builder reading(long uid, long seq, Exactness exactness) {
        return CurrentReply.newBuilder()
                .setUid(uid)
                .setSeq(seq)
                .setExactness(exactness)
                .setEpoch(3);
    }

    @Test
    void nextAsksForNamespaceUserAndCountAndGivesTheRange() {
        answer(range(7, 11, 15).build());
        assertEquals(new SequenceRange(7, 11, 15, 3), SequenceClient.join(client.next("messages", 7, 5)));
        assertEquals(
                NextRequest.newBuilder()
                        .setNamespace("messages")
                        .setUid(7)
                        .setCount(5)
                        .build(),
                seen.remove());
    }

    @Test
    void currentAsksForNamespaceAndUserAndSaysHowTheAnswerIsToBeRead() {
        answer(reading(7, 15, Exactness.EXACT).build());
        assertEquals(
                new CurrentSequence(7, 15, CurrentSequence.Exactness.EXACT, 3),
                SequenceClient.join(client.current("messages", 7)));
        assertEquals(
                CurrentRequest.newBuilder().setNamespace("messages").setUid(7).build(), seen.remove());

        answer(reading(7, 0, Exactness.UPPER_BOUND).build());
        assertEquals(
                new CurrentSequence(7, 0, CurrentSequence.Exactness.UPPER_BOUND, 3),
                SequenceClient.join(client.current("messages", 7)));
    }

    @Test
    void exactnessOfALaterVersionIsReadAsABound() {
        answer(reading(7, 15, Exactness.EXACT).setExactnessValue(99).build());
        assertEquals(
                CurrentSequence.Exactness.UPPER_BOUND,
                SequenceClient.join(client.current("messages", 7)).exactness());
    }

    @Test
    void userZeroAndTheGreatestUserAreUsers() {
        for (long uid : new long[] {0, -1}) {
            answer(range(uid, 1, 1).build());
            assertEquals(new SequenceRange(uid, 1, 1, 3), SequenceClient.join(client.next("messages", uid, 1)));
            assertTrue(((NextRequest) seen.remove()).hasUid());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "8, 1, 5, another user",
        "7, 0, 4, zero",
        "7, -5, -1, above 2^63",
        "7, 1, 4, one too few",
        "7, 1, 6, one too many",
        "7, 5, 1, backwards",
        "7, 9223372036854775805, -9223372036854775807, past the end",
        "0, 0, 0, a default message"
    })
    void replyThatIsNotTheOneAskedForIsAnUnknownOutcome(long uid, long first, long last, String why) {
        answer(range(uid, first, last).build());
        var error = errorOf(client.next("messages", 7, 5));
        assertEquals(Kind.UNKNOWN_OUTCOME, error.kind(), why);
        assertEquals("INTERNAL_DEFECT", error.reason());
        var message = String.valueOf(error.getMessage());
        assertTrue(message.startsWith("asked for 5 sequences of user 7, but the server answered ["), message);
    }

    @Test
    void countOfNothingNeverLooksLikeARange() {
        answer(range(7, 1, 0).build());
        assertEquals(
                Kind.UNKNOWN_OUTCOME, errorOf(client.next("messages", 7, 0)).kind());
        answer(NextReply.getDefaultInstance());
        assertEquals(
                Kind.UNKNOWN_OUTCOME, errorOf(client.next("messages", 0, 1)).kind());
    }

    @Test
    void readingThatIsNotTheOneAskedForIsAnUnknownOutcome() {
        for (var wrong : new CurrentReply[] {
            reading(8, 15, Exactness.EXACT).build(),
            reading(7, -1, Exactness.EXACT).build(),
            reading(7, 15, Exactness.EXACTNESS_UNSPECIFIED).build()
        }) {
            answer(wrong);
            assertEquals(
                    Kind.UNKNOWN_OUTCOME, errorOf(client.current("messages", 7)).kind(), wrong::toString);
        }
        answer(CurrentReply.getDefaultInstance());
        assertEquals(
                Kind.UNKNOWN_OUTCOME, errorOf(client.current("messages", 0)).kind());
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT, COUNT_OUT_OF_BOUNDS, INVALID",
        "NOT_FOUND, NAMESPACE_UNKNOWN, INVALID",
        "OUT_OF_RANGE, UID_OUT_OF_RANGE, INVALID",
        "OUT_OF_RANGE, SEQUENCE_EXHAUSTED, EXHAUSTED",
        "UNIMPLEMENTED, ERROR_REASON_UNSPECIFIED, INVALID",
        "UNAUTHENTICATED, ERROR_REASON_UNSPECIFIED, INVALID",
        "PERMISSION_DENIED, ERROR_REASON_UNSPECIFIED, INVALID",
        "ALREADY_EXISTS, ERROR_REASON_UNSPECIFIED, INVALID",
        "FAILED_PRECONDITION, NOT_OWNER, UNAVAILABLE",
        "RESOURCE_EXHAUSTED, TOO_MANY_WAITING, UNAVAILABLE",
        "UNAVAILABLE, LEASE_EXPIRED, UNAVAILABLE",
        "UNAVAILABLE, NOT_READY, UNAVAILABLE",
        "ABORTED, ERROR_REASON_UNSPECIFIED, UNAVAILABLE",
        "UNAVAILABLE, OWNER_UNREACHABLE, UNKNOWN_OUTCOME",
        "DEADLINE_EXCEEDED, DEADLINE_PASSED, UNKNOWN_OUTCOME",
        "INTERNAL, INTERNAL_DEFECT, UNKNOWN_OUTCOME",
        "CANCELLED, ERROR_REASON_UNSPECIFIED, UNKNOWN_OUTCOME",
        "UNKNOWN, ERROR_REASON_UNSPECIFIED, UNKNOWN_OUTCOME",
        "DATA_LOSS, ERROR_REASON_UNSPECIFIED, UNKNOWN_OUTCOME"
    })
    void errorTellsWhatToDoNext(GrpcStatus status, ErrorReason reason, Kind kind) {
        answers = request -> Future.failedFuture(RpcException.of(status, reason, "a sentence"));
        for (var error :
                new SequenceException[] {errorOf(client.next("messages", 7, 1)), errorOf(client.current("messages", 7))
                }) {
            assertEquals(kind, error.kind());
            assertEquals(reason.name(), error.reason());
            assertEquals("a sentence", error.getMessage());
            assertEquals(Optional.empty(), error.retryAfter());
        }
    }

    @ParameterizedTest
    @EnumSource(value = GrpcStatus.class, names = "OK", mode = EnumSource.Mode.EXCLUDE)
    void noStatusButOkEverLooksLikeASequence(GrpcStatus status) {
        answers = request ->
                Future.failedFuture(RpcException.of(status, ErrorReason.ERROR_REASON_UNSPECIFIED, "a sentence"));
        errorOf(client.next("messages", 7, 1));
    }

    @Test
    void delayThatTheServerAsksForIsPassedOn() {
        answers = request -> Future.failedFuture(
                RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "starting", 50));
        assertEquals(
                Optional.of(Duration.ofMillis(50)),
                errorOf(client.next("messages", 7, 1)).retryAfter());
    }

    @Test
    void callWithoutAnAnswerInTimeIsAnUnknownOutcome() {
        answers = request -> Promise.<Message>promise().future();
        try (var hasty = SequenceClient.of("127.0.0.1", server.port(), Duration.ofMillis(100))) {
            var error = errorOf(hasty.next("messages", 7, 1));
            assertEquals(Kind.UNKNOWN_OUTCOME, error.kind());
            assertEquals("DEADLINE_PASSED", error.reason());
        }
    }

    @Test
    void serverThatIsAwayIsAnUnknownOutcome() {
        try (var lonely = SequenceClient.of("127.0.0.1", NOBODYS_PORT, GENEROUS)) {
            assertEquals(
                    Kind.UNKNOWN_OUTCOME, errorOf(lonely.next("messages", 7, 1)).kind());
        }
    }

    @Test
    void timeoutBelowAMillisecondIsRefused() {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> SequenceClient.of("127.0.0.1", 1, Duration.ofNanos(999_999)));
        assertEquals("timeout is PT0.000999999S; it must be at least 1 ms", refused.getMessage());
    }

    @Test
    void joinUnwrapsTheErrorOfAStage() {
        answers = request -> Future.failedFuture(
                RpcException.of(GrpcStatus.NOT_FOUND, ErrorReason.NAMESPACE_UNKNOWN, "no namespace 'x'"));
        var error = assertThrows(SequenceException.class, () -> SequenceClient.join(client.next("x", 7, 1)));
        assertEquals("no namespace 'x'", error.getMessage());
        var foreign = CompletableFuture.failedStage(new IllegalStateException("not of this client"));
        assertThrows(CompletionException.class, () -> SequenceClient.join(foreign));
    }
}
