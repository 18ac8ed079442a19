package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** The protocol keeps its promises in every cluster that was simulated; and those runs could have seen a breach. */
final class SimulationTest {
    private static final FreshSeeds FRESH = FreshSeeds.announcedFor(SimulationTest.class);
    private static final int FIXED_SEEDS = 200;
    private static final int SEEDS = 100;
    private static final double HOURS = 0.5;
    private static final double SHORT = 0.1;

    /** Every guard that has to do with clocks, leases or timers. */
    private static final Set<Guard> OF_TIME = EnumSet.of(
            Guard.LEASE_IS_CHECKED,
            Guard.LEASE_IS_CHECKED_AFTER_TAKING,
            Guard.LEASE_IS_READ_EACH_TIME,
            Guard.LEASE_COUNTS_FROM_SENDING,
            Guard.RENEWAL_COUNTS_FROM_ITS_OWN_SENDING,
            Guard.OPENING_GIVES_NO_LEASE,
            Guard.HOLDER_KEEPS_GRANTED_TERMS,
            Guard.CLOCKS_ARE_COMPARED,
            Guard.MONOTONIC_CLOCK_IS_ASKED,
            Guard.WALL_CLOCK_IS_ASKED,
            Guard.BOOT_CLOCK_IS_ASKED,
            Guard.SEGMENT_KEEPS_ITS_LEASE,
            Guard.GRANTER_KEEPS_GRANTED_TERMS,
            Guard.GRANTER_WAITS_FOR_THE_DRIFT,
            Guard.GRANTER_COUNTS_THE_SLOWEST_CLOCK,
            Guard.GRANTER_STARTS_ANEW_WHEN_CLOCKS_DISAGREE,
            Guard.FULL_TIMER_IN_A_NEW_TERM,
            Guard.EXPIRY_NAMES_ITS_RENEWAL,
            Guard.EXPELLED_KEEPS_ITS_TIMER,
            Guard.NEWCOMER_WAITS);

    private static final Set<Promise> ALL = EnumSet.allOf(Promise.class);
    private static final Set<Promise> OF_ORDER = EnumSet.of(Promise.UNIQUE, Promise.ORDERED, Promise.DURABLE);

    @Test
    void fixedSeedsKeepEveryPromiseAndCouldHaveBrokenIt() throws InterruptedException {
        hasPower(green(1, FIXED_SEEDS, seed -> Simulation.of(seed, HOURS)));
    }

    @Test
    void freshSeedsKeepEveryPromiseAndCouldHaveBrokenIt() throws InterruptedException {
        hasPower(green(FRESH.ofRound(0), SEEDS, seed -> Simulation.of(seed, HOURS)));
    }

    private static Tally green(long firstSeed, int seeds, LongFunction<Simulation> simulations)
            throws InterruptedException {
        var result = new Campaign(firstSeed, seeds, Runtime.getRuntime().availableProcessors(), simulations).run();
        result.failure().ifPresent(failure -> {
            throw new AssertionError(failure.broken() + " with " + failure.simulation() + " and "
                    + failure.outcome().mix() + "; a run of all guards is"
                    + " replayed with ./seqsvr sim --seed "
                    + failure.simulation().seed() + " --hours "
                    + failure.simulation().hours() + " --trace");
        });
        assertEquals(seeds, result.seeds());
        assertTrue(result.hasPower());
        assertEquals(0, result.tally().cutShort(), "runs that ended early");
        return result.tally();
    }

    /** What never happened was not shown to be harmless. */
    private static void hasPower(Tally tally) {
        assertEquals(EnumSet.allOf(Fault.class), tally.faultsByKind().keySet());
        atLeast(SEEDS, tally.straddlingPairs(), "straddling pairs");
        atLeast(SEEDS, tally.ownerChanges(), "changes of owner");
        atLeast(SEEDS / 2, tally.handOvers(), "hand-overs");
        atLeast(SEEDS, tally.calmHandOvers(), "hand-overs in calm");
        atLeast(100 * SEEDS, tally.operations(), "operations");
        atLeast(SEEDS, tally.refusals(), "refusals");
        atLeast(SEEDS, tally.unknown(), "unknown outcomes");
        assertEquals(0, tally.unjudged(), "answers judged in part only");
        assertEquals(0, tally.disbelieved(), "an owner refuses whoever knows of a newer one");
        atLeast(SEEDS, tally.framesOfSeveral(), "frames of several calls");
        atLeast(SEEDS, tally.retries(), "calls sent again");
        atLeast(1, tally.lateReplies(), "late replies");
        atLeast(1, tally.sharedReadings(), "shared readings");
        assertTrue(tally.begun() > 3 * 3_600 * tally.hours(), "fewer than one operation per client and second");
        atLeast(1, tally.ofTwins(), "answers of a twin");
        atLeast(SEEDS, tally.resumed(), "single calls that waited");
        atLeast(1, tally.sessionsLost(), "sessions lost");
        atLeast(1, tally.leaseDrops(), "leases dropped");
        assertTrue(tally.hours() > SEEDS * HOURS, () -> tally.hours() + " hours");
    }

    private static void atLeast(long least, long amount, String what) {
        assertTrue(amount >= least, () -> amount + " " + what + "; " + least + " are the least");
    }

    @Test
    void aSeedTellsTheSameStoryTwice() {
        for (long seed = FRESH.ofRound(1); seed < FRESH.ofRound(1) + 100; seed++) {
            var first = Simulation.of(seed, SHORT).run();
            var second = Simulation.of(seed, SHORT).run();
            assertEquals(first.hash(), second.hash(), "seed " + seed);
            assertEquals(first.mix(), second.mix(), "seed " + seed);
            assertEquals(first.tally().begun(), second.tally().begun(), "seed " + seed);
        }
    }

    @Test
    void aBrokenPromiseIsBrokenAgainInTheSameWords() {
        var mutant = Mutant.of(Guard.LEASE_IS_CHECKED);
        for (long seed = FRESH.ofRound(2); seed < FRESH.ofRound(2) + 20; seed++) {
            assertEquals(
                    mutant.simulation(seed, SHORT).run().broken(),
                    mutant.simulation(seed, SHORT).run().broken(),
                    "seed " + seed);
        }
    }

    @Test
    void whoeverReadsTheStoryDoesNotChangeIt() {
        for (long seed = FRESH.ofRound(3); seed < FRESH.ofRound(3) + 10; seed++) {
            var lines = new ArrayList<String>();
            var told = Simulation.of(seed, SHORT).run(lines::add);
            assertEquals(Simulation.of(seed, SHORT).run().hash(), told.hash(), "seed " + seed);
            assertTrue(lines.stream().anyMatch(line -> line.endsWith("HEALING")), "seed " + seed);
            assertTrue(lines.stream().anyMatch(line -> line.contains("received Range")), "seed " + seed);
        }
    }

    @Test
    void whileItIsCalmNothingNewGoesWrong() {
        var all = new Tally();
        for (long seed = FRESH.ofRound(9); seed < FRESH.ofRound(9) + 10; seed++) {
            var lines = new ArrayList<String>();
            all.add(Simulation.of(seed, HOURS).run(lines::add).tally());
            int begin = lines.indexOf(line(lines, " CALM"));
            int end = lines.indexOf(line(lines, " CALM IS OVER"));
            var calm = lines.subList(begin, end);
            assertTrue(calm.stream().noneMatch(line -> line.contains(" FAULT ")), "seed " + seed);
            assertTrue(calm.stream().noneMatch(line -> line.contains(" RESTORED")), "seed " + seed);
        }
        assertTrue(all.calmHandOvers() >= 10, () -> all.calmHandOvers() + " hand-overs in calm");
    }

    private static String line(List<String> lines, String end) {
        return lines.stream().filter(line -> line.endsWith(end)).findFirst().orElseThrow();
    }

    @Test
    void everySeedTellsAStoryOfItsOwn() {
        var hashes = new HashSet<Long>();
        for (long seed = FRESH.ofRound(4); seed < FRESH.ofRound(4) + 100; seed++) {
            assertTrue(hashes.add(Simulation.of(seed, SHORT).run().hash()), "seed " + seed);
        }
    }

    @Test
    void aMissingGuardChangesTheStory() {
        var mutant = Mutant.of(Guard.LEASE_IS_CHECKED);
        assertNotEquals(
                mutant.control(1, HOURS).run().hash(),
                mutant.simulation(1, HOURS).run().hash());
    }

    @Test
    void theNumberOfThreadsChangesNothing() throws InterruptedException {
        var one = new Campaign(FRESH.ofRound(5), 60, 1, seed -> Simulation.of(seed, SHORT)).run();
        var two = new Campaign(FRESH.ofRound(5), 60, 2, seed -> Simulation.of(seed, SHORT)).run();
        assertEquals(one.hash(), two.hash());
        assertEquals(one.seeds(), two.seeds());
        assertEquals(one.tally().begun(), two.tally().begun());
        assertEquals(one.tally().faultsByKind(), two.tally().faultsByKind());
    }

    @Test
    void aCampaignStopsAtTheFirstBrokenPromise() throws InterruptedException {
        var mutant = Mutant.of(Guard.NUMBER_WAITS_FOR_MAX_SEQ);
        var result = new Campaign(1, 1_000, 1, seed -> mutant.simulation(seed, HOURS)).run();
        var failure = result.failure().orElseThrow();
        assertTrue(result.seeds() < 1_000);
        assertEquals(result.seeds(), failure.simulation().seed(), "one thread stops at the seed that failed");
        assertEquals(
                failure.outcome().broken(),
                mutant.simulation(failure.simulation().seed(), HOURS).run().broken());
    }

    @Test
    void aRunTooShortForAChangeOfOwnerHasNoPower() throws InterruptedException {
        // Owners share equally from the start in this one; where they do not, balance changes owners while it drains.
        var result = new Campaign(2, 1, 1, seed -> new Simulation(seed, 1e-4, Guards.ALL, Aim.ANYWHERE, ALL)).run();
        assertFalse(result.failure().isPresent());
        assertFalse(result.hasPower());
    }

    /** The order of QUORUM rests on no clock: nobody looks at a lease, and every promise is kept all the same. */
    @Test
    void quorumOrderNeedsNoLease() throws InterruptedException {
        var tally = green(FRESH.ofRound(6), SEEDS, quorumOnly(Set.of(Guard.LEASE_IS_CHECKED), ALL));
        atLeast(SEEDS, tally.straddlingPairs(), "straddling pairs");
    }

    /** And none of the rules that keep a lease from being believed for too long is needed either. */
    @Test
    void quorumOrderNeedsNoClock() throws InterruptedException {
        var tally = green(FRESH.ofRound(7), SEEDS, quorumOnly(OF_TIME, OF_ORDER));
        atLeast(SEEDS, tally.straddlingPairs(), "straddling pairs");
    }

    /** The same without those rules where order does rest on the lease: so the runs above had something to see. */
    @Test
    void leaseOrderNeedsItsLease() throws InterruptedException {
        for (var missing : List.of(Set.of(Guard.LEASE_IS_CHECKED), OF_TIME)) {
            var guards = Guards.without(missing);
            var result = new Campaign(
                            FRESH.ofRound(6),
                            SEEDS,
                            1,
                            seed -> new Simulation(seed, HOURS, guards, Aim.ANYWHERE, Set.of(Promise.ORDERED)))
                    .run();
            assertTrue(result.failure().isPresent(), () -> "nobody missed " + missing);
        }
    }

    /** Whatever clocks do, no sequence is handed out twice, and none that a crash would forget: LEASE order or not. */
    @Test
    void uniquenessNeedsNoClock() throws InterruptedException {
        var guards = Guards.without(OF_TIME);
        var promises = EnumSet.of(Promise.UNIQUE, Promise.DURABLE);
        green(FRESH.ofRound(8), SEEDS, seed -> new Simulation(seed, HOURS, guards, Aim.ANYWHERE, promises));
    }

    private static LongFunction<Simulation> quorumOnly(Set<Guard> missing, Set<Promise> watched) {
        var guards = Guards.without(missing);
        return seed -> new Simulation(seed, HOURS, guards, Aim.ANYWHERE.withQuorumOnly(), watched);
    }
}
