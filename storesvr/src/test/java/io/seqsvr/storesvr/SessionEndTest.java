package io.seqsvr.storesvr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.Renewed;
import io.seqsvr.core.store.StoreReply.SessionGone;
import io.seqsvr.core.store.StoreReply.SessionHeld;
import io.seqsvr.core.store.StoreReply.SessionOpened;
import io.seqsvr.node.StartupException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When sessions of a real group end: by the clock, as this test's process sees it. */
@Tag("group")
class SessionEndTest {
    /** Long enough for a busy machine to start a client within it. */
    private static final Duration TTL = Duration.ofSeconds(3);

    private static final LeaseTerms TERMS = new LeaseTerms(TTL.toNanos(), LeaseTerms.DEFAULT_DRIFT_PERMILLE);

    /** What a busy machine may add to a timer. */
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(5);

    @TempDir
    private Path root = Path.of("");

    /** Renews as an allocator does, so many times. */
    private static Future<List<StoreReply>> renewing(TestClient client, long session, int times) {
        Promise<List<StoreReply>> done = Promise.promise();
        var replies = new ArrayList<Future<StoreReply>>();
        client.vertx().setPeriodic(TimeUnit.NANOSECONDS.toMillis(TERMS.renewEveryNanos()), timer -> {
            replies.add(client.start(new Renew(session)));
            if (replies.size() == times) {
                client.vertx().cancelTimer(timer);
                Future.join(replies)
                        .map(all -> replies.stream().map(Future::result).toList())
                        .onComplete(done);
            }
        });
        return done.future();
    }

    /** When a watcher learned that the session had ended. */
    private static Future<Long> endOf(TestClient client, long session) {
        return client.awaitView(0, view -> view.session(session).isEmpty()).map(view -> System.nanoTime());
    }

    private static void assertEnded(long end, long renewalSent, long renewalAnswered) {
        long least = end - renewalSent;
        assertTrue(least >= TERMS.granterNanos(), () -> "ended " + least + " ns after its last renewal was sent");
        long most = end - renewalAnswered;
        assertTrue(most <= TERMS.granterNanos() + SLACK_NANOS, () -> "lived on " + most + " ns after its last renewal");
    }

    @ParameterizedTest(name = "{0} peers")
    @ValueSource(ints = {1, 3})
    void aSessionThatFallsSilentEndsAfterItsTimerAndOneThatRenewsLives(int peers) throws StartupException {
        try (var cluster = TestCluster.format(root, peers, TTL)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long lively = client.open("lively");
                var renewals = renewing(client, lively, 12);
                long silent = client.open("silent");
                long sent = System.nanoTime();
                client.execute(Renewed.class, new Renew(silent));
                long answered = System.nanoTime();
                assertEnded(Deadline.await(endOf(client, silent)), sent, answered);
                assertEquals(new SessionGone(silent), client.execute(new Renew(silent)));

                Deadline.await(renewals).forEach(reply -> assertInstanceOf(Renewed.class, reply));
                assertTrue(client.awaitView(any -> true).session(lively).isPresent());
            }
        }
    }

    @Test
    void whoRenewsAndHearsNothingIsRefusedAndEndsByItsTimer() throws StartupException {
        try (var cluster = TestCluster.format(root, 1, TTL)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long deaf = client.open("deaf");
                long attempt = 0;
                StoreReply reply;
                do {
                    attempt++;
                    reply = client.execute(new Renew(deaf, List.of(), attempt, 0));
                } while (reply instanceof Renewed);
                long refused = System.nanoTime();
                assertEquals(new StoreReply.RenewalUnheard(deaf), reply);
                assertEquals(reply, client.execute(new Renew(deaf, List.of(), attempt + 1, 0)), "not heard either");
                long lived = Deadline.await(endOf(client, deaf)) - refused;
                assertTrue(lived <= TERMS.granterNanos() + SLACK_NANOS, () -> "lived on " + lived + " ns");
            }
        }
    }

    @Test
    void whoHearsThatItIsRefusedIsRenewed() throws StartupException {
        try (var cluster = TestCluster.format(root, 1, TTL)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long slow = client.open("slow");
                long attempt = 1;
                while (client.execute(new Renew(slow, List.of(), attempt, 0)) instanceof Renewed) {
                    attempt++;
                }
                client.execute(Renewed.class, new Renew(slow, List.of(), attempt + 1, attempt));
            }
        }
    }

    @Test
    void aRestartedStoreGivesEverySessionAFullFreshTimer() throws StartupException {
        try (var cluster = TestCluster.format(root, 1, TTL)) {
            cluster.start();
            long silent;
            long returning;
            try (var client = new TestClient(cluster.addresses())) {
                silent = client.open("silent");
                returning = client.open("returning");
            }
            cluster.stop();
            long startedAt = System.nanoTime();
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                var end = endOf(client, silent);
                // However long the store was away, whoever comes back in time is let in.
                client.execute(Renewed.class, new Renew(returning));
                long startedAfter = System.nanoTime();
                var renewals = renewing(client, returning, 8);
                assertEnded(Deadline.await(end), startedAt, startedAfter);
                Deadline.await(renewals).forEach(reply -> assertInstanceOf(Renewed.class, reply));
            }
        }
    }

    @Test
    void aNewcomerIsToldHowLongToWaitAndGetsInThen() throws StartupException {
        try (var cluster = TestCluster.format(root, 1, TTL)) {
            cluster.start();
            try (var client = new TestClient(cluster.addresses())) {
                long sent = System.nanoTime();
                long holder = client.open("a");
                long opened = System.nanoTime();
                var newcomer = new OpenSession(SessionKind.ALLOCATOR, 99, "a", "elsewhere:1");
                var held = client.execute(SessionHeld.class, newcomer);
                long told = System.nanoTime();
                assertEquals(holder, held.holder());
                assertTrue(held.remainingNanos() <= TERMS.granterNanos(), held.toString());
                assertTrue(
                        held.remainingNanos() >= TERMS.granterNanos() - (told - sent),
                        () -> held + " after " + (told - sent) + " ns");

                client.execute(Renewed.class, new Renew(holder));
                var later = client.execute(SessionHeld.class, newcomer);
                assertTrue(later.remainingNanos() <= TERMS.granterNanos(), later.toString());

                assertTrue(Deadline.await(endOf(client, holder)) - opened >= TERMS.granterNanos());
                client.execute(SessionOpened.class, newcomer);
            }
        }
    }
}
