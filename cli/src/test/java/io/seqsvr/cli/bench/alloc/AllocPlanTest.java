package io.seqsvr.cli.bench.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.allocsvr.AllocSvrSettings;
import io.seqsvr.core.namespace.Order;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What can be measured. */
final class AllocPlanTest {
    private static AllocPlan plan(Mode mode, int users, int concurrency, int connections, int batch) {
        return new AllocPlan(mode, "default", users, Skew.UNIFORM, concurrency, connections, batch, 0, 20, 8, 1, false);
    }

    @ParameterizedTest
    @EnumSource
    void theDefaultsOfAModeCanBeMeasured(Mode mode) {
        for (var order : Order.values()) {
            for (boolean atRate : new boolean[] {false, true}) {
                for (int connections : new int[] {1, mode.connections(), 64}) {
                    int concurrency = mode.concurrency(order, connections, mode.batch(), atRate);
                    assertEquals(
                            List.of(),
                            plan(mode, 1_000_000, concurrency, connections, mode.batch())
                                    .problems());
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"UNARY, 2048", "STREAM, 2048", "FRAMES, 64", "CLIENT, 8000"})
    void atARateMoreIsUnderWayThanAnswersAreWaitedFor(Mode mode, int concurrency) {
        assertEquals(concurrency, mode.concurrency(Order.LEASE, mode.connections(), mode.batch(), true));
    }

    @ParameterizedTest
    @EnumSource
    void whereEveryCallWaitsAModeHasNoMoreUnderWayThanAnOwnerLetsWait(Mode mode) {
        int concurrency = mode.concurrency(Order.QUORUM, mode.connections(), mode.batch(), true);
        var plan = plan(mode, 1_000_000, concurrency, mode.connections(), mode.batch());
        long waiting = (long) plan.concurrency() * plan.connections() * plan.callsOfRequest();
        assertTrue(waiting < AllocSvrSettings.DEFAULT_MAX_WAITING, () -> waiting + " calls of mode " + mode);
    }

    @Test
    void framesAreFewerWhereEveryCallWaits() {
        assertEquals(8, Mode.FRAMES.concurrency(Order.LEASE, 2, 1_000, false));
        assertEquals(4, Mode.FRAMES.concurrency(Order.QUORUM, 2, 1_000, false));
        assertEquals(2, Mode.FRAMES.concurrency(Order.QUORUM, 4, 1_000, false));
        assertEquals(8, Mode.FRAMES.concurrency(Order.QUORUM, 2, 100, false));
        assertEquals(1, Mode.FRAMES.concurrency(Order.QUORUM, 64, 10_000, false));
        assertEquals(256, Mode.STREAM.concurrency(Order.QUORUM, 2, 1, false));
    }

    @Test
    void onlyFramesBearManyCalls() {
        assertEquals(List.of(), plan(Mode.FRAMES, 10, 1, 1, 10_000).problems());
        assertEquals(1, plan(Mode.FRAMES, 10, 1, 1, 10_001).problems().size());
        assertEquals(1, plan(Mode.CLIENT, 10, 1, 1, 5_001).problems().size());
        assertEquals(
                List.of("--batch is 2; in mode stream a message bears one call"),
                plan(Mode.STREAM, 10, 1, 1, 2).problems());
        assertEquals(1, plan(Mode.UNARY, 10, 1, 1, 2).problems().size());
    }

    @Test
    void everyConnectionHasAUser() {
        assertEquals(List.of(), plan(Mode.FRAMES, 2, 1, 2, 1).problems());
        assertEquals(
                List.of("--users is 1; each of 2 connections needs one at least"),
                plan(Mode.FRAMES, 1, 1, 2, 1).problems());
    }

    @Test
    void aClientHasNoMoreOpenCallsThanItTakes() {
        assertEquals(List.of(), plan(Mode.CLIENT, 64, 1 << 10, 64, 1).problems());
        assertEquals(1, plan(Mode.CLIENT, 64, (1 << 10) + 1, 64, 1).problems().size());
    }

    @Test
    void everyProblemIsNamedAtOnce() {
        var problems = new AllocPlan(Mode.FRAMES, "default", 0, Skew.ZIPF, 0, 0, 0, -1, -1, 0, 0, true).problems();
        assertEquals(8, problems.size(), problems::toString);
        for (var option : List.of(
                "--users is 0",
                "--concurrency is 0",
                "--connections is 0",
                "--batch is 0",
                "--rate is -1",
                "--warm-up is -1",
                "--seconds is 0",
                "--windows is 0")) {
            assertTrue(problems.stream().anyMatch(problem -> problem.startsWith(option)), option);
        }
    }
}
