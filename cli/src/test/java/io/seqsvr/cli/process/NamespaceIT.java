package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.Finished;
import io.seqsvr.cli.process.Tiers.Tier;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator makes and alters namespaces, and sets the cluster, while all tiers run; none of them is restarted. */
@Timeout(600)
final class NamespaceIT {
    private static final Duration SERVES_WITHIN = Duration.ofMinutes(2);
    private static final Cli CLI = Cli.find();

    @TempDir
    private Path directory;

    private static Finished run(String line) {
        return new Spoken(CLI.run(line.split(" ", -1))).finished();
    }

    /** Asked of StoreSvr. */
    private static Finished ask(Tiers tiers, String line) {
        return run(line + " --timeout 1m --store " + tiers.endpoint(Tier.STORESVR));
    }

    /** A busy machine may have put warnings before the reason. */
    private static void assertFails(int exitCode, String reason, Finished finished) {
        assertEquals(exitCode, finished.exitCode(), finished::toString);
        assertTrue(finished.stderr().contains(reason), finished::toString);
        assertEquals("", finished.stdout(), finished::toString);
    }

    private static JsonObject answer(Tiers tiers, String line) {
        var finished = ask(tiers, line + " -o json");
        assertEquals(new Finished(0, finished.stdout(), finished.stderr()), finished);
        return new JsonObject(finished.stdout());
    }

    private static Finished next(Tiers tiers, String options) {
        return run("next " + options + " --endpoint " + tiers.endpoint(Tier.ROUTER));
    }

    /** Tried until it ends so, as views and segments take their time. */
    private static Finished awaitNext(Tiers tiers, String options, int exitCode) {
        long start = System.nanoTime();
        var finished = next(tiers, options);
        while (finished.exitCode() != exitCode && System.nanoTime() - start < SERVES_WITHIN.toNanos()) {
            finished = next(tiers, options);
        }
        assertEquals(exitCode, finished.exitCode(), finished::toString);
        return finished;
    }

    private static Stream<String> names(Tiers tiers) {
        return answer(tiers, "namespace list").getJsonArray("namespaces").stream()
                .map(JsonObject.class::cast)
                .map(namespace -> namespace.getString("name"));
    }

    @Test
    void namespacesAreMadeAndAlteredWhileEverythingRuns() throws IOException {
        try (var tiers = new Tiers(directory)) {
            var config = tiers.config(Tier.STORESVR).toString();
            assertEquals(0, CLI.run("store", "bootstrap", "--config", config).exitCode());
            tiers.startAll(SERVES_WITHIN);

            var settings = answer(tiers, "store settings --ttl 2s --step 50 --segment-size 500");
            assertEquals("2000000000", settings.getString("ttl_nanos"));
            assertEquals(100, settings.getInteger("drift_permille"), "what is not named stays");
            assertEquals(settings, answer(tiers, "store settings"));
            assertTrue(ask(tiers, "store status").stdout().contains("segment_size 500"));

            var created = answer(tiers, "namespace create chat --capacity 1000 --max-count 3");
            assertTrue(created.getBoolean("created"));
            assertEquals(500, created.getJsonObject("namespace").getInteger("segment_size"));
            assertEquals("50", created.getJsonObject("namespace").getString("step"));
            assertEquals("1\n", awaitNext(tiers, "7 --namespace chat", 0).stdout());
            assertEquals(1, next(tiers, "7 --namespace chat --count 4").exitCode());

            var again = ask(tiers, "namespace create chat --capacity 1000 --max-count 3 -o json");
            assertEquals(0, again.exitCode(), again::toString);
            assertTrue(again.stderr().contains("existed already, with exactly these settings"), again::toString);
            assertFalse(new JsonObject(again.stdout()).getBoolean("created"));
            assertFails(
                    1,
                    "namespace 'chat' exists with other settings",
                    ask(tiers, "namespace create chat --capacity 1001"));
            assertFails(
                    1,
                    "capacity is 125000001; it must be from 1 to 125000000",
                    ask(tiers, "namespace create large --capacity 125000001"));

            answer(tiers, "namespace alter chat --max-count 40 --step 60");
            assertEquals(
                    "2 41\n",
                    awaitNext(tiers, "7 --namespace chat --count 40", 0).stdout());
            assertFails(
                    1,
                    "capacity is 1000 for ever and cannot become 2000: which counter",
                    ask(tiers, "namespace alter chat --capacity 2000"));
            assertFails(1, "there is no namespace 'chatt'", ask(tiers, "namespace alter chatt --step 2"));
            assertFails(1, "ttl is 1 ms; it must be from 500 ms", ask(tiers, "store settings --ttl 1ms"));

            tiers.get(Tier.STORESVR).kill9();
            assertFails(4, "no answer from", ask(tiers, "namespace alter chat --step 70"));
            tiers.start(Tier.STORESVR);
            tiers.startAll(SERVES_WITHIN);
            var after = awaitNext(tiers, "7 --namespace chat", 0).stdout().strip();
            assertTrue(Integer.parseInt(after) >= 42, () -> after + " after 41, and after the store was killed");
            assertEquals("default chat", String.join(" ", names(tiers).toList()));
            assertEquals(settings, answer(tiers, "store settings"));
        }
    }
}
