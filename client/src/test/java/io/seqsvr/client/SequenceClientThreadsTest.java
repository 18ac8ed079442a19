package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.Message;
import io.seqsvr.client.SequenceException.Kind;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The client under many threads, under foreign event loops, and after its end: every call ends, with its own answer.
 */
@Timeout(20)
class SequenceClientThreadsTest {
    private static final Duration GENEROUS = Duration.ofSeconds(10);
    private static final int THREADS = 8;
    private static final int CALLS = 250;

    private final Map<Long, Long> lastByUid = new HashMap<>();
    private final FakeServer server = new FakeServer(this::count);

    @AfterEach
    void close() {
        server.close();
    }

    /** Counts on from call to call, on the one event loop of the server. */
    private Future<NextReply> count(Message message) {
        var request = (NextRequest) message;
        long last = lastByUid.merge(request.getUid(), request.getCount(), Long::sum);
        return Future.succeededFuture(NextReply.newBuilder()
                .setUid(request.getUid())
                .setFirst(last - request.getCount() + 1)
                .setLast(last)
                .setEpoch(1)
                .build());
    }

    private SequenceClient connect() {
        return SequenceClient.of("127.0.0.1", server.port(), GENEROUS);
    }

    private static <T> T outcome(CompletionStage<T> stage) throws ExecutionException {
        try {
            return stage.toCompletableFuture().get(GENEROUS.toSeconds() + 5, TimeUnit.SECONDS);
        } catch (TimeoutException | InterruptedException hanging) {
            return fail("the call did not end", hanging);
        }
    }

    private static void assertUnknownOutcome(CompletionStage<?> stage) {
        var failed = assertThrows(ExecutionException.class, () -> outcome(stage));
        assertTrue(failed.getCause() instanceof SequenceException, () -> String.valueOf(failed.getCause()));
        assertEquals(Kind.UNKNOWN_OUTCOME, ((SequenceException) failed.getCause()).kind());
    }

    @Test
    void manyThreadsShareAClientAndEachGetsItsOwnAnswers() throws Exception {
        var threads = Executors.newFixedThreadPool(THREADS);
        try (var client = connect()) {
            var ready = new CountDownLatch(THREADS);
            var users = new ArrayList<CompletableFuture<List<SequenceRange>>>();
            for (long uid = 0; uid < THREADS; uid++) {
                long own = uid;
                users.add(CompletableFuture.supplyAsync(() -> takeAll(client, own, ready), threads));
            }
            for (int uid = 0; uid < THREADS; uid++) {
                long expected = 1;
                for (var range : outcome(users.get(uid))) {
                    assertEquals(new SequenceRange(uid, expected, expected + uid, 1), range);
                    expected += uid + 1L;
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<SequenceRange> takeAll(SequenceClient client, long uid, CountDownLatch ready) {
        ready.countDown();
        try {
            assertTrue(ready.await(GENEROUS.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException stopped) {
            return fail(stopped);
        }
        var pending = new ArrayList<CompletionStage<SequenceRange>>();
        for (int i = 0; i < CALLS; i++) {
            pending.add(client.next("messages", uid, uid + 1));
        }
        return pending.stream().map(SequenceClient::join).toList();
    }

    @Test
    void foreignEventLoopMayCreateAndUseAClient() throws Exception {
        var foreign = Vertx.vertx();
        try {
            var created = new CompletableFuture<SequenceClient>();
            var range = new CompletableFuture<SequenceRange>();
            foreign.getOrCreateContext().runOnContext(here -> {
                var client = connect();
                created.complete(client);
                client.next("messages", 7, 2).whenComplete((answer, error) -> {
                    if (error == null) {
                        range.complete(answer);
                    } else {
                        range.completeExceptionally(error);
                    }
                });
            });
            assertEquals(new SequenceRange(7, 1, 2, 1), outcome(range));
            try (var client = outcome(created)) {
                assertEquals(new SequenceRange(7, 3, 3, 1), outcome(client.next("messages", 7, 1)));
            }
        } finally {
            foreign.close().await();
        }
    }

    @Test
    void stageMayAskAgainFromItsCallback() throws Exception {
        try (var client = connect()) {
            var third = client.next("messages", 7, 1)
                    .thenCompose(first -> client.next("messages", 7, 1))
                    .thenCompose(second -> client.next("messages", 7, 1));
            assertEquals(new SequenceRange(7, 3, 3, 1), outcome(third));
        }
    }

    @Test
    void callUnderWayFailsWhenTheClientIsClosed() throws Exception {
        var arrived = new CountDownLatch(1);
        try (var silent = new FakeServer(request -> {
            arrived.countDown();
            return Promise.<Message>promise().future();
        })) {
            var client = SequenceClient.of("127.0.0.1", silent.port(), GENEROUS);
            var call = client.next("messages", 7, 1);
            assertTrue(arrived.await(GENEROUS.toSeconds(), TimeUnit.SECONDS));
            long closedAt = System.nanoTime();
            client.close();
            assertUnknownOutcome(call);
            assertTrue(System.nanoTime() - closedAt < GENEROUS.toNanos() / 2);
        }
    }

    @Test
    void callAfterTheClientWasClosedFailsAtOnce() throws Exception {
        var client = connect();
        outcome(client.next("messages", 7, 1));
        client.close();
        long askedAt = System.nanoTime();
        assertUnknownOutcome(client.next("messages", 7, 1));
        assertTrue(System.nanoTime() - askedAt < GENEROUS.toNanos() / 2);
    }

    @Test
    void clientMayBeClosedTwice() {
        var client = connect();
        client.close();
        client.close();
    }
}
