package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.proto.rpc.HostPort;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.Test;

/** What Ratis would do by itself, and must not. */
class RaftSettingsTest {
    @Test
    void whoStoodStillOverTheHolidaysStaysAMember() {
        var properties = RaftSettings.server(new HostPort("127.0.0.1", 7900), false, Path.of("raft"));
        var endsAfter = RaftServerConfigKeys.closeThreshold(properties);
        assertTrue(endsAfter.toLong(TimeUnit.DAYS) > 365, endsAfter::toString);
    }

    /** A minute of them, at a hundred thousand raises a second, is more than a peer has memory for. */
    @Test
    void repliesToOldEntriesAreNotKept() {
        var properties = RaftSettings.server(new HostPort("127.0.0.1", 7900), false, Path.of("raft"));
        var kept = RaftServerConfigKeys.RetryCache.expiryTime(properties);
        assertTrue(kept.toLong(TimeUnit.SECONDS) <= 1, kept::toString);
    }

    /** Ratis multiplies the two; what comes of it was none, and a transfer came to its end by luck, if it was short. */
    @Test
    void aPartOfASnapshotHasTimeToBeAnswered() {
        var properties = RaftSettings.server(new HostPort("127.0.0.1", 7900), false, Path.of("raft"));
        var waits = GrpcConfigKeys.Server.installSnapshotRequestTimeout(properties)
                .multiply(GrpcConfigKeys.Server.installSnapshotRequestElementLimit(properties));
        assertEquals(RaftSettings.SNAPSHOT_ANSWER.toMillis(), waits.toLong(TimeUnit.MILLISECONDS));
    }

    @Test
    void aDamagedLogIsRefusedAndWhatIsAcknowledgedWasSynced() {
        var properties = RaftSettings.server(new HostPort("127.0.0.1", 7900), false, Path.of("raft"));
        assertEquals(
                RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION,
                RaftServerConfigKeys.Log.corruptionPolicy(properties));
        assertFalse(RaftServerConfigKeys.Log.unsafeFlushEnabled(properties));
    }

    /** An entry that is larger than what is sent at once makes a leader step down, and the next one, and so on. */
    @Test
    void theLargestCommandFitsIntoWhatIsSentAtOnce() {
        var properties = RaftSettings.server(new HostPort("127.0.0.1", 7900), false, Path.of("raft"));
        long sentAtOnce =
                RaftServerConfigKeys.Log.Appender.bufferByteLimit(properties).getSize();
        long written = RaftServerConfigKeys.Log.writeBufferSize(properties).getSize();
        // A command that is larger than an entry of several goes alone.
        assertTrue(EntryQueue.MOST_WEIGHT < RaftSettings.MOST_COMMAND_BYTES);
        assertTrue(
                sentAtOnce >= 2L * RaftSettings.MOST_COMMAND_BYTES && written > sentAtOnce,
                sentAtOnce + " and " + written);
    }
}
