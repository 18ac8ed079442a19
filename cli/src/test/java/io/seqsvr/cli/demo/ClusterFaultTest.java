package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.chaos.process.ClusterPlan;
import io.seqsvr.chaos.process.NamespacePlan;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** For how long users may wait because of one thing, with a lease of 3 s. */
final class ClusterFaultTest {
    private static final ClusterPlan CLUSTER =
            new ClusterPlan(3, 3, 2, Duration.ofSeconds(3), new NamespacePlan(1_000, 10));

    private static Duration bound(FaultKind kind, Victim victim) {
        return new ClusterFault(kind, victim).bound(CLUSTER);
    }

    @Test
    void aPlannedChangeOfOwnerIsAllowedLessThanADeath() {
        assertEquals(Duration.ofSeconds(2), bound(FaultKind.DRAIN, Victim.ALLOCATOR));
        assertEquals(Duration.ofSeconds(2), bound(FaultKind.RESTART, Victim.ALLOCATOR));
        assertEquals(bound(FaultKind.KILL, Victim.ALLOCATOR), bound(FaultKind.PAUSE, Victim.ALLOCATOR));
        assertEquals(
                bound(FaultKind.KILL, Victim.ALLOCATOR).plusSeconds(3),
                bound(FaultKind.LAG, Victim.ALLOCATOR),
                "what it sent keeps coming");
        assertEquals(Duration.ofSeconds(3), bound(FaultKind.KILL, Victim.STORE_LEADER));
    }

    @Test
    void whoeverCountsForNothingMustNotBeMissed() {
        var unnoticed = Duration.ofMillis(1_250);
        assertEquals(unnoticed, bound(FaultKind.KILL, Victim.STORE_FOLLOWER));
        assertEquals(unnoticed, bound(FaultKind.SPEED_UP, Victim.ALLOCATOR));
        assertEquals(unnoticed, bound(FaultKind.SET_BACK, Victim.ROUTER));
        assertEquals(unnoticed, bound(FaultKind.SET_AHEAD, Victim.STORE_LEADER));
    }

    @Test
    void aLeaderThatIsAskedToGoGivesItsPlaceAwayFirst() {
        assertEquals(Duration.ofSeconds(2), bound(FaultKind.REMOVE, Victim.STORE_LEADER));
        assertEquals(Duration.ofSeconds(2), bound(FaultKind.ROLL, Victim.STORES));
    }

    @Test
    void whatGoesOnInPartIsNoticedLater() {
        var lease = Duration.ofMillis(3_301);
        assertEquals(
                lease.plusSeconds(2), bound(FaultKind.CUT, Victim.ALLOCATOR).truncatedTo(ChronoUnit.MILLIS));
        assertEquals(
                lease.plusSeconds(3), bound(FaultKind.CUT_IN, Victim.ALLOCATOR).truncatedTo(ChronoUnit.MILLIS));
        assertEquals(Duration.ofSeconds(4), bound(FaultKind.CUT, Victim.STORE_LEADER));
        assertEquals(Duration.ofSeconds(6), bound(FaultKind.CUT_IN, Victim.STORE_LEADER));
        assertEquals(Duration.ofSeconds(4), bound(FaultKind.LAG, Victim.STORE_LEADER), "its heartbeats are missed");
        assertEquals(Duration.ofSeconds(4), bound(FaultKind.STARVE, Victim.STORE_LEADER));
        assertEquals(Duration.ofSeconds(16), bound(FaultKind.CUT_POWER, Victim.STORES));
    }
}
