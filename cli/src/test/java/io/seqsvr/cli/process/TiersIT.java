package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.check.HistoryChecker;
import io.seqsvr.chaos.grpc.FrameClient;
import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Load;
import io.seqsvr.chaos.process.LoadPlan;
import io.seqsvr.cli.process.Tiers.Tier;
import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceException;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The three tiers as an operator runs them, by the examples in ops/; each is killed and started again under load. */
@Timeout(300)
final class TiersIT {
    private static final Cli CLI = Cli.find();

    private static final LeaseTerms LEASE =
            new LeaseTerms(LeaseTerms.DEFAULT_TTL_NANOS, LeaseTerms.DEFAULT_DRIFT_PERMILLE);
    /** How long a dead allocator's segments stay its own. */
    private static final Duration TAKE_OVER_WAIT = Duration.ofNanos(LEASE.granterNanos());
    /** To start, open a session, be assigned and claim, on a busy machine. */
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(30);

    private static final Duration STOPS_WITHIN = Duration.ofSeconds(10);
    private static final Duration CALL = Duration.ofSeconds(5);
    private static final long ANSWERS = 300;
    private static final int CLIENTS = 2;
    private static final long USERS = 5;
    private static final long BETWEEN_USERS = Namespace.DEFAULT_SEGMENT_SIZE * 1_000L + 7;
    /** Of its own accord, or by the signal. */
    private static final Set<Integer> STOPPED = Set.of(0, 128 + 15);

    @TempDir
    private static Path directory;

    private static Tiers tiers;
    private static Finished bootstrap;
    private static long nextUser;

    @TempDir
    private Path scratch;

    /** Users of this test alone, each in another segment. */
    private final Set<Long> users = LongStream.range(0, USERS)
            .mapToObj(i -> i * BETWEEN_USERS + nextUser++)
            .collect(Collectors.toUnmodifiableSet());

    private final History history = new History();

    @BeforeAll
    static void bootstrapOnce() throws IOException {
        tiers = new Tiers(directory);
        bootstrap = bootstrap(tiers);
    }

    @AfterAll
    static void stop() {
        tiers.close();
    }

    @BeforeEach
    void everythingServes() {
        tiers.startAll(SERVES_WITHIN);
    }

    private static Finished bootstrap(Tiers some) {
        return CLI.run(
                "store", "bootstrap", "--config", some.config(Tier.STORESVR).toString());
    }

    @Test
    void bootstrapPrintsTheIdOfTheCluster() {
        assertEquals(0, bootstrap.exitCode(), bootstrap::toString);
        assertEquals(UUID.fromString(bootstrap.stdout().strip()) + "\n", bootstrap.stdout());
    }

    @Test
    void theRouterAndTheAllocatorHandOutTheSameSequences() {
        long user = users.iterator().next();
        long first = Long.parseLong(ask(Tier.ROUTER, "next", user).answer());
        ask(Tier.ALLOCSVR, "next", user).says(Long.toString(first + 1));
        ask(Tier.ROUTER, "next", user, "--count", "3").says((first + 2) + " " + (first + 4));
        ask(Tier.ALLOCSVR, "current", user).says((first + 4) + " EXACT");
        ask(Tier.ROUTER, "current", user).says((first + 4) + " EXACT");
    }

    private static Spoken ask(Tier tier, String command, long user, String... more) {
        var line = Stream.concat(
                Stream.of(
                        command,
                        Long.toString(user),
                        "--endpoint",
                        tiers.endpoint(tier).toString()),
                Stream.of(more));
        return new Spoken(CLI.run(line.toArray(String[]::new)));
    }

    @Test
    void aKilledAllocatorIsReplacedAfterTheLeaseOfTheOldOne() {
        through(Tier.ROUTER, load -> {
            tiers.get(Tier.ALLOCSVR).kill9();
            load.awaitFailures(1, SERVES_WITHIN);
            tiers.get(Tier.ROUTER).awaitHealth(TierProcess.UNHEALTHY, SERVES_WITHIN);
            assertEquals(TierProcess.HEALTHY, tiers.get(Tier.STORESVR).health());
        });
        tiers.start(Tier.ALLOCSVR);
        through(Tier.ROUTER, TAKE_OVER_WAIT.plus(SERVES_WITHIN), load -> {});
        serveRightly();
        tiers.get(Tier.ROUTER).awaitHealth(TierProcess.HEALTHY, SERVES_WITHIN);
    }

    /** A client of a few lines needs no retries. */
    @Test
    void aFrameWhoseCallerWaitsOutlivesTheDeathOfTheOwner() throws Exception {
        var router = tiers.endpoint(Tier.ROUTER);
        long[] uids = users.stream().mapToLong(uid -> uid).toArray();
        try (var caller = FrameClient.patient(router.host(), router.port(), SERVES_WITHIN, TiersIT::segmentOf)) {
            var before = await(caller.nextMany("default", uids));
            tiers.get(Tier.ALLOCSVR).kill9();
            var asked = caller.nextMany("default", uids);
            tiers.start(Tier.ALLOCSVR);
            var after = await(asked);
            for (int i = 0; i < uids.length; i++) {
                assertTrue(after.get(i).orElseThrow().first()
                        > before.get(i).orElseThrow().first());
                assertTrue(after.get(i).orElseThrow().epoch()
                        > before.get(i).orElseThrow().epoch());
            }
        }
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(2 * SERVES_WITHIN.toSeconds(), TimeUnit.SECONDS);
    }

    private static int segmentOf(long uid) {
        return (int) (uid / Namespace.DEFAULT_SEGMENT_SIZE);
    }

    @Test
    void anAllocatorThatIsAskedToStopDoesAndIsReplaced() {
        through(Tier.ROUTER, load -> {
            int exitCode = tiers.get(Tier.ALLOCSVR).terminate(STOPS_WITHIN);
            assertTrue(STOPPED.contains(exitCode), "exit code " + exitCode);
            load.awaitFailures(1, SERVES_WITHIN);
        });
        tiers.start(Tier.ALLOCSVR);
        through(Tier.ROUTER, SERVES_WITHIN, load -> {});
        serveRightly();
    }

    @Test
    void withoutStoreSvrNobodyAnswersBeyondItsLease() {
        through(Tier.ROUTER, load -> {
            tiers.get(Tier.STORESVR).kill9();
            tiers.get(Tier.ALLOCSVR).awaitHealth(TierProcess.UNHEALTHY, SERVES_WITHIN);
            load.awaitFailures(1, SERVES_WITHIN);
        });
        for (var tier : EnumSet.of(Tier.ROUTER, Tier.ALLOCSVR)) {
            try (var client = client(tier)) {
                var refusal = assertThrows(SequenceException.class, () -> take(client, 1));
                assertEquals(SequenceException.Kind.UNAVAILABLE, refusal.kind(), refusal::toString);
            }
        }
        tiers.start(Tier.STORESVR);
        through(Tier.ROUTER, SERVES_WITHIN, load -> {});
        beyondAStep();
        serveRightly();
    }

    @Test
    void aKilledStoreSvrGoesOnWhereItWas() {
        through(Tier.ROUTER, load -> tiers.get(Tier.STORESVR).kill9());
        tiers.start(Tier.STORESVR);
        through(Tier.ROUTER, SERVES_WITHIN, load -> {});
        beyondAStep();
        serveRightly();
    }

    @Test
    void withoutTheRouterTheAllocatorAndWhoeverKnowsItGoOn() {
        try (var client = client(Tier.ROUTER)) {
            take(client, 1);
            tiers.get(Tier.ROUTER).kill9();
            for (int i = 0; i < 100; i++) {
                take(client, 1);
            }
        }
        through(Tier.ALLOCSVR, SERVES_WITHIN, load -> {});
        tiers.start(Tier.ROUTER);
        through(Tier.ROUTER, SERVES_WITHIN, load -> {});
        serveRightly();
    }

    @Test
    void aClientThatReachesAnAllocatorOnlyIsServedThroughIt() {
        try (var client = SequenceClient.builder()
                .endpoint(tiers.endpoint(Tier.ALLOCSVR).toString())
                .timeout(CALL)
                .viaEndpoint()
                .build()) {
            take(client, 3);
        }
        serveRightly();
    }

    @Test
    void allKilledAtOnceGoOnWhereTheyWere() {
        through(Tier.ROUTER, load -> {
            for (var tier : Tier.values()) {
                tiers.get(tier).kill9();
            }
            load.awaitFailures(1, SERVES_WITHIN);
        });
        tiers.startAll(SERVES_WITHIN);
        through(Tier.ROUTER, SERVES_WITHIN, load -> {});
        beyondAStep();
        serveRightly();
    }

    /** Under load through a tier, with an answer for every user, something happens. */
    private void through(Tier tier, Consumer<Load> then) {
        through(tier, SERVES_WITHIN, then);
    }

    private void through(Tier tier, Duration within, Consumer<Load> then) {
        var callsAtOnce = users.stream().collect(Collectors.toMap(user -> user, user -> CLIENTS));
        var plan = LoadPlan.untilStopped(DevCluster.NAMESPACE, callsAtOnce, CLIENTS, CALL);
        try (var load = Load.start(history, tiers.endpoint(tier), plan)) {
            load.awaitAnswers(USERS, 1, within);
            load.awaitAnswers(ANSWERS, 1, SERVES_WITHIN);
            then.accept(load);
        }
    }

    /** Every user takes so many that StoreSvr must raise each of their segments, twice. */
    private void beyondAStep() {
        try (var client = client(Tier.ROUTER)) {
            take(client, Namespace.DEFAULT_MAX_COUNT);
            take(client, Namespace.DEFAULT_MAX_COUNT);
        }
    }

    private void take(SequenceClient client, long count) {
        for (long user : users) {
            var call = history.invoke(user);
            var range = SequenceClient.join(client.next(DevCluster.NAMESPACE, user, count));
            call.returned(range.first(), range.last(), range.epoch());
        }
    }

    private static SequenceClient client(Tier tier) {
        Endpoint endpoint = tiers.endpoint(tier);
        return SequenceClient.of(endpoint.host(), endpoint.port(), CALL);
    }

    private void serveRightly() {
        var verdict = HistoryChecker.check(history.operations());
        assertTrue(verdict.holds(), verdict::toString);
    }

    @ParameterizedTest
    @EnumSource
    void everyTierTellsItsHealth(Tier tier) {
        assertEquals(TierProcess.HEALTHY, tiers.get(tier).health());
    }

    @Test
    void aSecondBootstrapIsRefusedAndHarmsNothing() {
        new Spoken(bootstrap(tiers)).failsNaming(1, tiers.data().toString());
        through(Tier.ROUTER, load -> {});
    }

    @Test
    void anEmptyDirectoryIsNotStartedFrom() throws IOException {
        var others = new Tiers(scratch);
        new Spoken(start(Tier.STORESVR, others.config(Tier.STORESVR))).failsNaming(1, others.data() + " is empty");
        Files.createDirectory(others.data());
        new Spoken(start(Tier.STORESVR, others.config(Tier.STORESVR))).failsNaming(1, others.data() + " is empty");
        try (Stream<Path> files = Files.list(others.data())) {
            assertEquals(List.of(), files.toList());
        }
    }

    @Test
    void aDirectoryInUseIsNotStartedFrom() {
        new Spoken(start(Tier.STORESVR, tiers.config(Tier.STORESVR)))
                .failsNaming(1, tiers.data().toString());
        assertEquals(TierProcess.HEALTHY, tiers.get(Tier.STORESVR).health());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STORESVR")
    void aPortInUseIsNamed(Tier tier) {
        new Spoken(start(tier, tiers.config(tier)))
                .failsNaming(1, Integer.toString(tiers.endpoint(tier).port()));
        assertEquals(TierProcess.HEALTHY, tiers.get(tier).health());
    }

    @ParameterizedTest
    @CsvSource({
        "STORESVR, 'data: d\npeer: p\ntime_to_live: 3s\nbootstrap: {ttl: 1ms, drift: 0, namespaces: [{name: 9}]}', 4",
        "ALLOCSVR, 'listen: here\nmax_waiting: 0\nstore_timeout: 2\ncolour: red', 6",
        "ROUTER, 'listen: here\nstore: there\nstore_timeout: 1ms\nstores: 127.0.0.1:7711', 4"
    })
    void everyProblemOfTheSettingsIsALine(Tier tier, String settings, int problems) throws IOException {
        var file = Files.writeString(scratch.resolve("wrong.yaml"), settings);
        var finished = start(tier, file);
        new Spoken(finished);
        assertEquals(new Finished(1, "", finished.stderr()), finished);
        assertEquals(problems, finished.stderr().lines().count(), finished::toString);
        assertTrue(finished.stderr().lines().allMatch(line -> line.startsWith("seqsvr: ")), finished::toString);
        assertEquals(
                1,
                finished.stderr()
                        .lines()
                        .filter(line -> line.contains("is no setting; known here are"))
                        .count(),
                finished::toString);
    }

    @ParameterizedTest
    @EnumSource
    void anUnknownKeyIsNamedWithTheKnownOnes(Tier tier) throws IOException {
        var settings = Files.readString(tiers.config(tier)) + "\nlissten: 127.0.0.1:1\n";
        var file = Files.writeString(scratch.resolve("unknown.yaml"), settings);
        new Spoken(start(tier, file)).failsNaming(1, "lissten is no setting; known here are");
    }

    private static Finished start(Tier tier, Path config) {
        return CLI.run(tier.command(), "--config", config.toString());
    }
}
