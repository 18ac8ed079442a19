package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.Launcher;
import io.seqsvr.cli.process.Tiers.Tier;
import io.seqsvr.client.routes.RoutesWatch;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An owner is killed: whoever watches the routes sees the new one, at routers and at allocators. */
@Timeout(400)
final class RoutesIT {
    private static final Cli CLI = Cli.find();
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(60);
    private static final List<String> BOTH = List.of("a1", "a2");
    private static final int SEED = 5;
    private static final Duration SEEN_WITHIN = Duration.ofSeconds(100);

    @TempDir
    private static Path directory;

    private final BlockingQueue<RoutePicture> seen = new LinkedBlockingQueue<>();

    /** Pictures that come, until one is as wanted; none of them goes back. */
    private RoutePicture await(RoutePicture last, Predicate<RoutePicture> wanted) throws InterruptedException {
        var now = last;
        while (!wanted.test(now)) {
            var next = seen.poll(SEEN_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                return fail("nothing newer came than version " + now.version() + ": " + names(now) + " "
                        + now.routes().ranges());
            }
            assertTrue(next.version() > now.version(), "versions go on");
            now = next;
        }
        return now;
    }

    private static List<String> names(RoutePicture picture) {
        return picture.owners().stream().map(RouteOwner::name).sorted().toList();
    }

    private static boolean complete(RoutePicture picture) {
        int owned = picture.routes().ranges().stream()
                .filter(range -> range.owner() != 0)
                .mapToInt(range -> range.size())
                .sum();
        return !picture.namespaces().isEmpty()
                && owned == picture.namespaces().get(0).segmentCount();
    }

    /** Whether this one, by name, has all segments of the one namespace that there is. */
    private static boolean hasAll(RoutePicture picture, String name) {
        var owners = picture.routes().ranges().stream()
                .map(range -> picture.owner(range.owner()).map(RouteOwner::name).orElse(""))
                .collect(Collectors.toSet());
        return owners.equals(Set.of(name)) && complete(picture);
    }

    @Test
    void whoWatchesSeesTheNewOwnerOfWhatADeadOneHad() throws IOException, InterruptedException {
        try (var tiers = new Tiers(directory)) {
            assertEquals(
                    0,
                    CLI.run(
                                    "store",
                                    "bootstrap",
                                    "--config",
                                    tiers.config(Tier.STORESVR).toString())
                            .exitCode());
            tiers.startAll(SERVES_WITHIN);
            // Theirs are bound now.
            var second = new Endpoint("127.0.0.1", FreePorts.other(List.of()));
            var config = Files.writeString(
                    directory.resolve("a2.yaml"),
                    Files.readString(tiers.config(Tier.ALLOCSVR))
                            .replace("name: a1", "name: a2")
                            .replace("listen: " + tiers.endpoint(Tier.ALLOCSVR), "listen: " + second));
            try (var a2 = TierProcess.start("allocsvr", config, second, directory.resolve("a2.log"));
                    var told = new Told(tiers.endpoint(Tier.ROUTER), directory.resolve("watch.log"))) {
                told.awaitLine("what=owner_joined owner=a1 ");
                told.awaitLine("what=owner_joined owner=a2 ");
                var servers = List.of(
                        tiers.endpoint(Tier.ROUTER).toString(),
                        tiers.endpoint(Tier.ALLOCSVR).toString(),
                        second.toString());
                // This seed begins with the router.
                try (var watch = new RoutesWatch(servers, seen::add, new SplittableRandom(SEED))) {
                    watch.start();
                    watchTheOwnersDeath(tiers, a2, second, told);
                }
            }
        }
    }

    /** On a busy machine a session may end by itself, so that either may own what there is. */
    private void watchTheOwnersDeath(Tiers tiers, TierProcess a2, Endpoint second, Told told)
            throws IOException, InterruptedException {
        var both = await(RoutePicture.empty(""), picture -> names(picture).equals(BOTH) && complete(picture));
        var first = both.routes().ranges().get(0);
        var victim = both.owner(first.owner()).orElseThrow().name();
        boolean isFirst = victim.equals("a1");
        var survivor = isFirst ? "a2" : "a1";
        var address = (isFirst ? second : tiers.endpoint(Tier.ALLOCSVR)).toString();
        told.awaitLine("owner=" + victim + " address=");

        (isFirst ? tiers.get(Tier.ALLOCSVR) : a2).kill9();
        var after = await(both, picture -> hasAll(picture, survivor));
        assertEquals(List.of(survivor), names(after));
        assertTrue(after.routes().ranges().get(0).epoch() > first.epoch());
        told.awaitLine("what=owner_gone owner=" + victim + " ");
        told.awaitLine("owner=" + survivor + " address=" + address);
        var routes = CLI.run("routes", "--endpoint", address);
        assertEquals(0, routes.exitCode(), routes::toString);
        assertTrue(routes.stdout().contains(survivor), routes::toString);

        // The watch goes on at an allocator, from the version that it has.
        tiers.get(Tier.ROUTER).kill9();
        var config = directory.resolve("a3.yaml");
        var third = new Endpoint("127.0.0.1", FreePorts.other(List.of()));
        Files.writeString(
                config,
                Files.readString(directory.resolve("a2.yaml"))
                        .replace("name: a2", "name: a3")
                        .replace("listen: " + second, "listen: " + third));
        try (var a3 = TierProcess.start("allocsvr", config, third, directory.resolve("a3.log"))) {
            await(after, picture -> names(picture).contains("a3"));
            assertTrue(a3.isAlive());
        }
    }

    /** What {@code ./seqsvr watch} writes. */
    private static final class Told implements AutoCloseable {
        private final Process process;
        private final Path log;

        Told(Endpoint endpoint, Path log) throws IOException {
            this.log = log;
            this.process = Launcher.find()
                    .command(List.of("watch", "--endpoint", endpoint.toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.to(log.toFile()))
                    .start();
        }

        void awaitLine(String part) throws IOException, InterruptedException {
            long startedAt = System.nanoTime();
            while (!Files.readString(log).contains(part)) {
                if (System.nanoTime() - startedAt > SEEN_WITHIN.toNanos()) {
                    fail("'" + part + "' was never told: " + Files.readString(log));
                }
                var unused = process.waitFor(100, TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
