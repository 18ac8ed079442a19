package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.report.Cluster;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.chaos.report.RoundVerdict;
import io.seqsvr.chaos.report.RunFiles;
import io.seqsvr.chaos.report.RunVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What need not be tried again, and what became of the rest. */
final class PassedCellsTest {
    private static final Cluster CLUSTER = new Cluster(3, 3, 2, 3_000, 100, 10_000, 24);

    private static final Optional<Network> ANYTHING = Optional.empty();
    private static final Duration BOUND = Duration.ofMillis(5_301);

    @TempDir
    private Path directory;

    private void leave(String commit, RoundVerdict verdict) throws IOException {
        leave(commit, verdict == RoundVerdict.VOID ? RunVerdict.INCONCLUSIVE : RunVerdict.PASS, verdict);
    }

    private void leave(String commit, RunVerdict whole, RoundVerdict verdict) throws IOException {
        var unused = RunFiles.write(directory, SampleRun.of(commit, "2026-11-22T01:00:00Z", whole, verdict));
    }

    private PassedCells passed() throws IOException {
        return PassedCells.in(directory, "abc1234", CLUSTER);
    }

    @Test
    void roundsThatPassedCount() throws IOException {
        leave("abc1234", RoundVerdict.PASS);
        leave("abc1234", RoundVerdict.PASS);
        leave("abc1234", RoundVerdict.VOID);
        assertEquals(2, passed().of("kill-allocator", BOUND, ANYTHING));
        assertEquals(0, passed().of("kill-router", BOUND, ANYTHING));
        assertEquals(RunVerdict.PASS, passed().worst());
        assertEquals("", passed().words());
    }

    /** 'chaos report' ends with 12 because of it. */
    @Test
    void whereARunProvesNothingAsAWholeItsRoundsDoNotEither() throws IOException {
        leave("abc1234", RunVerdict.INCONCLUSIVE, RoundVerdict.PASS);
        assertEquals(0, passed().of("kill-allocator", BOUND, ANYTHING));
    }

    @Test
    void whatWasTriedOverAnotherNetworkCountsOnlyWhereNoneIsNeeded() throws IOException {
        var unused = RunFiles.write(
                directory, SampleRun.of("abc1234", RunVerdict.PASS, RoundVerdict.PASS, false, Network.PROXY));
        assertEquals(1, passed().of("kill-allocator", BOUND, ANYTHING));
        assertEquals(1, passed().of("kill-allocator", BOUND, Optional.of(Network.PROXY)));
        assertEquals(0, passed().of("kill-allocator", BOUND, Optional.of(Network.NAMESPACES)));
    }

    /** Nobody knows what its cluster would have shown. */
    @Test
    void whoHasTheRestOfAnInterruptedRunDoneHearsThatItWasNeverCompared() throws IOException {
        var unused = RunFiles.write(
                directory, SampleRun.of("abc1234", RunVerdict.INCONCLUSIVE, RoundVerdict.PASS, true, Network.LOOPBACK));
        leave("abc1234", RunVerdict.PASS, RoundVerdict.PASS);
        assertEquals(2, passed().of("kill-allocator", BOUND, ANYTHING));
        assertEquals(RunVerdict.INCONCLUSIVE, passed().worst());
        assertTrue(passed().words().contains("in 1 runs on file the states"), passed()::words);
    }

    @Test
    void whatARunFoundBetweenItsRoundsCountsToo() throws IOException {
        leave("abc1234", RunVerdict.PASS, RoundVerdict.PASS);
        leave("abc1234", RunVerdict.MISSED, RoundVerdict.PASS);
        assertEquals(RunVerdict.MISSED, passed().worst());
        leave("abc1234", RunVerdict.VIOLATED, RoundVerdict.PASS);
        assertEquals(RunVerdict.VIOLATED, passed().worst());
        assertEquals(3, passed().of("kill-allocator", BOUND, ANYTHING));
    }

    @Test
    void whatFailedIsToldThoughOthersPassed() throws IOException {
        leave("abc1234", RoundVerdict.PASS);
        leave("abc1234", RoundVerdict.MISSED);
        assertEquals(RunVerdict.MISSED, passed().worst());
        leave("abc1234", RoundVerdict.VIOLATED);
        assertEquals(RunVerdict.VIOLATED, passed().worst());
        assertEquals(
                "; in 1 rounds on file a promise was broken, and 1 missed a bound, or a run did besides: see 'seqsvr"
                        + " chaos report'",
                passed().words());
    }

    @Test
    void anotherCommitOrAnotherClusterIsAnotherMatter() throws IOException {
        leave("def5678", RoundVerdict.PASS);
        assertEquals(0, passed().of("kill-allocator", BOUND, ANYTHING));
        leave("abc1234", RoundVerdict.PASS);
        var smaller = new Cluster(1, 2, 1, 3_000, 100, 10_000, 24);
        assertEquals(0, PassedCells.in(directory, "abc1234", smaller).of("kill-allocator", BOUND, ANYTHING));
        var raisedMoreOften = new Cluster(3, 3, 2, 3_000, 100, 1, 24);
        assertEquals(0, PassedCells.in(directory, "abc1234", raisedMoreOften).of("kill-allocator", BOUND, ANYTHING));
        assertEquals(1, passed().of("kill-allocator", BOUND, ANYTHING));
    }

    @Test
    void whatPassedWhereUsersMightWaitForLongerIsStillToBeDone() throws IOException {
        leave("abc1234", RoundVerdict.PASS);
        assertEquals(0, passed().of("kill-allocator", BOUND.minusMillis(1), ANYTHING));
        assertEquals(1, passed().of("kill-allocator", BOUND.plusMillis(1), ANYTHING));
    }

    @Test
    void aDirectoryThatIsNotThereHoldsNothing() throws IOException {
        var none = PassedCells.in(directory.resolve("none"), "abc1234", CLUSTER);
        assertEquals(0, none.of("kill-allocator", BOUND, ANYTHING));
        assertEquals(RunVerdict.PASS, none.worst());
    }
}
