package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.v1.ErrorReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that end a stage themselves: its call takes no further numbers, and no room. */
@Timeout(60)
class SequenceClientGoneTest {
    private static final Duration GENEROUS = Duration.ofSeconds(50);

    private final FakeOwner owner = new FakeOwner();
    private final SequenceClient client = SequenceClient.builder()
            .endpoint(owner.address())
            .namespace("messages")
            .timeout(GENEROUS)
            .patience(GENEROUS)
            .framesInFlight(1)
            .openCalls(2)
            .build();

    @AfterEach
    void close() {
        client.close();
        owner.close();
    }

    private static void cancel(CompletionStage<?> stage) {
        assertTrue(stage.toCompletableFuture().cancel(false));
    }

    @Test
    void whatWaitsForAFrameIsNotSent() {
        var first = client.next(1);
        var frame = owner.frame();
        cancel(client.next(2));
        var third = afterRoomCame(3);
        frame.serve();
        assertEquals(1, SequenceClient.join(first).first());
        var next = owner.frame();
        assertEquals(List.of(3L), next.uids());
        next.serve();
        assertEquals(1, SequenceClient.join(third).first());
    }

    @Test
    void whatWasSentIsNotSentAgain() {
        var gone = client.next(1);
        var frame = owner.frame();
        cancel(gone);
        frame.refuse(ErrorReason.LEASE_EXPIRED);
        // Long enough for it to have come, had it been sent.
        for (long uid = 2; uid < 100; uid++) {
            var other = afterRoomCame(uid);
            var next = owner.frame();
            assertEquals(List.of(uid), next.uids());
            next.serve();
            assertEquals(1, SequenceClient.join(other).first());
        }
        owner.hasNoFrame();
    }

    /** No more than two may be open, and both wait for an answer for as long as the test lasts. */
    @Test
    void itsPlaceIsForOthersByCancelAndByTimeout() {
        var one = client.next(1);
        var frame = owner.frame();
        var other = client.next(2);
        cancel(one);
        var failure = assertThrows(
                CompletionException.class,
                () -> other.toCompletableFuture()
                        .orTimeout(1, TimeUnit.MILLISECONDS)
                        .join());
        assertTrue(failure.getCause() instanceof TimeoutException, failure::toString);
        var third = afterRoomCame(3);
        var fourth = afterRoomCame(4);
        frame.serve();
        owner.frame().serve();
        assertEquals(1, SequenceClient.join(third).first());
        assertEquals(1, SequenceClient.join(fourth).first());
    }

    @Test
    void whoEndsTheStageOfManyEndsTheirCalls() {
        var many = client.nextMany("messages", List.of(NextCall.of(1), NextCall.of(2)));
        var frame = owner.frame();
        cancel(many);
        var third = afterRoomCame(3);
        frame.serve();
        var next = owner.frame();
        assertEquals(List.of(3L), next.uids());
        next.serve();
        assertEquals(1, SequenceClient.join(third).first());
    }

    /** A call of which it is sure that it is open, or was served: it was not refused for want of room. */
    private CompletionStage<SequenceRange> afterRoomCame(long uid) {
        long overAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            var call = client.next(uid);
            // The loop has looked at it once it has ended one that came after it.
            client.current("nobody", 1)
                    .handle((answer, error) -> 0)
                    .toCompletableFuture()
                    .join();
            if (!call.toCompletableFuture().isCompletedExceptionally()) {
                return call;
            }
            assertTrue(System.nanoTime() - overAt < 0, "there is no room");
        }
    }
}
