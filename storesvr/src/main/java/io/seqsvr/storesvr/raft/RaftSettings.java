package io.seqsvr.storesvr.raft;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis' settings, all in one place. What is not set here stands at Ratis' default, the corruption policy among it. */
public final class RaftSettings {
    /** How long a follower waits at most before it stands for election, in milliseconds. */
    public static final int ELECTION_MOST_MILLIS = 600;

    private static final TimeDuration ELECTION_LEAST = millis(300);
    private static final TimeDuration ELECTION_MOST = millis(ELECTION_MOST_MILLIS);
    /** Alone there is nobody to wait for. */
    private static final TimeDuration ALONE_LEAST = millis(50);

    private static final TimeDuration ALONE_MOST = millis(100);

    private static final int SNAPSHOTS_KEPT = 2;
    private static final SizeInBytes SEGMENT = SizeInBytes.valueOf("8MB");
    private static final SizeInBytes PREALLOCATED = SizeInBytes.valueOf("4MB");
    /** Larger than the largest command (1 MiB) with room for the entry around it. */
    private static final SizeInBytes APPEND_LIMIT = SizeInBytes.valueOf("4MB");

    private RaftSettings() {}

    /**
     * Why sessions may not have this time to live in a group of so many members: each failure of a leader would end
     * them all before there is another one to renew at. Nothing if they may.
     */
    public static Optional<String> ttlProblem(long ttlNanos, int members) {
        return members == 1 || ttlNanos > ELECTION_MOST_MILLIS * 1_000_000L
                ? Optional.empty()
                : Optional.of("ttl is " + ttlNanos / 1_000_000
                        + " ms; with several peers it must be above the election time of " + ELECTION_MOST_MILLIS
                        + " ms");
    }

    static void storage(RaftProperties properties, Path directory) {
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
    }

    static RaftProperties server(RaftPeers peers, Path directory) {
        var properties = new RaftProperties();
        storage(properties, directory);
        var own = peers.own().raft();
        GrpcConfigKeys.Server.setHost(properties, own.host());
        GrpcConfigKeys.Server.setPort(properties, own.port());

        boolean alone = peers.all().size() == 1;
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, alone ? ALONE_LEAST : ELECTION_LEAST);
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, alone ? ALONE_MOST : ELECTION_MOST);

        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SEGMENT);
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, PREALLOCATED);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, APPEND_LIMIT);
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf(APPEND_LIMIT.getSize() + 8));

        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        // Only for the one at a clean stop: all others are taken beside the thread that applies.
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, Long.MAX_VALUE);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, SNAPSHOTS_KEPT);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        return properties;
    }

    private static TimeDuration millis(long millis) {
        return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
    }
}
