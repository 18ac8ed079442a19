package io.seqsvr.chaos.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Launcher;
import io.seqsvr.chaos.spec.Tlc.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The specification in docs/spec keeps its promises, and breaks the right one where a rule is left out. */
final class SpecificationTest {
    private static final Pattern GUARD = Pattern.compile("Guard\\(\"([\\w-]+)\"\\)");

    /** One TLC on each core of a small machine. */
    private static final int AT_ONCE = 2;

    private static final Path HOME = Launcher.find().home();
    private static final Path SPECIFICATION = HOME.resolve("docs/spec");
    private static final Tlc TLC = new Tlc(SPECIFICATION, HOME.resolve("chaos-tests/target/spec"));
    private static final Map<String, Future<Verdict>> VERDICTS = new HashMap<>();
    private static final ExecutorService RUNS = Executors.newFixedThreadPool(AT_ONCE);

    /**
     * The protocol with all its rules.
     *
     * @param distinctStates what the search must find at least: fewer, and something became unreachable
     */
    record Whole(String module, String configuration, long distinctStates) {
        @Override
        public String toString() {
            return module + " within the bounds of " + configuration;
        }
    }

    static List<Whole> wholes() {
        return List.of(
                new Whole("HandOver", "HandOver", 250_000),
                new Whole("HandOver", "Floors", 250_000),
                new Whole("Lease", "Lease", 50_000),
                new Whole("Lease", "Leaders", 10_000),
                new Whole("HandOver", "NoLease", 15_000),
                new Whole("Quorum", "Quorum", 20_000));
    }

    static List<Mutant> mutants() {
        return Mutant.all();
    }

    /** All runs, after a short one the longest first, so that both cores end together. */
    @BeforeAll
    static void start() throws IOException, InterruptedException {
        var shortest = mutants().get(0);
        VERDICTS.put(
                shortest.run(),
                CompletableFuture.completedFuture(
                        TLC.checkFirst(shortest.run(), shortest.module(), mutated(shortest))));
        for (var whole : wholes()) {
            start(whole.configuration(), whole.module(), Configuration.read(SPECIFICATION, whole.configuration()));
        }
        for (var mutant : mutants()) {
            if (!VERDICTS.containsKey(mutant.run())) {
                start(mutant.run(), mutant.module(), mutated(mutant));
            }
        }
    }

    private static Configuration mutated(Mutant mutant) {
        return Configuration.read(SPECIFICATION, mutant.configuration())
                .without(mutant.guards(), mutant.section(), mutant.promise());
    }

    private static void start(String run, String module, Configuration configuration) {
        VERDICTS.put(run, RUNS.submit(() -> TLC.check(run, module, configuration)));
    }

    @AfterAll
    static void stop() {
        RUNS.shutdownNow();
    }

    private static Verdict verdict(String run) throws Exception {
        var future = VERDICTS.get(run);
        if (future == null) {
            throw new IllegalStateException("no run is named " + run);
        }
        return future.get();
    }

    @ParameterizedTest
    @MethodSource("wholes")
    void theProtocolKeepsItsPromises(Whole whole) throws Exception {
        var verdict = verdict(whole.configuration());
        assertTrue(verdict.clean(), () -> whole + ":\n" + verdict.text());
        assertTrue(
                verdict.distinctStates() >= whole.distinctStates(),
                () -> whole + " has " + verdict.distinctStates() + " states, not " + whole.distinctStates());
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void withoutARuleAPromiseBreaks(Mutant mutant) throws Exception {
        var verdict = verdict(mutant.run());
        assertEquals(List.of(mutant.promise()), verdict.violated(), () -> mutant + ":\n" + verdict.text());
        assertEquals(mutant.exitCode(), verdict.exitCode(), () -> mutant + ":\n" + verdict.text());
        assertTrue(verdict.steps() > 0, () -> mutant + " is broken before anything happens");
    }

    @Test
    void everyGuardIsLeftOutOnceAndIsExplained() throws IOException {
        var guards = new TreeSet<String>();
        for (var module : List.of("Lease", "HandOver", "Quorum")) {
            var text = Files.readString(SPECIFICATION.resolve(module + ".tla"));
            GUARD.matcher(text).results().map(found -> found.group(1)).forEach(guards::add);
        }
        var leftOut = new TreeSet<String>();
        mutants().forEach(mutant -> leftOut.addAll(mutant.guards()));
        assertEquals(guards, leftOut);
        var explained = Files.readString(SPECIFICATION.resolve("README.md"));
        for (var guard : guards) {
            assertTrue(explained.contains("`" + guard + "`"), guard + " is not in docs/spec/README.md");
        }
    }
}
