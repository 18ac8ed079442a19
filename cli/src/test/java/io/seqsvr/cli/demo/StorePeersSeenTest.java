package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.lab.Lab;
import io.seqsvr.storeclient.PeerStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When the peers of StoreSvr can lose one more of them. */
final class StorePeersSeenTest {
    private static final long NEWEST = 5_000;

    private static PeerStatus peer(String id, boolean leads, OptionalLong applied) {
        return new PeerStatus(
                id,
                "cluster",
                OptionalInt.of(0),
                leads,
                leads,
                1,
                applied,
                0,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                1,
                0,
                new PeerStatus.Waiting(0, 0, 0, 0),
                0,
                List.of());
    }

    private static PeerStatus at(String id, boolean leads, long applied) {
        return peer(id, leads, OptionalLong.of(applied));
    }

    private static boolean follow(PeerStatus... peers) {
        return StorePeersSeen.follow(List.of(peers), 3);
    }

    private static final PeerStatus LEADER = at("store-1", true, NEWEST);
    private static final PeerStatus FOLLOWER = at("store-2", false, NEWEST - 1);

    @Test
    void allThreeAreWell() {
        assertTrue(follow(LEADER, FOLLOWER, at("store-3", false, NEWEST + 3)));
    }

    @Test
    void oneIsSilent() {
        assertFalse(follow(LEADER, FOLLOWER));
    }

    @Test
    void nobodyLeads() {
        assertFalse(follow(at("store-1", false, NEWEST), FOLLOWER, at("store-3", false, NEWEST)));
    }

    @Test
    void oneHasAppliedNothingYet() {
        assertFalse(follow(LEADER, FOLLOWER, peer("store-3", false, OptionalLong.empty())));
    }

    @Test
    void oneThatHasASnapshotToTakeInIsBehind() {
        long oneSnapshotBehind = NEWEST - Lab.SNAPSHOT_EVERY;
        assertFalse(follow(LEADER, FOLLOWER, at("store-3", false, oneSnapshotBehind)));
    }
}
