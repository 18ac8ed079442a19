package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.live.ClientFindings;
import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.LiveRecord;
import io.seqsvr.chaos.report.Network;
import io.seqsvr.cli.demo.ChaosResult;
import io.seqsvr.cli.demo.LoadReport;
import io.seqsvr.cli.demo.SamplePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a run, in the end. */
final class RunReportTest {
    private final List<String> told = new ArrayList<>();

    private static ChaosResult result() {
        var plan = SamplePlan.ofKilledAllocators();
        var seen = new LiveRecord(new FaultLog(System::nanoTime), System::nanoTime, Set.of(), uid -> true).findings();
        return new ChaosResult(
                plan,
                List.of(),
                0,
                Optional.empty(),
                true,
                true,
                Network.LOOPBACK,
                new LoadReport(24, 60, 0, seen, new ClientFindings(0, 0, 0, 0)));
    }

    private boolean keepIn(Path directory) {
        var run = new RunRecord("abc1234", Instant.parse("2026-11-22T01:00:00Z"), "./seqsvr chaos run");
        return new RunReport(Optional.of(directory), run).keep(result(), told::add);
    }

    @Test
    void whoWantsItHearsWhereItIs(@TempDir Path reports) {
        assertTrue(keepIn(reports));
        assertEquals(List.of(reports.resolve("20261122T010000Z-42.json").toString()), told);
    }

    @Test
    void aFileThatCannotBeWrittenIsToldAndThrowsNothing(@TempDir Path reports) throws IOException {
        var taken = Files.writeString(reports.resolve("taken"), "a file, and no directory");
        assertFalse(keepIn(taken));
        assertTrue(told.get(0).contains("the run's file cannot be written"), told::toString);
    }
}
