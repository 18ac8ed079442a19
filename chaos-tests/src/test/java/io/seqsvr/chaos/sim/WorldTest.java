package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.guard.Guards;
import java.util.EnumSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Whatever a part throws ends a run as a broken promise, and what is none still names its seed. */
final class WorldTest {
    private static final long RUNS = 10 * Nanos.SECOND;

    @TestFactory
    Stream<DynamicTest> whateverIsThrownInsideOfARunBreaksAPromise() {
        return Stream.of(
                        new IllegalStateException("fake"),
                        new NullPointerException("fake"),
                        new NoSuchElementException("fake"),
                        new ClassCastException("fake"),
                        new IndexOutOfBoundsException("fake"),
                        new ArithmeticException("fake"))
                .map(defect -> DynamicTest.dynamicTest(
                        defect.getClass().getSimpleName(),
                        () -> breaks(() -> {
                            throw defect;
                        })));
    }

    @Test
    void soDoesAnAssertionThatFails() {
        breaks(() -> {
            throw new AssertionError("fake");
        });
    }

    private static void breaks(Runnable defect) {
        var world = new World(1, Mixes.calm(), Guards.ALL, EnumSet.allOf(Promise.class), Optional.empty());
        world.agenda().after(Nanos.SECOND, defect);
        world.run(RUNS);
        var broken = world.judge().broken().orElseThrow();
        assertEquals(Promise.SOUND, broken.promise());
        assertEquals(Nanos.SECOND, broken.nanos());
        assertTrue(broken.words().endsWith(": fake"), broken::words);
        assertTrue(world.tally().hours() > 0, "what had happened until then counts");
    }

    @Test
    void whoAsksAtTheAddressOfATwinReachesEitherOfTheTwoWhileItRuns() {
        var cluster = new QuietCluster(Fault.START_TWIN).world();
        assertEquals(Set.of(cluster.allocator(0)), reached(cluster));
        cluster.twin().visit(Nanos.SECOND);
        assertEquals(Set.of(cluster.allocator(0), cluster.twin()), reached(cluster));
        cluster.twin().leave();
        assertEquals(Set.of(cluster.allocator(0)), reached(cluster));
    }

    private static Set<AllocatorNode> reached(World world) {
        var draws = new SplittableRandom(1);
        return IntStream.range(0, 20)
                .mapToObj(i -> world.allocatorAt(world.twin().address(), draws))
                .collect(Collectors.toSet());
    }

    @Test
    void whoIsKilledOnceMoreBeforeItIsBackStartsOnce() {
        var world = new World(1, Mixes.calm(), Guards.ALL, EnumSet.allOf(Promise.class), Optional.empty());
        var allocator = world.allocator(0);
        allocator.start();
        allocator.kill(Nanos.SECOND);
        allocator.kill(3 * Nanos.SECOND);
        world.agenda().runUntil(2 * Nanos.SECOND);
        assertTrue(allocator.machine().isDown(), "the second one stays away for longer");
        world.agenda().runUntil(4 * Nanos.SECOND);
        assertFalse(allocator.machine().isDown());
    }

    @Test
    void whatEscapesARunNamesItsSeed() {
        // Nobody watches anything: there is no judge for that, and no run.
        var campaign = new Campaign(7, 1, 1, seed -> new Simulation(seed, 0.1, Guards.ALL, Aim.ANYWHERE, Set.of()));
        var escaped = assertThrows(IllegalStateException.class, campaign::run);
        assertTrue(escaped.toString().contains("seed 7: "), escaped::toString);
    }
}
