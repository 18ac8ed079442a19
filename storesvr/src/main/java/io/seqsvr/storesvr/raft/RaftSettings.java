package io.seqsvr.storesvr.raft;

import io.seqsvr.proto.rpc.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis' settings, all in one place. What is not set here stands at Ratis' default, the corruption policy among it. */
public final class RaftSettings {
    /** What a command may have, of bytes; no log entry is larger, but for what is around its commands. */
    public static final int MOST_COMMAND_BYTES = 1 << 20;

    /** How long a follower waits at most before it stands for election, in milliseconds. */
    public static final int ELECTION_MOST_MILLIS = 600;

    private static final TimeDuration ELECTION_LEAST = millis(300);
    private static final TimeDuration ELECTION_MOST = millis(ELECTION_MOST_MILLIS);
    /** Alone there is nobody to wait for. Only until it first leads: the group may grow. */
    private static final TimeDuration ALONE_LEAST = millis(50);

    private static final TimeDuration ALONE_MOST = millis(100);

    /** A new peer that says nothing for so long while it catches up is not admitted. */
    private static final TimeDuration ADMISSION_SILENCE = millis(5_000);

    /**
     * Pauses of a leader between its tries to reach a peer that is down: so soon after its return that one takes part
     * again. Ratis' own grow to 5 s.
     */
    private static final String APPEND_AGAIN = "1ms,10, 50ms,20, 200ms,1000000";

    /**
     * After a pause that is longer than this Ratis ends the member. Its 60 s would end every peer whose process or
     * container was stopped for a minute, and nothing here rests on it: who stood still has an older term, and is told
     * so.
     */
    private static final TimeDuration LONGEST_PAUSE = TimeDuration.valueOf(3_650, TimeUnit.DAYS);

    private static final TimeDuration REPLIES_KEPT = TimeDuration.valueOf(1, TimeUnit.SECONDS);

    /** How long each part of a snapshot that is sent may go without an answer. */
    static final Duration SNAPSHOT_ANSWER = Duration.ofSeconds(30);

    /** More than the files of any snapshot, and than its parts of 16 MB. */
    private static final int SNAPSHOT_PARTS = 10_000;

    private static final int SNAPSHOTS_KEPT = 2;
    private static final SizeInBytes SEGMENT = SizeInBytes.valueOf("8MB");
    private static final SizeInBytes PREALLOCATED = SizeInBytes.valueOf("4MB");
    /** Larger than the largest command, with room for the entry around it. */
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

    /**
     * Settings of a member.
     *
     * @param own where it talks Raft
     * @param alone whether it begins as a group of one, which may grow while it runs
     */
    static RaftProperties server(HostPort own, boolean alone, Path directory) {
        var properties = new RaftProperties();
        storage(properties, directory);
        RaftConfigKeys.Rpc.setType(properties, new TermsApartRpc());
        GrpcConfigKeys.Server.setHost(properties, own.host());
        GrpcConfigKeys.Server.setPort(properties, own.port());
        // With a limit, a snapshot of more files than that keeps the leader waiting for a peer that is down, as long as
        // all of them may take together; and when that peer is back, nothing is sent to it until then. But without one
        // no part may take any time: Ratis waits as many times as long as the limit says.
        GrpcConfigKeys.Server.setInstallSnapshotRequestElementLimit(properties, SNAPSHOT_PARTS);
        GrpcConfigKeys.Server.setInstallSnapshotRequestTimeout(
                properties, millis(SNAPSHOT_ANSWER.toMillis() / SNAPSHOT_PARTS));

        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, ELECTION_LEAST);
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, ELECTION_MOST);
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, alone ? ALONE_LEAST : ELECTION_LEAST);
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, alone ? ALONE_MOST : ELECTION_MOST);
        // Ratis' 10 s are too long where the others cannot lead: one is down, one has just come back and is behind.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, ELECTION_MOST);
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, APPEND_AGAIN);
        RaftServerConfigKeys.setStagingTimeout(properties, ADMISSION_SILENCE);
        RaftServerConfigKeys.setCloseThreshold(properties, LONGEST_PAUSE);
        // Every peer keeps the reply to each entry for so long, however many there are, for callers who send again what
        // they have sent: nobody here does. Ratis' minute is more than a heap holds.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, REPLIES_KEPT);

        // Else each commit is an entry of its own, written, synced and sent like any other: twice the work, only to
        // know after a restart what was committed before anybody leads; whoever leads says so (as HDDS-13281). What
        // watchers wait for is told to the other peers by EntryQueue.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
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
