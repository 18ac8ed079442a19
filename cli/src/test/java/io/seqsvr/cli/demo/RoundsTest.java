package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.JavaProgram;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is drawn, users can be served; and everything is drawn. */
final class RoundsTest {
    private static final int DRAWN = 2_000;

    @TempDir
    private Path parent;

    private List<List<Rounds.Strike>> rounds(int stores, List<ClusterFault> faults, int atOnce) throws IOException {
        return rounds(stores, faults, atOnce, Rounds::next);
    }

    private List<List<Rounds.Strike>> rounds(
            int stores, List<ClusterFault> faults, int atOnce, Function<Rounds, List<Rounds.Strike>> draw)
            throws IOException {
        var of = new ClusterPlan(stores, 2, 2, Duration.ofSeconds(3), new NamespacePlan(1_000, 10)).withCallers(1);
        try (var nodes = LocalNodes.in(parent, "rounds-", new JavaProgram("none"))) {
            var cluster = LocalCluster.<IOException>in(nodes, of, (settings, clusterId) -> {});
            var plan = new ChaosPlan(
                    faults,
                    Set.of(),
                    atOnce,
                    of,
                    24,
                    new Timing(1, Optional.empty(), Optional.empty()),
                    42,
                    List.of(),
                    List.of(),
                    Optional.empty(),
                    parent);
            var rounds = new Rounds(plan, cluster, () -> leader(cluster), new SplittableRandom(42));
            return Stream.generate(() -> draw.apply(rounds)).limit(DRAWN).toList();
        }
    }

    private static LocalNode leader(LocalCluster cluster) {
        return cluster.of(Tier.STORESVR).get(1);
    }

    private static long count(List<Rounds.Strike> round, Tier tier) {
        return round.stream()
                .filter(strike ->
                        strike.tier() == tier && !strike.fault().victim().isWholeTier())
                .count();
    }

    @Test
    void anAllocatorAndAMajorityAreLeftAlone() throws IOException {
        for (var round : rounds(5, ClusterFault.all(), 3)) {
            assertTrue(!round.isEmpty() && round.size() <= 3, round::toString);
            assertTrue(count(round, Tier.ALLOCSVR) <= 1, round::toString);
            assertTrue(count(round, Tier.STORESVR) <= 2, round::toString);
            var nodes =
                    round.stream().flatMap(strike -> strike.nodes().stream()).toList();
            assertEquals(nodes.size(), new HashSet<>(nodes).size(), round::toString);
        }
    }

    @Test
    void theLeaderIsTheOneThatLeadsAndAFollowerIsNot() throws IOException {
        for (var round : rounds(3, ClusterFault.all(), 3)) {
            for (var strike : round) {
                if (strike.tier() == Tier.STORESVR && !strike.fault().victim().isWholeTier()) {
                    assertEquals(
                            strike.fault().victim() == Victim.STORE_LEADER,
                            strike.nodes().get(0).name().equals("store-2"),
                            strike::toString);
                }
            }
        }
    }

    @Test
    void everyFaultIsDrawnAndSeveralAtOnce() throws IOException {
        var rounds = rounds(3, ClusterFault.all(), 3);
        var drawn = new HashSet<ClusterFault>();
        rounds.forEach(round -> round.forEach(strike -> drawn.add(strike.fault())));
        assertEquals(new HashSet<>(ClusterFault.all()), drawn);
        assertTrue(drawn.stream().anyMatch(fault -> fault.victim().isWholeTier()));
        assertTrue(rounds.stream().anyMatch(round -> round.size() == 3));
        assertTrue(rounds.stream().allMatch(round -> round.size() >= 2), "two at least");
    }

    @Test
    void eachTierIsStruckAsOftenHoweverManyFaultsItHas() throws IOException {
        var first = rounds(3, ClusterFault.all(), 1).stream()
                .map(round -> round.get(0).tier())
                .toList();
        for (var tier : Tier.values()) {
            long count = first.stream().filter(tier::equals).count();
            assertTrue(count > DRAWN * 2 / 10 && count < DRAWN * 3 / 10, tier + " " + count);
        }
    }

    @Test
    void oneFaultAloneStaysAlone() throws IOException {
        var only = new ClusterFault(FaultKind.PAUSE, Victim.ROUTER);
        var victims = EnumSet.noneOf(Tier.class);
        for (var round : rounds(1, List.of(only), 1)) {
            assertEquals(1, round.size());
            victims.add(round.get(0).tier());
        }
        assertEquals(EnumSet.of(Tier.ROUTER), victims);
    }

    @Test
    void allOfACellBefallsNodesOfTheirOwn() throws IOException {
        var together = new Compound(Stream.of("kill-store-leader", "pause-allocator", "kill-router", "restart-router")
                .map(name -> ClusterFault.named(name).orElseThrow())
                .toList());
        assertEquals("kill-router + kill-store-leader + pause-allocator + restart-router", together.name());
        var turned = new ArrayList<>(together.faults());
        Collections.reverse(turned);
        assertEquals(together, new Compound(turned));
        for (var round : rounds(3, ClusterFault.all(), 1, rounds -> rounds.only(together))) {
            assertEquals(
                    Set.copyOf(together.faults()),
                    round.stream().map(Rounds.Strike::fault).collect(Collectors.toSet()));
            assertEquals(
                    together.faults().size(),
                    round.stream()
                            .flatMap(strike -> strike.nodes().stream())
                            .distinct()
                            .count());
        }
    }

    @Test
    void whatNodesAreAskedToDoIsBegunBeforeTheRest() throws IOException {
        var kill = new ClusterFault(FaultKind.KILL, Victim.ROUTER);
        for (var asked : List.of(
                new ClusterFault(FaultKind.DRAIN, Victim.ALLOCATOR),
                new ClusterFault(FaultKind.MOVE, Victim.ALLOCATOR),
                new ClusterFault(FaultKind.ROLL, Victim.STORES))) {
            for (var round : rounds(3, List.of(kill, asked), 3)) {
                boolean has = round.stream().anyMatch(strike -> strike.fault().equals(asked));
                assertEquals(has, round.get(0).fault().equals(asked), round::toString);
            }
        }
    }

    @Test
    void whatAClusterCannotBearIsSaid() {
        var small = new ClusterPlan(1, 1, 1, Duration.ofSeconds(3), new NamespacePlan(1_000, 10));
        var said = ClusterFault.all().stream()
                .flatMap(fault -> fault.problem(small).stream())
                .toList();
        assertTrue(said.stream().allMatch(why -> why.contains("--alloc is 1") || why.contains("--store is 1")));
        assertEquals("--alloc is 1; for kill-allocator there must be another one to take over", said.get(0));
    }
}
