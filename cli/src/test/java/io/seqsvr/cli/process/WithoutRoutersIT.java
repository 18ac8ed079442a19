package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.check.HistoryChecker;
import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every router dies, and then an AllocSvr: whose owner lives is served on by the Java client, and the others once a
 * router is there again, which nobody has to be told of.
 */
@Timeout(300)
final class WithoutRoutersIT {
    private static final Duration CALL = Duration.ofSeconds(1);
    private static final Duration SERVED_WITHIN = Duration.ofSeconds(60);
    private static final int ROUNDS = 20;
    private static final Set<Long> EVERYBODY = IntStream.range(0, SmallCluster.SEGMENTS)
            .mapToObj(SmallCluster::user)
            .collect(Collectors.toUnmodifiableSet());

    @TempDir
    private Path directory;

    private final History history = new History();

    /** Asks for a sequence of each user at once; the users that got one. */
    private Set<Long> ask(SequenceClient client, Set<Long> users) {
        var calls = new HashMap<Long, Runnable>();
        var served = new TreeSet<Long>();
        for (long user : users) {
            var call = history.invoke(user);
            var answer = client.next(SmallCluster.NAMESPACE, user, 1).toCompletableFuture();
            calls.put(user, () -> {
                try {
                    var range = answer.join();
                    call.returned(range.first(), range.last(), range.epoch());
                    served.add(user);
                } catch (CompletionException failed) {
                    assertTrue(failed.getCause() instanceof SequenceException, failed::toString);
                    call.unknown(failed.toString());
                }
            });
        }
        calls.values().forEach(Runnable::run);
        return served;
    }

    private void awaitAnswersFor(Set<Long> users, SequenceClient client) {
        long start = System.nanoTime();
        for (var left = new TreeSet<>(users); !left.isEmpty(); left.removeAll(ask(client, left))) {
            assertTrue(
                    System.nanoTime() - start < SERVED_WITHIN.toNanos(),
                    () -> left + " are not served after " + SERVED_WITHIN);
        }
    }

    private void assertNobodyIsToldNo(SequenceClient client, Set<Long> users) {
        for (int i = 0; i < ROUNDS; i++) {
            assertEquals(users, ask(client, users));
        }
    }

    private static SequenceClient.Builder clientOf(SmallCluster cluster) {
        return SequenceClient.builder()
                .endpoint(cluster.router(0).endpoint().toString())
                .timeout(CALL);
    }

    @Test
    void whoseOwnerLivesIsServedOnAndTheOthersOnceARouterIsBack() throws IOException {
        try (var cluster = new SmallCluster(directory, 2, 2);
                var smart = clientOf(cluster).build();
                var thin = clientOf(cluster).viaEndpoint().build()) {
            awaitAnswersFor(EVERYBODY, smart);
            awaitAnswersFor(EVERYBODY, thin);

            cluster.router(0).process().kill9();
            cluster.router(1).process().kill9();
            assertNobodyIsToldNo(smart, EVERYBODY);
            assertEquals(Set.of(), ask(thin, EVERYBODY));

            cluster.allocator(0).process().kill9();
            var living = ask(smart, EVERYBODY);
            assertNotEquals(Set.of(), living);
            assertNotEquals(EVERYBODY, living);
            assertNobodyIsToldNo(smart, living);

            cluster.router(0).startAgain();
            awaitAnswersFor(EVERYBODY, smart);
            awaitAnswersFor(EVERYBODY, thin);
            assertNobodyIsToldNo(smart, EVERYBODY);
        }
        var verdict = HistoryChecker.check(history.operations());
        assertTrue(verdict.holds(), verdict::toString);
    }
}
