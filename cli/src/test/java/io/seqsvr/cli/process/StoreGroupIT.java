package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.Finished;
import io.seqsvr.core.store.StoreCommand;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers that lost their disks, and what an operator does then, command by command, while raises go on. */
@Timeout(400)
final class StoreGroupIT {
    private static final int ATTEMPTS = 5;
    private static final int SOME = 20;
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final StoreCalls calls = new StoreCalls();

    @AfterEach
    void close() {
        calls.close();
    }

    private static Finished store(String... arguments) {
        var command = new String[arguments.length + 1];
        command[0] = "store";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return new Spoken(Cli.find().run(command)).finished();
    }

    /** A busy machine may take longer for an election than a command waits; then it is asked for again. */
    private static Finished untilKnown(String... arguments) {
        var finished = store(arguments);
        for (int attempt = 1; finished.exitCode() != 0 && attempt < ATTEMPTS; attempt++) {
            finished = store(arguments);
        }
        assertEquals(0, finished.exitCode(), finished::toString);
        return finished;
    }

    private static String addresses(List<Endpoint> endpoints) {
        return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(","));
    }

    private static void wipe(Path data) throws IOException {
        try (var files = Files.walk(data)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** An emptied directory is refused, and the refusal says what to do. */
    private static void assertRefusesToStart(StorePeers peers, int peer) {
        var refused = new Spoken(
                Cli.find().run("storesvr", "--config", peers.config(peer).toString()));
        refused.failsNaming(1, "seqsvr store replace");
    }

    /** Nor is it begun anew under its old id: the others may rely on what it had. */
    private static void assertIsNotBegunAnew(StorePeers peers, int peer, Endpoint holder) {
        var again = store("bootstrap", "--config", peers.config(peer).toString(), "--cluster-id", peers.clusterId());
        new Spoken(again)
                .failsNaming(1, "'seqsvr store replace --config NEW.yaml --store " + holder + " --old n" + (peer + 1));
        assertTrue(Files.notExists(peers.data(peer)), "nothing was formatted");
    }

    @Test
    void aPeerThatLostItsDiskIsReplacedWhileRaisesGoOn() throws IOException {
        // Before the new one asks for it the beginning of the log is gone.
        try (var peers = new StorePeers(3, directory, peer -> Map.of(), "snapshot_entries: 100\n")) {
            try (var raises = new RaiseLoad(calls, peers::endpoints)) {
                raises.awaitMore(SOME, SERVES_WITHIN);
                peers.process(2).kill9();
                wipe(peers.data(2));
                assertRefusesToStart(peers, 2);
                assertIsNotBegunAnew(peers, 2, peers.endpoints().get(0));
                var alive = addresses(peers.endpoints().subList(0, 2));

                peers.settle();
                var replace = store("replace", "--config", peers.config(3).toString(), "--store", alive, "--old", "n3");
                assertEquals(0, replace.exitCode(), replace::toString);
                assertTrue(replace.stdout().startsWith("n4 is formatted to replace n3 in cluster "), replace::toString);
                peers.startNewest().awaitHealth(TierProcess.HEALTHY, SERVES_WITHIN);
                raises.awaitMore(SOME, SERVES_WITHIN);
                long loaded = peers.log(3).stream()
                        .filter(line -> line.contains("event=state_loaded"))
                        .count();
                assertTrue(loaded >= 2, "once at its start and once from a snapshot, not " + loaded + " times");

                // The new one counts: with it and one of the others everything that was acknowledged is there.
                var transfer = untilKnown("transfer-leader", "--store", alive, "--to", "n4", "-o", "json");
                assertEquals("n4", new JsonObject(transfer.stdout()).getString("leader"), transfer::toString);
                raises.awaitMore(SOME, SERVES_WITHIN);
                var remove = store("remove", "--store", alive, "--peer", "n1", "-o", "json");
                assertEquals(0, remove.exitCode(), remove::toString);
                assertEquals(
                        List.of("n2", "n4"),
                        new JsonObject(remove.stdout())
                                .getJsonArray("members").stream()
                                        .map(Object::toString)
                                        .toList());
                assertEquals(1, peers.process(0).awaitEnd(SERVES_WITHIN), "the removed peer stops itself");
                raises.awaitMore(SOME, SERVES_WITHIN);
                assertEquals(List.of(), raises.losses());
                assertEqualReplicas(peers.endpoints().get(1), peers.endpoints().get(3));
            } catch (IllegalStateException stuck) {
                throw new IllegalStateException(peers.lastWords(), stuck);
            }
        }
    }

    @Test
    void aPeerWhoseLogIsDamagedRefusesToStartAndIsReplacedWhileRaisesGoOn() throws IOException {
        try (var peers = new StorePeers(3, directory);
                var raises = new RaiseLoad(calls, peers::endpoints)) {
            raises.awaitMore(SOME, SERVES_WITHIN);
            peers.process(2).kill9();
            var log = damageLog(peers.data(2));
            var refused = new Spoken(
                    Cli.find().run("storesvr", "--config", peers.config(2).toString()));
            refused.failsNaming(1, log + " is damaged");
            refused.failsNaming(1, "seqsvr store replace --config NEW.yaml --store HOST:PORT --old n3");

            peers.settle();
            var alive = addresses(peers.endpoints().subList(0, 2));
            var replace = store("replace", "--config", peers.config(3).toString(), "--store", alive, "--old", "n3");
            assertEquals(0, replace.exitCode(), replace::toString);
            peers.startNewest().awaitHealth(TierProcess.HEALTHY, SERVES_WITHIN);
            raises.awaitMore(SOME, SERVES_WITHIN);
            // Of the two that are left one is the new one: what was acknowledged before it came, it has.
            peers.process(0).kill9();
            raises.awaitMore(SOME, SERVES_WITHIN);
            assertEquals(List.of(), raises.losses());
            assertEqualReplicas(peers.endpoints().get(1), peers.endpoints().get(3));
        }
    }

    /** Flips a bit in the middle of what was written of the newest part of a log. */
    private static Path damageLog(Path data) throws IOException {
        Path log;
        try (var files = Files.walk(data.resolve("raft"))) {
            log = files.filter(file -> String.valueOf(file.getFileName()).startsWith("log_"))
                    .max(Comparator.comparing(file -> file.toFile().lastModified()))
                    .orElseThrow();
        }
        var bytes = Files.readAllBytes(log);
        int written = bytes.length;
        while (bytes[written - 1] == 0) {
            written--;
        }
        bytes[written / 2] ^= 0x10;
        Files.write(log, bytes);
        return log;
    }

    @Test
    void anotherPeerJoinsWhileRaisesGoOnAndCountsFromThenOn() throws IOException {
        try (var peers = new StorePeers(3, directory);
                var raises = new RaiseLoad(calls, peers::endpoints)) {
            raises.awaitMore(SOME, SERVES_WITHIN);
            peers.settle();
            var group = addresses(peers.endpoints().subList(0, 3));
            var join = store("join", "--config", peers.config(3).toString(), "--store", group);
            assertEquals(0, join.exitCode(), join::toString);
            assertTrue(join.stdout().startsWith("n4 is formatted to join cluster "), join::toString);
            assertEquals(List.of("n1", "n2", "n3"), members(group), "it is no member before it has asked");
            peers.startNewest().awaitHealth(TierProcess.HEALTHY, SERVES_WITHIN);
            assertEquals(List.of("n1", "n2", "n3", "n4"), members(group));
            raises.awaitMore(SOME, SERVES_WITHIN);

            // One of four may be missed, and the new one is among the three that are left.
            peers.process(0).kill9();
            raises.awaitMore(SOME, SERVES_WITHIN);
            assertEquals(List.of(), raises.losses());
            assertEqualReplicas(
                    peers.endpoints().get(1),
                    peers.endpoints().get(2),
                    peers.endpoints().get(3));
        }
    }

    private static List<String> members(String group) {
        var status = untilKnown("status", "--store", group, "-o", "json");
        return new JsonObject(status.stdout())
                .getJsonArray("peers").stream()
                        .map(JsonObject.class::cast)
                        .map(peer -> peer.getString("peer"))
                        .sorted()
                        .toList();
    }

    private static void assertEqualReplicas(Endpoint... of) {
        try (var seen = new PeersSeen(List.of(of))) {
            seen.assertEqualReplicas();
        }
    }

    @Test
    void withTwoOfThreeDisksLostNothingIsServedAndNothingIsMadeUp() throws IOException {
        try (var peers = new StorePeers(3, directory)) {
            try (var raises = new RaiseLoad(calls, peers::endpoints)) {
                raises.awaitMore(SOME, SERVES_WITHIN);
            }
            for (int peer = 1; peer < 3; peer++) {
                peers.process(peer).kill9();
                wipe(peers.data(peer));
                assertRefusesToStart(peers, peer);
            }
            // Also where nobody leads any more: these two would elect a history of their own.
            assertIsNotBegunAnew(peers, 1, peers.endpoints().get(0));
            // Who knows better may say so.
            var late = store(
                    "bootstrap",
                    "--config",
                    peers.config(1).toString(),
                    "--cluster-id",
                    peers.clusterId(),
                    "--never-started");
            assertEquals(peers.clusterId() + "\n", late.stdout(), late::toString);
            wipe(peers.data(1));
            var nothing = calls.tryOnce(peers.endpoints().get(0), new StoreCommand.Claim(0, 0));
            assertEquals(Optional.empty(), nothing, "one of three answers for all");
            var left = peers.endpoints().get(0).toString();
            peers.settle();
            var replace = store(
                    "replace",
                    "--config",
                    peers.config(3).toString(),
                    "--store",
                    left,
                    "--old",
                    "n3",
                    "--timeout",
                    "5s");
            assertEquals(4, replace.exitCode(), replace::toString);
            assertTrue(replace.stderr().contains("without a majority a group cannot change"), replace::toString);
            assertTrue(Files.notExists(peers.data(3)), "nothing was formatted");
        }
    }
}
