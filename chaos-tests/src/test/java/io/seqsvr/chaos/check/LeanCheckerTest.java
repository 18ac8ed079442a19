package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class LeanCheckerTest {
    private static final Seed SEED = Seed.announcedFor(LeanCheckerTest.class);
    private static final int RUNS = 400;
    private static final int STEPS = 2_000;

    @Test
    void everyUserIsJudgedByItself() {
        var checker = new LeanChecker(2, 10);
        assertEquals(Optional.empty(), checker.end(0, checker.begin(0), 5, 9));
        assertEquals(Optional.empty(), checker.end(1, checker.begin(1), 5, 9));
        assertEquals(Optional.of(new Breach(Rule.ORDERED, 1, 9, 9, 9)), checker.end(1, checker.begin(1), 9, 9));
        assertEquals(
                Optional.of(new Breach(Rule.CURRENT_COVERS_WHAT_WAS_SEEN, 0, 8, 8, 9)),
                checker.told(0, checker.begin(0), 8, true));
        assertEquals(0, checker.unjudged());
    }

    @Test
    void anEndWithoutItsBeginIsRefused() {
        var checker = new LeanChecker(1, 10);
        checker.abandon(0, checker.begin(0));
        assertThrows(IllegalStateException.class, () -> checker.abandon(0, 0));
        assertThrows(IllegalStateException.class, () -> checker.end(0, 0, 1, 1));
    }

    @Test
    void longRunsWithManyCallsUnderWayAreJudgedAsOffline() {
        var random = SEED.random();
        int right = 0;
        for (int i = 0; i < RUNS; i++) {
            var run = new Run(random.split());
            run.play();
            var verdict = HistoryChecker.check(run.history.operations());
            assertEquals(verdict.holds(), !run.accused, () -> SEED.after(verdict));
            right += verdict.holds() ? 1 : 0;
        }
        assertTrue(right > RUNS / 5 && right < RUNS * 4 / 5, right + " runs were right: too one-sided");
    }

    @Test
    void aWindowThatIsTooSmallAccusesNobodyWrongly() {
        var random = SEED.random();
        for (int i = 0; i < RUNS; i++) {
            var run = new Run(random.split());
            run.checker = new LeanChecker(1, 1 + i % 8);
            run.play();
            var verdict = HistoryChecker.check(run.history.operations());
            assertFalse(verdict.holds() && run.accused, () -> SEED.after(verdict));
            assertTrue(verdict.holds() || run.accused || run.checker.unjudged() > 0, () -> SEED.after(verdict));
        }
    }

    /** A counter with gaps, replies in any order, and now and then one of them wrong by a little. */
    private static final class Run {
        private final History history = new History();
        private final SplittableRandom random;
        private final int mostUnderWay;
        private final int rareness;
        private final List<Call> underWay = new ArrayList<>();
        private LeanChecker checker = new LeanChecker(1, OnlineChecker.LIMIT);
        private long last;
        private boolean handedOut = true;
        private boolean accused;

        Run(SplittableRandom random) {
            this.random = random;
            this.mostUnderWay = 1 + random.nextInt(100);
            this.rareness = STEPS / 4 * (1 + random.nextInt(4));
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                if (underWay.size() < mostUnderWay && random.nextBoolean()) {
                    underWay.add(begin());
                } else if (!underWay.isEmpty()) {
                    end(underWay.remove(random.nextInt(underWay.size())));
                }
            }
            underWay.forEach(this::end);
        }

        /** What the call takes is settled when it begins. */
        private Call begin() {
            var invocation = history.invoke(1);
            long floor = checker.begin(0);
            int kind = random.nextInt(20);
            if (kind < 6 && handedOut) {
                return new Call(invocation, floor, Kind.EXACT, last, last);
            }
            if (kind < 6) {
                return new Call(invocation, floor, Kind.BOUND, last, last);
            }
            if (kind == 6) {
                last += random.nextInt(5);
                handedOut = false;
                return new Call(invocation, floor, Kind.BOUND, last, last);
            }
            long first = last + 1 + random.nextInt(4) / 3;
            last = first + random.nextInt(3);
            handedOut = true;
            return new Call(invocation, floor, kind == 7 ? Kind.LOST : Kind.RANGE, first, last);
        }

        private void end(Call call) {
            long wrong = random.nextInt(rareness) == 0 ? random.nextInt(5) : 0;
            long first = Math.max(1, call.first - wrong);
            long end = Math.max(first, call.last - wrong);
            switch (call.kind) {
                case RANGE -> {
                    accused |= checker.end(0, call.floor, first, end).isPresent();
                    call.invocation.returned(first, end, 1);
                }
                case EXACT, BOUND -> {
                    boolean exact = call.kind == Kind.EXACT;
                    accused |= checker.told(0, call.floor, Math.max(0, call.last - wrong), exact)
                            .isPresent();
                    call.invocation.told(Math.max(0, call.last - wrong), exact);
                }
                case LOST -> {
                    checker.abandon(0, call.floor);
                    call.invocation.unknown("no answer came");
                }
            }
        }
    }

    private enum Kind {
        RANGE,
        EXACT,
        BOUND,
        LOST
    }

    private record Call(History.Invocation invocation, long floor, Kind kind, long first, long last) {}
}
