package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.lab.Need;
import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.report.Network;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What cannot be done is skipped with its reason, and the rest is left. */
final class FeasibleTest {
    private static final ClusterPlan CLUSTER =
            new ClusterPlan(3, 3, 2, Duration.ofSeconds(3), new NamespacePlan(1_000, 10));

    private static ClusterFault fault(String name) {
        return ClusterFault.named(name).orElseThrow();
    }

    private static String skipped(String name) {
        var none = Feasible.of(List.of(fault(name)), CLUSTER, Optional.of(Network.PROXY));
        assertEquals(List.of(), none.faults());
        assertEquals(name, none.skipped().get(0).cell());
        return none.reasons();
    }

    @Test
    void processesNeedNothing() {
        var kill = List.of(fault("kill-allocator"), fault("pause-router"));
        var feasible = Feasible.of(kill, CLUSTER, Optional.empty());
        assertEquals(kill, feasible.faults());
        assertEquals(Set.of(), feasible.needs());
        assertEquals(List.of(), feasible.skipped());
    }

    @Test
    void proxiesStandBeforeAllocatorsAndRoutersOnly() {
        var missing = Need.PROXIES.missing();
        var cut = Feasible.of(
                List.of(fault("cut-allocator"), fault("delay-router")), CLUSTER, Optional.of(Network.PROXY));
        assertEquals(missing.isEmpty() ? Set.of(Need.PROXIES) : Set.of(), cut.needs());
        assertTrue(skipped("cut-store-leader").startsWith("no proxy stands between the peers of StoreSvr"));
        for (var verb : List.of("roughen", "lose", "double", "overtake", "damage", "spike")) {
            assertTrue(skipped(verb + "-allocator").startsWith("a proxy carries bytes"), verb);
            assertTrue(skipped(verb + "-caller").startsWith("a proxy carries bytes"), verb);
        }
    }

    @Test
    void aCellLacksWhatOneOfItsFaultsLacks() {
        var kill = fault("kill-allocator");
        var roughen = fault("roughen-router");
        var feasible = Feasible.of(List.of(kill, roughen), CLUSTER, Optional.of(Network.PROXY));
        var skipped =
                feasible.skippedOf(List.of(Compound.of(kill), new Compound(List.of(roughen, kill))), Compound::name);
        assertEquals(1, skipped.size());
        assertEquals("kill-allocator + roughen-router", skipped.get(0).cell());
        assertTrue(skipped.get(0).why().startsWith("a proxy carries bytes"), skipped::toString);
    }

    @Test
    void whatTheClusterCannotBearIsNotTriedOnTheMachine() {
        var one = new ClusterPlan(1, 1, 1, Duration.ofSeconds(3), new NamespacePlan(1_000, 10));
        var feasible = Feasible.of(List.of(fault("cut-store-leader")), one, Optional.empty());
        assertTrue(feasible.reasons().startsWith("--store is 1"), feasible::reasons);
    }
}
