package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What several faults at once mean together. */
final class CompoundTest {
    private static Compound compound(String names) {
        return new Compound(Arrays.stream(names.split("\\+"))
                .map(name -> ClusterFault.named(name).orElseThrow())
                .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "kill-routers+pause-allocator, true",
        "kill-routers+lag-allocator, true",
        "freeze-router+cut-router+kill-allocator, true",
        "kill-routers+kill-store-leader, true",
        "kill-routers, true",
        "cut-router+pause-router, true",
        "narrow-router+restart-router, true",
        "lag-router+narrow-router, true",
        "narrow-router+starve-router, false",
        "narrow-router, false",
        "cut-router, false",
        "roll-routers+kill-allocator, false",
        "freeze-router+kill-allocator, false",
        "speed-up-router+lag-router+kill-allocator, false",
        "kill-allocator, false",
    })
    void withoutARouterNobodyIsServedThroughOneNorGivenWhatADeadOwnerHad(String names, boolean none) {
        assertEquals(none, compound(names).leavesNoRouter(2));
    }

    @ParameterizedTest
    @CsvSource({
        "kill-store-leader+drain-allocator, drain-allocator+kill-store-leader",
        "drain-allocator+move-allocator, move-allocator+drain-allocator",
    })
    void itIsTheSameHoweverItIsNamed(String one, String other) {
        assertEquals(compound(one), compound(other));
        assertEquals(List.of(compound(one).name()), List.of(compound(other).name()));
    }
}
