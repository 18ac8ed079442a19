package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
        calls.watch(List.of(ANN));
        calls.invoke(ANN).returned(1, 1, 7);
        calls.invoke(BOB).unknown();
        assertEquals(new Bystanders(1, 0), calls.seen());
        var seen = record.findings();
        assertEquals(1, seen.operations());
        assertEquals(1, seen.unknown());
    }

    @Test
    void everyEndWithoutAnAnswerIsAFailure() {
        calls.watch(List.of(ANN));
        calls.invoke(ANN).told(0, true);
        calls.invoke(ANN).lifted(0, 9, 9);
        calls.invoke(ANN).refused();
        calls.invoke(ANN).refusedByNonOwner();
        calls.invoke(ANN).unknown();
        assertEquals(new Bystanders(5, 3), calls.seen());
        assertEquals(2, record.findings().operations());
        assertEquals(2, record.findings().refused());
        assertEquals(1, record.findings().unknown());
    }

    @Test
    void aCallCountsForThoseWhoWereWatchedWhenItBegan() {
        calls.watch(List.of(ANN));
        var late = calls.invoke(ANN);
        calls.watch(List.of(ANN, BOB));
        late.unknown();
        calls.invoke(BOB).returned(1, 1, 7);
        assertEquals(new Bystanders(1, 0), calls.seen());
    }
}
