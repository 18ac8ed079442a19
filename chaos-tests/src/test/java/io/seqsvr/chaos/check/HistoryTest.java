package io.seqsvr.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class HistoryTest {
    private static final int THREADS = 4;
    private static final int CALLS = 5_000;

    private final History history = new History();

    @Test
    void whatHadReturnedBeforeAnInvocationBearsASmallerTick() {
        var first = history.invoke(1);
        var overlapping = history.invoke(1);
        first.returned(1, 1, 1);
        overlapping.returned(2, 2, 1);
        history.invoke(1).told(2, true);

        var operations = history.operations();
        assertTrue(operations.get(1).invoked() < operations.get(0).returned());
        assertTrue(operations.get(1).returned() < operations.get(2).invoked());
    }

    @Test
    void everyCallIsAnOperationAndThoseWithoutAnswerReturnNever() {
        history.invoke(1).returned(3, 4, 9);
        history.invoke(1).refused("not now");
        history.invoke(1).refusedByNonOwner("not mine");
        history.invoke(1).unknown("no answer came");
        history.invoke(1);

        assertEquals(new History.Counts(5, 1, 2, 1), history.counts());
        assertEquals(new Operation.Next(1, 3, 4, 9, 1, 2), history.operations().get(0));
        assertEquals(
                Set.of(
                        new Operation.Unserved(1, 3, false),
                        new Operation.Unserved(1, 4, true),
                        new Operation.Unserved(1, 5, false),
                        new Operation.Unserved(1, 6, false)),
                Set.copyOf(history.operations().subList(1, 5)));
    }

    @Test
    void anInvocationEndsOnce() {
        var call = history.invoke(1);
        call.refused("not now");
        assertThrows(IllegalStateException.class, () -> call.returned(1, 1, 1));
        assertThrows(IllegalStateException.class, () -> call.unknown("no answer came"));
        assertEquals(new History.Counts(1, 0, 1, 0), history.counts());
    }

    @Test
    void aReplyThatComesAfterTheCallerGaveUpCountsFromWhenItCame() {
        var call = history.invoke(1);
        call.unknown("no answer came");
        history.invoke(1).returned(1, 1, 1);
        call.returned(2, 2, 1);

        assertEquals(new History.Counts(2, 2, 0, 0), history.counts());
        assertEquals(
                List.of(new Operation.Next(1, 1, 1, 1, 2, 3), new Operation.Next(1, 2, 2, 1, 1, 4)),
                history.operations());
        assertThrows(IllegalStateException.class, () -> call.unknown("no answer came"));
        assertThrows(IllegalStateException.class, () -> call.told(2, true));
    }

    @Test
    void aRangeThatIsNoneIsNotRecordedAsAnAnswer() {
        var call = history.invoke(1);
        assertThrows(IllegalArgumentException.class, () -> call.returned(0, 0, 1));
        assertEquals(0, history.counts().answered());
    }

    @Test
    void threadsThatTakeFromOneCounterMakeARightHistoryWithoutTies() {
        var counter = new AtomicLong();
        inParallel(() -> {
            var call = history.invoke(1);
            long seq = counter.incrementAndGet();
            call.returned(seq, seq, 1);
        });
        var verdict = HistoryChecker.check(history.operations());
        assertEquals(new Verdict(THREADS * CALLS, 1, verdict.violations()), verdict);
        assertTrue(verdict.holds(), verdict::toString);

        var ticks = new HashSet<Long>();
        for (Operation operation : history.operations()) {
            assertTrue(ticks.add(operation.invoked()) && ticks.add(operation.returned()), operation::toString);
        }
    }

    private static void inParallel(Runnable call) {
        var threads = new ArrayList<CompletableFuture<Void>>();
        for (int thread = 0; thread < THREADS; thread++) {
            threads.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < CALLS; i++) {
                    call.run();
                }
            }));
        }
        threads.forEach(CompletableFuture::join);
    }
}
