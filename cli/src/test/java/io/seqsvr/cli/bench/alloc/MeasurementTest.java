package io.seqsvr.cli.bench.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** At a rate no call is spared that a server kept waiting, nor those of the end. All is in virtual time. */
final class MeasurementTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long NEVER = Long.MAX_VALUE;
    private static final int CONCURRENCY = 100;
    /** A second of warm-up, and one window of two, with a call each millisecond. */
    private static final AllocPlan PLAN =
            new AllocPlan(Mode.UNARY, "default", 1_000, Skew.UNIFORM, CONCURRENCY, 1, 1, 1_000, 1, 2, 1, false);

    /** A server that answers within a millisecond, but hangs once, and who calls it. */
    private static final class HangingServer implements Load, BenchTime {
        /** A call under way. */
        private record Call(long due, long answered) {}

        private final Schedule schedule = Schedule.every(MILLI, 0);
        private final Tally tally = new Tally();
        private final Queue<Call> open = new ArrayDeque<>();
        private final long hangs;
        private final long goesOn;
        private long now;
        private boolean calling = true;
        private int woken;

        HangingServer(long hangs, long goesOn) {
            this.hangs = hangs;
            this.goesOn = goesOn;
        }

        AllocFigures measured() {
            return new Measurement(PLAN, this).of(List.of(this), List.of(schedule));
        }

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void pass(long nanos) {
            now += nanos;
            while (!open.isEmpty() && open.element().answered() <= now) {
                var call = open.remove();
                tally.answered(1, call.answered() - call.due());
            }
        }

        @Override
        public void wake() {
            woken++;
            while (calling && open.size() < CONCURRENCY && schedule.isDue(now)) {
                long answered = now + MILLI;
                open.add(new Call(schedule.take(now), answered < hangs || answered >= goesOn ? answered : goesOn));
            }
        }

        @Override
        public void start() {}

        @Override
        public Tally tally() {
            return tally;
        }

        @Override
        public long backward() {
            return 0;
        }

        @Override
        public long duplicates() {
            return 0;
        }

        @Override
        public void stop() {
            calling = false;
        }

        @Override
        public long underWay() {
            return open.size();
        }

        @Override
        public void close() {}
    }

    private static void assertAbout(double expected, double actual) {
        assertEquals(expected, actual, 0.02 * expected);
    }

    @Test
    void aServerThatHangsUntilTheOnlyWindowIsOverIsSparedNoCallOfIt() {
        var figures = new HangingServer(2 * SECOND, 3 * SECOND + 50 * MILLI).measured();
        assertEquals(Map.of(), figures.failures());
        var window = figures.windows().get(0);
        assertAbout(1_050_000, window.maxMicros());
        assertAbout(1_050_000, window.p999Micros());
        assertAbout(1_030_000, window.p99Micros());
        assertAbout(500, window.sequencesPerSecond());
        assertAbout(500, window.callsPerSecond());
    }

    @Test
    void whatHasNoAnswerInTheEndIsAnErrorWhetherItLeftOrNot() {
        var server = new HangingServer(2 * SECOND, NEVER);
        var figures = server.measured();
        assertEquals(Map.of("no answer", 100L, "due but not sent", 901L), figures.failures());
        assertTrue(server.nanos() < 14 * SECOND, "nobody is waited for without end");
    }

    @Test
    void aServerThatNeverHangsLooksWellAndIsNotWaitedFor() {
        var server = new HangingServer(NEVER, NEVER);
        var figures = server.measured();
        assertEquals(Map.of(), figures.failures());
        assertAbout(1_000, figures.windows().get(0).maxMicros());
        assertAbout(1_000, figures.windows().get(0).sequencesPerSecond());
        assertTrue(server.nanos() < 3 * SECOND + 2 * MILLI, "all is answered by then");
    }

    @Test
    void whoCallsIsWokenForWhatIsDueAndHardlyOftener() {
        var server = new HangingServer(NEVER, NEVER);
        var figures = server.measured();
        assertEquals(Map.of(), figures.failures());
        assertAbout(1_000, figures.windows().get(0).maxMicros());
        assertTrue(server.woken < 3_100, server.woken + " times for 3,000 calls");
    }
}
