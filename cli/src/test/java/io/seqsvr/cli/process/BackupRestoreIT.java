package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.check.HistoryChecker;
import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Load;
import io.seqsvr.chaos.process.LoadPlan;
import io.seqsvr.cli.process.Tiers.Tier;
import io.seqsvr.client.SequenceClient;
import io.seqsvr.core.namespace.Namespace;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The store is lost for good and its cluster begins a new life from a backup, as docs/operations.md tells it. AllocSvr
 * and router run on; every user's history goes through the backup, the loss and the new life.
 */
final class BackupRestoreIT {
    private static final Cli CLI = Cli.find();
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(90);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final long ANSWERS = 200;
    private static final int CLIENTS = 2;
    private static final Map<Long, Integer> USERS = Map.of(7L, CLIENTS, 2_000_000L, CLIENTS, 4_000_000_007L, CLIENTS);
    /** Who takes its first sequence after the backup, in a segment of its own. */
    private static final long LATECOMER = 3_000_000_000L;
    /** More than the latecomer and everybody else take after the backup. */
    private static final long ADVANCE = 100L * Namespace.DEFAULT_STEP;

    @TempDir
    private Path directory;

    private final History history = new History();

    private Finished store(String command, String... options) {
        return CLI.run(Stream.concat(Stream.of("store", command, backup().toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    private Path backup() {
        return directory.resolve("backup");
    }

    /** Under load through the router, with an answer for every user, something happens. */
    private void through(Tiers tiers, Consumer<Load> then) {
        var plan = LoadPlan.untilStopped(DevCluster.NAMESPACE, USERS, CLIENTS, CALL);
        try (var load = Load.start(history, tiers.endpoint(Tier.ROUTER), plan)) {
            load.awaitAnswers(ANSWERS, 1, SERVES_WITHIN);
            then.accept(load);
        }
    }

    private void take(Tiers tiers, long user, long count) {
        var router = tiers.endpoint(Tier.ROUTER);
        try (var client = SequenceClient.of(router.host(), router.port(), CALL)) {
            var call = history.invoke(user);
            var range = SequenceClient.join(client.next(DevCluster.NAMESPACE, user, count));
            call.returned(range.first(), range.last(), range.epoch());
        }
    }

    private JsonObject backUp(Tiers tiers) {
        var finished =
                store("backup", "--store", tiers.endpoint(Tier.STORESVR).toString(), "--timeout", "30s", "-o", "json");
        assertEquals(0, finished.exitCode(), finished::toString);
        // What a restore will say, too: the peer has not run for an hour.
        assertTrue(finished.stderr().contains(" had looked at the growth for "), finished::toString);
        return new JsonObject(finished.stdout());
    }

    /** The machine is gone with its disk. */
    private static void lose(Path data) {
        try (var files = Files.walk(data)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    @Timeout(600)
    void noSequenceRepeatsOrStepsBackWhenTheStoreIsRestoredUnderARunningCluster() throws IOException {
        try (var tiers = new Tiers(directory)) {
            var config = tiers.config(Tier.STORESVR).toString();
            assertEquals(0, CLI.run("store", "bootstrap", "--config", config).exitCode());
            tiers.startAll(SERVES_WITHIN);
            // Before the load there is nothing whose growth could be seen.
            through(tiers, load -> {});
            through(tiers, load -> {
                var made = backUp(tiers);
                assertEquals(0, made.getInteger("incarnation"));
                assertTrue(made.getBoolean("confirmed"), made::encode);
                new Spoken(store(
                                "backup",
                                "--store",
                                tiers.endpoint(Tier.STORESVR).toString()))
                        .failsNaming(1, "is not empty");
            });
            // Numbers that the backup knows nothing of, beyond what it could hold.
            USERS.keySet().forEach(user -> take(tiers, user, Namespace.DEFAULT_MAX_COUNT));
            take(tiers, LATECOMER, Namespace.DEFAULT_MAX_COUNT);
            through(tiers, load -> {
                tiers.get(Tier.STORESVR).kill9();
                load.awaitFailures(1, SERVES_WITHIN);
            });
            var kept = store("restore", "--config", config, "--advance", Long.toString(ADVANCE));
            new Spoken(kept).failsNaming(1, "it holds a peer's data");
            lose(tiers.data());
            restore(config);
            tiers.start(Tier.STORESVR);
            // Nobody touched them: they go on by themselves, and answer again.
            assertTrue(tiers.get(Tier.ALLOCSVR).isAlive());
            assertTrue(tiers.get(Tier.ROUTER).isAlive());
            tiers.get(Tier.ROUTER).awaitHealth(TierProcess.HEALTHY, SERVES_WITHIN);
            through(tiers, load -> {});
            take(tiers, LATECOMER, 1);
            var verdict = HistoryChecker.check(history.operations());
            assertTrue(verdict.holds(), verdict::toString);
            var status = CLI.run(
                    "store",
                    "status",
                    "--store",
                    tiers.endpoint(Tier.STORESVR).toString(),
                    "--timeout",
                    "30s",
                    "-o",
                    "json");
            assertEquals(
                    1,
                    new JsonObject(status.stdout()).getJsonObject("cluster").getInteger("incarnation"),
                    status::toString);
        }
    }

    private void restore(String config) {
        var offered = store("restore", "--config", config);
        assertEquals(2, offered.exitCode(), offered::toString);
        assertEquals("", offered.stdout());
        // The peer that was read had not run for an hour.
        assertTrue(offered.stderr().contains("No advance is offered: "), offered::toString);
        assertFalse(offered.stderr().contains("./seqsvr store restore "), offered::toString);
        var restored = store("restore", "--config", config, "--advance", Long.toString(ADVANCE));
        assertEquals(0, restored.exitCode(), restored::toString);
        assertTrue(restored.stdout().contains(" incarnation=1 advance=" + ADVANCE + " "), restored::toString);
    }
}
