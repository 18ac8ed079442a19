package io.seqsvr.cli.bench.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be measured of failover, and how waits become figures. */
final class FailoverPlanTest {
    private static final Duration TTL = Duration.ofSeconds(3);

    @TempDir
    private Path directory;

    private FailoverPlan plan(Change change, int stores, int allocators, int routers) {
        return new FailoverPlan(
                change,
                stores,
                allocators,
                routers,
                TTL,
                300,
                10_000,
                2_000,
                Duration.ofSeconds(1),
                20,
                0,
                0,
                10,
                3,
                directory);
    }

    @Test
    void everyChangeOfTheUsualClusterCanBeMeasured() {
        for (var change : Change.values()) {
            assertEquals(List.of(), plan(change, 3, 3, 2).problems(), change.toString());
        }
    }

    @Test
    void whereNobodyGoesOnNothingIsTakenAway() {
        for (var change : Change.values()) {
            assertEquals(1, plan(change, 1, 1, 1).problems().size(), change.toString());
        }
        assertEquals(List.of(), plan(Change.DRAIN, 1, 2, 1).problems());
        assertEquals(List.of(), plan(Change.RESTART_ROUTER, 1, 1, 2).problems());
        assertEquals(List.of(), plan(Change.KILL_LEADER, 3, 1, 1).problems());
    }

    @Test
    void everyProblemIsNamedAtOnce() {
        var problems = new FailoverPlan(
                        Change.DRAIN, 0, 3, 2, TTL, 0, 0, 0, Duration.ofMillis(9), -1, -1, -1, 0, 0, directory)
                .problems();
        for (var option : List.of(
                "--store is 0",
                "--segments is 0",
                "--step is 0",
                "--rate is 0",
                "--deadline is 9ms",
                "--warm-up is -1",
                "--warm-up-rounds is -1",
                "--settle is -1",
                "--calm is 0",
                "--rounds is 0")) {
            assertTrue(problems.stream().anyMatch(problem -> problem.startsWith(option)), option + ": " + problems);
        }
        assertEquals(10, problems.size(), problems::toString);
    }

    @Test
    void everyUserAsksInASegmentOfItsOwn() {
        var segments = LongStream.range(0, 300)
                .map(segment -> FailoverPlan.uid((int) segment) / FailoverPlan.SEGMENT_SIZE)
                .toArray();
        assertEquals(300, Arrays.stream(segments).distinct().count());
    }

    @Test
    void ofAHundredWaitsTheLongestButOneIsThatOf99Percent() {
        var pauses = new Pauses();
        assertEquals(0, pauses.percentile(99));
        pauses.add(LongStream.rangeClosed(1, 60).map(milli -> milli * 1_000_000));
        pauses.add(LongStream.rangeClosed(61, 100).map(milli -> milli * 1_000_000));
        assertEquals(50, pauses.percentile(50));
        assertEquals(99, pauses.percentile(99));
        assertEquals(100, pauses.percentile(100));
        assertEquals(100, pauses.last());
    }
}
