package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.guard.Guards;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every fault leaves its mark on a running cluster, and a cluster to which nothing happens bears none. */
final class FaultsTest {
    private static final double HOURS = 0.1;
    private static final long AT_MOST = 180 * Nanos.SECOND;

    @TestFactory
    Stream<DynamicTest> aFaultInTheDeckHappensAndNoOther() {
        return eachFault(fault -> {
            var run = new Simulation(1, HOURS, Guards.ALL, Aim.at(fault), EnumSet.allOf(Promise.class)).run();
            assertEquals(Optional.empty(), run.broken());
            assertEquals(Set.of(fault), run.tally().faultsByKind().keySet());
            assertTrue(run.tally().faults() >= 10, () -> run.tally().faults() + " faults");
        });
    }

    @TestFactory
    Stream<DynamicTest> aFaultLeavesItsMark() {
        return eachFault(fault -> {
            var cluster = new QuietCluster(fault);
            var mark = FaultMarks.of(fault, cluster);
            cluster.faults().start();
            assertTrue(cluster.comesTrue(mark, AT_MOST), () -> "no mark of " + fault);
            assertTrue(cluster.world().tally().faultsByKind().containsKey(fault));
        });
    }

    @TestFactory
    Stream<DynamicTest> aClusterToWhichNothingHappensBearsNoMark() {
        return eachFault(fault -> {
            var cluster = new QuietCluster(fault);
            var mark = FaultMarks.of(fault, cluster);
            assertFalse(cluster.comesTrue(mark, AT_MOST), () -> "the mark of " + fault + " without the fault");
            assertEquals(0, cluster.world().tally().faults());
        });
    }

    private interface Story {
        void about(Fault fault);
    }

    private static Stream<DynamicTest> eachFault(Story story) {
        return Arrays.stream(Fault.values())
                .map(fault -> DynamicTest.dynamicTest(fault.name(), () -> story.about(fault)));
    }

    @Test
    void nothingHappensAnyMoreAfterTheEnd() {
        var cluster = new QuietCluster(Fault.PAUSE_ALLOCATOR);
        cluster.faults().start();
        cluster.pass(AT_MOST);
        cluster.faults().stop();
        long before = cluster.world().tally().faults();
        assertTrue(before > 0);
        cluster.pass(AT_MOST);
        assertEquals(before, cluster.world().tally().faults());
    }

    @Test
    void noTwoMachinesRatesDifferByMoreThanTheDriftAndSomeByNearlyAsMuch() {
        var random = new SplittableRandom(1);
        double slowest = 1;
        double fastest = 1;
        for (int i = 0; i < 1_000; i++) {
            double rate = Faults.rate(random);
            slowest = Math.min(slowest, rate);
            fastest = Math.max(fastest, rate);
        }
        double drift = Mix.LEASE.driftPermille() / 1_000.0;
        assertTrue(fastest / slowest <= 1 + drift, fastest + " and " + slowest);
        assertTrue(fastest / slowest > 1 + 0.95 * drift, fastest + " and " + slowest);
    }
}
