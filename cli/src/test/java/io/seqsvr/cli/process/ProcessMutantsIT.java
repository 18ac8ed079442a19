package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.lab.Need;
import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Launcher;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real clusters that lack a guard: a chaos run notices, and says how long it took. The program as it is passes the
 * same. Nightly, or with {@code -Dseqsvr.processMutants=true}.
 */
@Timeout(1_200)
@EnabledIfSystemProperty(named = "seqsvr.processMutants", matches = "true")
final class ProcessMutantsIT {
    private static final Duration WITHIN = Duration.ofMinutes(15);
    private static final int RAISES_TRIED = 5;
    private static final int SAFETY_VIOLATED = 10;
    private static final String CUT_OFF_WITHOUT_A_LEADER = "split-allocator+kill-store-leader";
    private static final String ORDERED = "ORDERED";
    private static final String UNIQUE = "UNIQUE";
    private static final String BELOW_MAX_SEQ = "BELOW_MAX_SEQ";
    private static final String IN_DOUBT = "NODE_STOPS_WHEN_ITS_DATA_IS_IN_DOUBT";

    @TempDir
    private Path directory;

    /** Nothing in it can take a guard away, so its one constant is compiled with another value. */
    private static final String GUARDS = "core/src/main/java/io/seqsvr/core/guard/Guards.java";

    private static final String LOOP = "allocsvr/src/main/java/io/seqsvr/allocsvr/role/AllocatorLoop.java";
    private static final String JOINT = "allocsvr/src/main/java/io/seqsvr/allocsvr/role/JointCalls.java";
    private static final String STORE = "storesvr/src/main/java/io/seqsvr/storesvr/StoreSvr.java";

    private List<String> line(String... what) {
        var line = new ArrayList<>(List.of("chaos", "run", "--bound", "1m", "--seed", "11", "-o", "json"));
        line.addAll(List.of("--dir", directory.toString()));
        line.addAll(List.of(what));
        return line;
    }

    /** Ends with the round in which a promise is broken. */
    private List<String> run(String fault) {
        return line("--fault", fault, "--minutes", "3");
    }

    private static void assume(Need need) {
        var missing = need.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    }

    private static JsonObject isNoticed(String what, String fault, String rule, ProcessBuilder command) {
        var run = Finished.run(command, WITHIN);
        assertEquals(SAFETY_VIOLATED, run.exitCode(), run::toString);
        var result = new JsonObject(run.stdout());
        assertTrue(result.getJsonArray("broken").getString(0).matches("(" + rule + "): .*"), result::encode);
        System.out.println(String.format(
                Locale.ROOT,
                "%s: %s after %d s and %d rounds of %s: %s",
                what,
                result.getString("verdict"),
                result.getLong("seconds"),
                result.getLong("rounds"),
                fault,
                result.getJsonArray("broken").getString(0)));
        return result;
    }

    private JsonObject lackIsNoticed(String fault, String rule, String missing) throws Exception {
        return isNoticed(
                "without " + missing, fault, rule, withoutGuards(missing).command(run(fault)));
    }

    private ChangedBuild withoutGuards(String... missing) throws Exception {
        var named = Stream.of(missing).map(guard -> "Guard." + guard).collect(Collectors.joining(", "));
        return changed()
                .edit(new ChangedBuild.Edit(
                        GUARDS,
                        "ALL = new Guards(EnumSet.noneOf(Guard.class));",
                        "ALL = without(java.util.List.of(" + named + "));"));
    }

    private ChangedBuild changed() throws Exception {
        return new ChangedBuild(directory.resolve("changed"));
    }

    /** Numbers stay unique without it: for that there are max_seq and epochs. */
    @Test
    void aLeaseThatNobodyChecksIsNoticed() throws Exception {
        var result = lackIsNoticed("pause-allocator", ORDERED, "LEASE_IS_CHECKED");
        assertEquals(0, result.getLong("duplicates"), result::encode);
    }

    /**
     * The lease would hide it. Every number is raised for, so that the former owner comes to a raise before it knows
     * better; on some machines it is asked too little even for that before the run ends, as numbers step back at once.
     */
    @Test
    void aRaiseThatAsksForNoEpochIsNoticed() throws Exception {
        var build = withoutGuards("RAISE_ASKS_FOR_THE_EPOCH", "LEASE_IS_CHECKED");
        var result = new JsonObject();
        for (int seed = 1; seed <= RAISES_TRIED && result.getLong("duplicates", 0L) == 0; seed++) {
            var line = new ArrayList<>(run("pause-allocator"));
            line.set(line.indexOf("--seed") + 1, Integer.toString(seed));
            line.addAll(List.of("--step", "1"));
            result = isNoticed(
                    "without RAISE_ASKS_FOR_THE_EPOCH, LEASE_IS_CHECKED",
                    "pause-allocator",
                    ORDERED + "|" + UNIQUE,
                    build.command(line));
        }
        assertTrue(result.getLong("duplicates") > 0, result::encode);
    }

    @Test
    void countersThatOutliveTheirEpochAreNoticed() throws Exception {
        var unused = lackIsNoticed(
                "pause-allocator", ORDERED + "|CURRENT_COVERS_WHAT_WAS_SEEN", "COUNTERS_DIE_WITH_THEIR_EPOCH");
    }

    /** The owner is cut off from StoreSvr, and its lease goes on; who took over the lead knows nothing of that. */
    @Test
    void aNewLeaderThatGivesNobodyAFullTimerIsNoticed() throws Exception {
        assume(Need.NETWORK);
        var build = withoutGuards("FULL_TIMER_IN_A_NEW_TERM");
        var unused = isNoticed(
                "without FULL_TIMER_IN_A_NEW_TERM",
                CUT_OFF_WITHOUT_A_LEADER,
                ORDERED + "|CURRENT_COVERS_WHAT_WAS_SEEN",
                build.command(line("--cells", CUT_OFF_WITHOUT_A_LEADER, "--times", "12")));
    }

    /** Of a machine that was suspended, for as long as the timer has left: its monotonic clock stood still as well. */
    @Test
    void clocksThatOnlyATimerReadsAreNoticed() throws Exception {
        assume(Need.CLOCKS);
        var build = changed()
                .edit(
                        new ChangedBuild.Edit(LOOP, "TICK_MILLIS = 10;", "TICK_MILLIS = 500;"),
                        new ChangedBuild.Edit(LOOP, "SystemClocks.read()", "looked"),
                        new ChangedBuild.Edit(
                                LOOP,
                                "var now = SystemClocks.readWithBoot();",
                                "var now = SystemClocks.readWithBoot(); looked = now;"),
                        new ChangedBuild.Edit(
                                LOOP,
                                "    private long timer;",
                                "    static volatile io.seqsvr.core.lease.ClockReading looked ="
                                        + " SystemClocks.readWithBoot();\n    private long timer;"),
                        new ChangedBuild.Edit(JOINT, "SystemClocks.read()", "AllocatorLoop.looked"));
        var unused = isNoticed(
                "clocks read by a timer", "suspend-allocator", ORDERED, build.command(run("suspend-allocator")));
    }

    @Test
    void aSyncThatIsTriedAgainIsNoticed() throws Exception {
        assume(Need.DISK_CALLS);
        var build = changed()
                .redirect(
                        "org.apache.ratis.server.raftlog.segmented.BufferedWriteChannel",
                        "java.nio.channels.FileChannel",
                        "force",
                        """
                        final class TriedAgain {
                            static void force(java.nio.channels.FileChannel file, boolean all)
                                    throws java.io.IOException {
                                try {
                                    file.force(all);
                                } catch (java.io.IOException first) {
                                    file.force(all);
                                }
                            }
                        }
                        """);
        var unused = isNoticed(
                "a sync that is tried again",
                "fail-sync-store-leader",
                IN_DOUBT,
                build.command(run("fail-sync-store-leader")));
    }

    /** Of all peers: what one alone loses the others still have. Raises are frequent, so that some are lost. */
    @Test
    void aLogThatIsNotSyncedIsNoticed() throws Exception {
        assume(Need.DISKS);
        var build = changed()
                .redirect(
                        "org.apache.ratis.server.raftlog.segmented.BufferedWriteChannel",
                        "java.nio.channels.FileChannel",
                        "force",
                        """
                        final class NotSynced {
                            static void force(java.nio.channels.FileChannel file, boolean all) {}
                        }
                        """);
        var line = new ArrayList<>(run("cut-power-stores"));
        line.addAll(List.of("--step", "20"));
        var run = Finished.run(build.command(line), WITHIN);
        var result = new JsonObject(run.stdout());
        var broken = result.getJsonArray("broken").encode();
        var missed = result.getJsonArray("missed").encode();
        // Numbers step back or come twice, or, where owners outlived all of it, are above what is durable; unless so
        // much is gone that a peer refuses to start, or the cluster hangs.
        assertTrue(
                (run.exitCode() == SAFETY_VIOLATED
                                && Stream.of(ORDERED, UNIQUE, BELOW_MAX_SEQ).anyMatch(broken::contains))
                        // In its first round a run only moves segments.
                        || (result.getLong("rounds") > 1 && missed.contains("broken off: ")),
                run::toString);
        System.out.println("a log that is not synced: " + result.getString("verdict") + " after "
                + result.getLong("seconds") + " s: " + broken + missed);
    }

    /** As an operator might who formats what is empty, as any other peer's directory of that cluster. */
    @Test
    void anEmptyDirectoryThatBecomesAVoterIsNoticed() throws Exception {
        var build = changed()
                .edit(new ChangedBuild.Edit(
                        STORE,
                        "var directory = DataDirectory.open(settings.data());",
                        "if (DataDirectory.inspect(settings.data()) == DataDirectory.Content.NOTHING) {\n"
                                + "format(settings.data(), settings.clusterId().orElseThrow(),"
                                + " settings.peers().self(), settings.bootstrap());\n}\n"
                                + "var directory = DataDirectory.open(settings.data());"));
        var unused = isNoticed(
                "an empty directory that becomes a voter",
                "wipe-store-follower",
                IN_DOUBT,
                build.command(run("wipe-store-follower")));
    }

    @Test
    void theWholeProgramPassesAllOfThese() {
        assume(Need.CLOCKS);
        assume(Need.DISK_CALLS);
        assume(Need.DISKS);
        assume(Need.NETWORK);
        var faults = "pause-allocator,suspend-allocator,fail-sync-store-leader,cut-power-stores,wipe-store-follower,"
                + CUT_OFF_WITHOUT_A_LEADER;
        var run = Finished.run(Launcher.find().command(line("--cells", faults, "--times", "1")), WITHIN);
        assertEquals(0, run.exitCode(), run::toString);
        assertEquals("pass", new JsonObject(run.stdout()).getString("verdict"));
    }
}
