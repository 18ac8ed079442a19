package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When a leader's disk holds its group up. */
class SlowDiskTest {
    private static final long SECOND = 1_000_000_000;

    private final SlowDisk disk = new SlowDisk();

    private boolean unbearable(double seconds, long here, long... there) {
        return disk.isUnbearable(
                (long) (seconds * SECOND), here, LongStream.of(there).boxed().toList());
    }

    @Test
    void aLeaderThatSyncsNothingForASecondWhileTheOthersDoIsTooSlow() {
        assertFalse(unbearable(0, 10, 11, 11));
        assertFalse(unbearable(1.0, 10, 12, 13));
        assertTrue(unbearable(1.1, 10, 12, 13));
        assertTrue(unbearable(1.2, 10, 12, 13), "until another one leads");
    }

    @Test
    void aLeaderThatIsBehindButGetsOnIsNot() {
        for (int i = 0; i < 50; i++) {
            assertFalse(unbearable(0.1 * i, i, i + 5, i + 5));
        }
    }

    @Test
    void timeWithoutAnythingToSyncDoesNotCount() {
        assertFalse(unbearable(0, 10, 10, 10));
        assertFalse(unbearable(60, 10, 11, 11));
        assertFalse(unbearable(60.5, 10, 10, 10));
        assertFalse(unbearable(120, 10, 11, 11));
    }

    @Test
    void whereItsOwnDiskIsNeededForAMajorityNothingIsGainedByAnotherLeader() {
        assertFalse(unbearable(0, 10, 12, 10));
        assertFalse(unbearable(5, 10, 12, 10));
        assertFalse(unbearable(10, 10, 12, 12, 10, 10));
        assertFalse(unbearable(15, 10, 12, 12, 10, 10));
        assertFalse(unbearable(20, 10), "alone there is nobody else");
        assertFalse(unbearable(25, 10));
    }

    @Test
    void ofFiveThreeOthersAreEnough() {
        assertFalse(unbearable(0, 10, 12, 12, 12, 10));
        assertTrue(unbearable(2, 10, 12, 12, 12, 10));
    }

    @Test
    void ofThreeBothOthersAreEnough() {
        assertFalse(unbearable(0, 10, 12, 12));
        assertTrue(unbearable(2, 10, 12, 12));
    }
}
