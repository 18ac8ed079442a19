package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.Order;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class MixTest {
    private static final int SEEDS = 500;

    private static Mix draw(long seed, Aim aim) {
        return Mix.draw(new SplittableRandom(seed), aim);
    }

    private static List<Mix> all(Aim aim) {
        return LongStream.range(0, SEEDS).mapToObj(seed -> draw(seed, aim)).toList();
    }

    @Test
    void everySeedDrawsAMixOfItsOwnAndTheSameOneAgain() {
        assertEquals(SEEDS, Set.copyOf(all(Aim.ANYWHERE)).size());
        assertEquals(all(Aim.ANYWHERE), all(Aim.ANYWHERE));
    }

    @Test
    void everyFaultIsInSomeMixesAndLeftOutOfOthers() {
        for (var fault : Fault.values()) {
            long with = all(Aim.ANYWHERE).stream()
                    .filter(mix -> mix.weights().containsKey(fault))
                    .count();
            assertTrue(with > SEEDS / 3 && with < SEEDS / 2, () -> fault + " is in " + with);
        }
    }

    @Test
    void someNetworksLoseNothingAndSomeWorldsHaveOneNamespace() {
        var all = all(Aim.ANYWHERE);
        assertEquals(
                Set.of(true, false), all.stream().map(mix -> mix.loss() == 0).collect(Collectors.toSet()));
        assertEquals(
                Set.of(true, false),
                all.stream().map(mix -> mix.duplication() == 0).collect(Collectors.toSet()));
        assertEquals(Set.of(1, 2), all.stream().map(Mix::namespaces).collect(Collectors.toSet()));
    }

    @Test
    void someSeedsDrawARoughNetworkOrNoRestOrFewFaults() {
        var all = all(Aim.ANYWHERE);
        long rough = all.stream().filter(mix -> mix.loss() == 800).count();
        long restless =
                all.stream().filter(mix -> mix.faultNanos() == Nanos.SECOND).count();
        long few = all.stream().filter(mix -> mix.weights().size() < 7).count();
        for (long part : new long[] {rough, restless, few}) {
            assertTrue(part > SEEDS / 12 && part < SEEDS / 3, () -> rough + ", " + restless + ", " + few);
        }
    }

    @Test
    void someWorldsHaveOnlyNamespacesInQuorumOrderAndSomeTheGreatestSequencesThatThereAre() {
        var all = all(Aim.ANYWHERE);
        long quorumOnly = all.stream().filter(Mix::quorumOnly).count();
        long greatest = all.stream().filter(Mix::greatest).count();
        for (long part : new long[] {quorumOnly, greatest}) {
            assertTrue(part > SEEDS / 25 && part < SEEDS / 6, () -> quorumOnly + ", " + greatest);
        }
    }

    @Test
    void anAimLeavesNoOtherFaults() {
        var aim = Aim.at(Fault.EXPEL, Fault.STORE_SLOW);
        for (var mix : all(aim)) {
            assertEquals(
                    EnumSet.of(Fault.EXPEL, Fault.STORE_SLOW), mix.weights().keySet());
            assertTrue(mix.weights().values().stream().allMatch(weight -> weight > 0), mix::toString);
        }
    }

    @Test
    void aRoughNetworkIsRoughForEverySeed() {
        for (var mix : all(Aim.ANYWHERE.withRoughNetwork())) {
            assertTrue(mix.loss() > 0 && mix.duplication() > 0 && mix.longDelay() > 0, mix::toString);
        }
    }

    @Test
    void withoutRestFaultsFollowEachOtherSooner() {
        double usual =
                all(Aim.ANYWHERE).stream().mapToLong(Mix::faultNanos).average().orElseThrow();
        for (var mix : all(Aim.ANYWHERE.withoutRest())) {
            assertTrue(mix.faultNanos() < usual / 2, mix::toString);
        }
    }

    @Test
    void theFirstNamespaceIsInLeaseOrderUnlessAllAreInQuorumOrder() {
        for (var mix : all(Aim.ANYWHERE)) {
            assertEquals(
                    mix.quorumOnly() ? Order.QUORUM : Order.LEASE,
                    mix.namespace(1).order());
            assertEquals(Order.QUORUM, mix.namespace(2).order());
        }
        for (var mix : all(Aim.ANYWHERE.withQuorumOnly())) {
            assertEquals(Order.QUORUM, mix.namespace(1).order());
        }
    }

    @Test
    void anAimOfEverythingKeepsOnlyTheOrderOfTheNamespaces() {
        var aim = Aim.at(Fault.EXPEL).withQuorumOnly().withRoughNetwork().withoutRest();
        assertEquals(Aim.ANYWHERE.withQuorumOnly(), aim.anywhere());
        assertEquals(Aim.ANYWHERE, Aim.at(Fault.EXPEL).withoutRest().anywhere());
        assertFalse(aim.faults().isEmpty());
    }

    @Test
    void everyUserOfANamespaceIsInASegment() {
        for (var mix : all(Aim.ANYWHERE)) {
            var namespace = mix.namespace(1);
            assertEquals((long) mix.segments() * mix.usersPerSegment(), namespace.capacity());
        }
    }
}
