package io.seqsvr.chaos.sim;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.guard.Guard;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/**
 * Every guard is needed: without it the promise that it upholds is broken soon, whatever the seeds; and the very run
 * that breaks it is green with the guard in force. {@code -Dseqsvr.mutants.rounds=10} looks ten times for each.
 */
final class MutantsTest {
    private static final FreshSeeds FRESH = FreshSeeds.announcedFor(MutantsTest.class);
    private static final int ROUNDS = Integer.getInteger("seqsvr.mutants.rounds", 1);
    private static final double HOURS = 0.3;
    private static final int MOST_SEEDS = 4_000;
    private static final long MOST_CPU_NANOS = 60 * Nanos.SECOND;

    /** The seed without which one would not have noticed that the guard is gone. */
    private record Kill(long seed, double hours, double cpuSeconds, BrokenPromise broken) {}

    @Test
    void everyGuardHasAMutant() {
        var guards = Mutant.ALL.stream().map(Mutant::guard).sorted().distinct().toList();
        assertEquals(Arrays.asList(Guard.values()), guards);
    }

    @Test
    void aMutantIsFoundByItsGuardAndWhatItTakesAwayBesides() {
        for (var mutant : Mutant.ALL) {
            assertEquals(mutant, Mutant.of(mutant.guard(), mutant.without()));
            assertEquals(
                    mutant.alone(), Mutant.of(mutant.guard(), mutant.alone().without()), "as a replay names it");
        }
        var first = Mutant.of(Guard.EPOCH_GROWS);
        assertEquals(Promise.ALIVE, first.broken());
        assertEquals(
                Promise.ALIVE,
                Mutant.of(Guard.EPOCH_GROWS, Set.of(Guard.LEASE_IS_CHECKED)).broken());
        assertEquals(
                Promise.ONE_CALLER_FORWARD,
                Mutant.of(Guard.EPOCH_GROWS, Set.of(Guard.LEASE_IS_CHECKED, Guard.EPOCH_IS_LOADED_ONCE))
                        .broken());
    }

    @Test
    void noMutantTakesItsOwnGuardAwayTwice() {
        for (var mutant : Mutant.ALL) {
            assertTrue(!mutant.without().contains(mutant.guard()), mutant::toString);
        }
    }

    @TestFactory
    Stream<DynamicTest> aMissingGuardIsNoticed() {
        return eachIsNoticed(UnaryOperator.identity());
    }

    /** The same where nothing else stands in the way of the failure, neither with the guard nor without it. */
    @TestFactory
    Stream<DynamicTest> aMissingGuardIsNoticedWithoutTheOtherDefences() {
        return eachIsNoticed(Mutant::alone);
    }

    /** All processors look at once; each test waits for what was seen of its mutant. */
    private static Stream<DynamicTest> eachIsNoticed(UnaryOperator<Mutant> as) {
        var processors = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        var looks = Mutant.ALL.stream()
                .map(mutant -> DynamicTest.dynamicTest(
                        mutant.guard() + others(mutant), noticing(as.apply(mutant), processors)))
                .toList();
        processors.shutdown();
        return looks.stream();
    }

    private static Executable noticing(Mutant mutant, ExecutorService processors) {
        var look = processors.submit(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                isNoticed(mutant, FRESH.ofRound(round));
            }
        });
        return () -> {
            try {
                look.get();
            } catch (ExecutionException unnoticed) {
                throw unnoticed.getCause();
            }
        };
    }

    private static void isNoticed(Mutant mutant, long firstSeed) {
        var kill = look(mutant, firstSeed);
        assertTrue(kill.isPresent(), () -> "nobody missed " + mutant + "; replay with " + FRESH.replay());
        kill.ifPresent(found -> {
            System.out.println(words(mutant, found));
            assertEquals(mutant.broken(), found.broken().promise(), () -> words(mutant, found));
        });
    }

    /**
     * Whether the same run with the guard in force is green. It may have ended before, where other guards are taken
     * away too and nobody watches for what that does: then it shows nothing.
     */
    private static boolean controlShowsIt(Mutant mutant, Kill found) {
        var control = mutant.control(found.seed(), HOURS).run();
        assertEquals(
                Optional.empty(),
                control.broken(),
                () -> "with the guard in force the same run is not green: " + words(mutant, found));
        return control.tally().hours() * Nanos.HOUR >= found.broken().nanos();
    }

    /** Seeds are looked through until one breaks the promise whose control goes on for longer than that. */
    private static Optional<Kill> look(Mutant mutant, long firstSeed) {
        long begin = cpuNanos();
        double hours = 0;
        for (long seed = firstSeed; seed < firstSeed + MOST_SEEDS; seed++) {
            var outcome = watchingOnePromise(mutant.simulation(seed, HOURS), mutant.broken())
                    .run();
            hours += outcome.tally().hours();
            long spent = cpuNanos() - begin;
            if (outcome.broken().isPresent()) {
                var kill = new Kill(seed, hours, spent / 1e9, outcome.broken().get());
                if (controlShowsIt(mutant, kill)) {
                    return Optional.of(kill);
                }
            }
            if (spent > MOST_CPU_NANOS) {
                break;
            }
        }
        return Optional.empty();
    }

    /** What breaks one promise often breaks others too, and a caller may see one of those a moment earlier. */
    private static Simulation watchingOnePromise(Simulation all, Promise promise) {
        return new Simulation(all.seed(), all.hours(), all.guards(), all.aim(), Set.of(promise));
    }

    private static String words(Mutant mutant, Kill kill) {
        return String.format(
                Locale.ROOT,
                "%-40s %6.2f s of CPU, %6.1f simulated hours: %s; replay with"
                        + " ./seqsvr sim --mutant %s%s --aimed --seed %d --hours %s --trace",
                mutant.guard(),
                kill.cpuSeconds(),
                kill.hours(),
                kill.broken().promise(),
                mutant.guard(),
                others(mutant),
                kill.seed(),
                HOURS);
    }

    private static String others(Mutant mutant) {
        return mutant.without().isEmpty()
                ? ""
                : mutant.without().stream().map(Guard::name).sorted().collect(joining(",", " --without ", ""));
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
