package io.seqsvr.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.RaisedItem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be measured, and which replies count. */
final class BenchPlanTest {
    private static final SegmentId FIRST = new SegmentId(1, 0);
    private static final SegmentId SECOND = new SegmentId(1, 1);
    private static final List<RaiseItem> ASKED =
            List.of(new RaiseItem(FIRST, 3, 20_000), new RaiseItem(SECOND, 5, 10_000));

    @TempDir
    private Path directory;

    private BenchPlan plan(Scenario scenario, int peers, int concurrency, int batch) {
        return new BenchPlan(scenario, peers, concurrency, batch, 10, 15, 5, directory);
    }

    @Test
    void whatFitsCanBeMeasured() {
        assertEquals(42_950, BenchPlan.SEGMENTS);
        assertEquals(List.of(), plan(Scenario.RAISES, 3, 16, 1).problems());
        assertEquals(List.of(), plan(Scenario.RAISES, 1, 21, 2_000).problems());
        assertEquals(List.of(), plan(Scenario.LEADER_CHANGE, 3, 16, 1).problems());
    }

    @Test
    void noSegmentIsRaisedByTwoCommandsAtOnce() {
        assertEquals(
                List.of("--concurrency 22 with --batch 2000 raises 44000 segments at once; there are 42950"),
                plan(Scenario.RAISES, 1, 22, 2_000).problems());
    }

    @Test
    void aPeerWithoutWhomThereIsNoMajorityIsNotKilled() {
        assertEquals(1, plan(Scenario.LEADER_CHANGE, 2, 16, 1).problems().size());
        assertEquals(1, plan(Scenario.INSTALL, 2, 16, 1).problems().size());
        assertEquals(List.of(), plan(Scenario.RESTART, 1, 16, 1).problems());
    }

    @Test
    void everyProblemIsNamedAtOnce() {
        var nowhere = directory.resolve("nowhere");
        var problems = new BenchPlan(Scenario.RAISES, 0, 0, 2_001, 0, -1, 0, nowhere).problems();
        assertEquals(7, problems.size(), problems::toString);
        for (var option : List.of(
                "--peers is 0",
                "--concurrency is 0",
                "--batch is 2001",
                "--seconds is 0",
                "--warm-up is -1",
                "--rounds is 0",
                "--dir is " + nowhere)) {
            assertTrue(problems.stream().anyMatch(problem -> problem.startsWith(option)), option);
        }
    }

    @Test
    void onlyAReplyThatGrantsExactlyWhatWasAskedIsNoError() {
        assertTrue(counts(new RaisedItem(FIRST, 3, true, 20_000), new RaisedItem(SECOND, 5, true, 10_000)));
        assertFalse(counts(new RaisedItem(FIRST, 3, false, 20_000), new RaisedItem(SECOND, 5, true, 10_000)));
        assertFalse(counts(new RaisedItem(FIRST, 3, true, 19_999), new RaisedItem(SECOND, 5, true, 10_000)));
        assertFalse(counts(new RaisedItem(FIRST, 4, true, 20_000), new RaisedItem(SECOND, 5, true, 10_000)));
        assertFalse(counts(new RaisedItem(SECOND, 5, true, 10_000), new RaisedItem(FIRST, 3, true, 20_000)));
        assertFalse(counts(new RaisedItem(FIRST, 3, true, 20_000)));
        assertFalse(RaiseLoad.isAsAsked(ASKED, new StoreReply.SessionGone(7)));
    }

    private static boolean counts(RaisedItem... replied) {
        return RaiseLoad.isAsAsked(ASKED, new StoreReply.Raised(List.of(replied)));
    }
}
