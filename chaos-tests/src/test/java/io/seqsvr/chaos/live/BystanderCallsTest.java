package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.report.Bystanders;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is told of users whom a fault was not to touch. */
final class BystanderCallsTest {
    private static final long ANN = 1;
    private static final long BOB = 2;

    private final LiveRecord record = new LiveRecord(new FaultLog(() -> 0), () -> 0, Set.of(), true);
    private final BystanderCalls calls = new BystanderCalls(record);

    @Test
    void callsOfTheOthersAreRecordedAndDoNotCount() {
        var watch = calls.watch(List.of(ANN));
        calls.invoke(ANN).returned(1, 1, 7);
        calls.invoke(BOB).unknown();
        assertEquals(new Bystanders(1, 0, 0), watch.seen());
        var seen = record.findings();
        assertEquals(1, seen.operations());
        assertEquals(1, seen.unknown());
    }

    @Test
    void everyEndWithoutAnAnswerIsAFailure() {
        var watch = calls.watch(List.of(ANN));
        calls.invoke(ANN).told(0, true);
        calls.invoke(ANN).lifted(0, 9, 9);
        calls.invoke(ANN).refused();
        calls.invoke(ANN).refusedByNonOwner();
        calls.invoke(ANN).unknown();
        assertEquals(new Bystanders(5, 3, 3), watch.seen());
        assertEquals(2, record.findings().operations());
        assertEquals(2, record.findings().refused());
        assertEquals(1, record.findings().unknown());
    }

    @Test
    void failuresInARowAreThoseOfOneUserWithoutAnAnswerBetweenThem() {
        var watch = calls.watch(List.of(ANN, BOB));
        calls.invoke(ANN).unknown();
        calls.invoke(BOB).unknown();
        calls.invoke(ANN).unknown();
        calls.invoke(ANN).returned(1, 1, 7);
        calls.invoke(ANN).unknown();
        assertEquals(new Bystanders(5, 4, 2), watch.seen());
    }

    @Test
    void aCallThatWasUnderWayAtTheEndCountsWhenItEnds() {
        var watch = calls.watch(List.of(ANN));
        var late = calls.invoke(ANN);
        watch.end();
        calls.invoke(ANN).unknown();
        assertFalse(watch.isSettled());
        assertEquals(new Bystanders(0, 0, 0), watch.seen());
        late.unknown();
        assertTrue(watch.isSettled());
        assertEquals(new Bystanders(1, 1, 1), watch.seen());
    }

    @Test
    void aNewWatchEndsTheOneBefore() {
        var before = calls.watch(List.of(ANN));
        var late = calls.invoke(ANN);
        var after = calls.watch(List.of(ANN, BOB));
        late.unknown();
        calls.invoke(BOB).returned(1, 1, 7);
        assertEquals(new Bystanders(1, 1, 1), before.seen());
        assertEquals(new Bystanders(1, 0, 0), after.seen());
    }
}
