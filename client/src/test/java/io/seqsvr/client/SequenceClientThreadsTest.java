package io.seqsvr.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.client.line.LineCounts.Outcome;
import io.seqsvr.core.frame.FrameVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client under many threads: every call ends, with a number of its own above all that were seen before it. */
@Timeout(180)
class SequenceClientThreadsTest {
    private static final int THREADS = 8;
    private static final int CALLS = 100_000;
    private static final int OPEN = 500;

    private final AtomicLongArray highest = new AtomicLongArray(FakeOwner.USERS);
    private final BitSet[] taken = new BitSet[FakeOwner.USERS];
    private final AtomicReference<String> wrong = new AtomicReference<>("");

    private static SequenceClient.Builder clientOf(FakeOwner owner) {
        // No number may be lost because the machine is busy.
        return SequenceClient.builder()
                .endpoint(owner.address())
                .namespace("messages")
                .patience(Duration.ofMinutes(1));
    }

    @Test
    void eachOfManyCallsGetsANumberOfItsOwnAboveAllThatWereSeenBefore() {
        for (int uid = 0; uid < FakeOwner.USERS; uid++) {
            taken[uid] = new BitSet();
        }
        var threads = Executors.newFixedThreadPool(THREADS);
        try (var owner = new FakeOwner().byItself();
                var other = new FakeOwner().byItself();
                var client = clientOf(owner).timeout(Duration.ofSeconds(60)).build()) {
            owner.shows(FakeOwner.pictureOf(2, List.of(owner, other), 1));
            var all = new ArrayList<CompletableFuture<Void>>();
            for (int i = 0; i < THREADS; i++) {
                var random = new SplittableRandom(i);
                all.add(CompletableFuture.runAsync(() -> takeAll(client, random), threads));
            }
            all.forEach(CompletableFuture::join);
            assertEquals("", wrong.get());
            assertEquals((long) THREADS * CALLS, client.counts().calls(FrameVerb.NEXT, Outcome.ANSWERED));
            for (int uid = 0; uid < FakeOwner.USERS; uid++) {
                assertEquals(highest.get(uid), taken[uid].cardinality(), "numbers of user " + uid);
            }
            assertEquals(0, client.backward());
        } finally {
            threads.shutdownNow();
        }
    }

    private void takeAll(SequenceClient client, SplittableRandom random) {
        var room = new Semaphore(OPEN);
        for (int i = 0; i < CALLS; i++) {
            room.acquireUninterruptibly();
            int uid = random.nextInt(FakeOwner.USERS);
            long seen = highest.get(uid);
            client.next(uid).whenComplete((range, error) -> {
                if (error == null) {
                    check(uid, seen, range);
                } else {
                    wrong.set("user " + uid + ": " + error);
                }
                room.release();
            });
        }
        room.acquireUninterruptibly(OPEN);
    }

    /** On the client's one thread. */
    private void check(int uid, long seen, SequenceRange range) {
        if (range.uid() != uid || range.first() <= seen || taken[uid].get((int) range.first())) {
            wrong.set("user " + uid + " had seen " + seen + " and got " + range);
        }
        taken[uid].set((int) range.first());
        highest.accumulateAndGet(uid, range.last(), Math::max);
    }

    @Test
    void aStageMayAskAgainFromItsCallback() {
        try (var owner = new FakeOwner().byItself();
                var client = clientOf(owner).build()) {
            CompletionStage<SequenceRange> third =
                    client.next(7).thenCompose(first -> client.next(7)).thenCompose(second -> client.next(7));
            assertEquals(3, SequenceClient.join(third).first());
        }
    }

    @Test
    void callsMadeWhileTheClientIsClosedAllEnd() {
        try (var owner = new FakeOwner().byItself()) {
            var client = clientOf(owner).timeout(Duration.ofSeconds(2)).build();
            var calls = new ArrayList<CompletionStage<SequenceRange>>();
            var closing = new Thread(client::close);
            assertThrows(IllegalStateException.class, () -> {
                for (int i = 0; true; i++) {
                    calls.add(client.next(i % FakeOwner.USERS));
                    if (i == 10_000) {
                        closing.start();
                    }
                }
            });
            assertTrue(calls.size() > 10_000);
            for (var call : calls) {
                var outcome = call.handle((range, error) -> range != null || error instanceof SequenceException);
                assertTrue(outcome.toCompletableFuture().join());
            }
        }
    }
}
