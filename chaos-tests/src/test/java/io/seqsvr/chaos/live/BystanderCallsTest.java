package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.report.Bystanders;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is told of users whom a fault was not to touch. */
final class BystanderCallsTest {
    private static final long ANN = 1;
    private static final long BOB = 2;

    private long clock = 1_000_000_000;
    private final LiveRecord record = new LiveRecord(new FaultLog(() -> 0), () -> 0, Set.of(), uid -> true);
    private final BystanderCalls calls = new BystanderCalls(record, () -> clock);

    @Test
    void callsOfTheOthersAreRecordedAndDoNotCount() {
        var watch = calls.watch(List.of(ANN), List.of());
        calls.invoke(ANN).returned(1, 1, 7);
        calls.invoke(BOB).unknown("no answer came");
        assertEquals(new Bystanders(1, 0, 0), watch.seen());
        var seen = record.findings();
        assertEquals(1, seen.operations());
        assertEquals(1, seen.unknown());
    }

    @Test
    void neitherDoCallsThroughAStruckDoor() {
        var watch = calls.watch(List.of(ANN), List.of("router-1:7700"));
        calls.invoke(ANN, "router-1:7700").unknown("no answer came");
        calls.invoke(ANN, "router-2:7700").returned(1, 1, 7);
        calls.invoke(BOB, "router-2:7700").returned(1, 1, 7);
        assertEquals(new Bystanders(1, 0, 0), watch.seen());
        assertEquals(1, record.findings().unknown());
    }

    @Test
    void everyEndWithoutAnAnswerIsAFailure() {
        var watch = calls.watch(List.of(ANN), List.of());
        calls.invoke(ANN).told(0, true);
        calls.invoke(ANN).lifted(0, 9, 9);
        calls.invoke(ANN).refused("not now");
        calls.invoke(ANN).refusedByNonOwner("not mine");
        calls.invoke(ANN).unknown("no answer came");
        assertEquals(new Bystanders(5, 3, 3), watch.seen());
        assertEquals(2, record.findings().operations());
        assertEquals(2, record.findings().refused());
        assertEquals(1, record.findings().unknown());
    }

    @Test
    void failuresInARowAreThoseOfOneUserWithoutAnAnswerBetweenThem() {
        var watch = calls.watch(List.of(ANN, BOB), List.of());
        calls.invoke(ANN).unknown("no answer came");
        calls.invoke(BOB).unknown("no answer came");
        calls.invoke(ANN).unknown("no answer came");
        calls.invoke(ANN).returned(1, 1, 7);
        calls.invoke(ANN).unknown("no answer came");
        assertEquals(new Bystanders(5, 4, 2), watch.seen());
    }

    @Test
    void aCallThatWasUnderWayAtTheEndCountsWhenItEnds() {
        var watch = calls.watch(List.of(ANN), List.of());
        var late = calls.invoke(ANN);
        watch.end();
        calls.invoke(ANN).unknown("no answer came");
        assertFalse(watch.isSettled());
        assertEquals(new Bystanders(0, 0, 0), watch.seen());
        late.unknown("no answer came");
        assertTrue(watch.isSettled());
        assertEquals(new Bystanders(1, 1, 1), watch.seen());
    }

    @Test
    void whoIsHarmedIsToldWithTheTimeAndTheOwner() {
        var watch = calls.watch(List.of(ANN, BOB), List.of());
        calls.invoke(ANN).returned(1, 1, 7);
        calls.invoke(BOB).returned(1, 1, 8);
        clock += 2_100_000_000;
        calls.invoke(ANN).unknown("no answer came");
        calls.invoke(BOB).refusedByNonOwner("not mine");
        clock += 400_000_000;
        calls.invoke(ANN).refused("not now");
        calls.invoke(ANN).returned(2, 2, 9);
        calls.invoke(BOB).told(1, true);
        calls.invoke(BOB).returned(2, 2, 8);
        var harmed = watch.harmed();
        assertEquals(
                List.of(
                        new HarmedUser(
                                ANN,
                                new Failures(2, 1, "not now"),
                                Duration.ofMillis(2_100),
                                Duration.ofMillis(2_500),
                                new Epochs(7, 9)),
                        new HarmedUser(
                                BOB,
                                new Failures(1, 1, "not mine"),
                                Duration.ofMillis(2_100),
                                Duration.ofMillis(2_100),
                                new Epochs(8, 8))),
                harmed);
        assertEquals(
                "2 calls of user 1, 1 refused, 2.1 to 2.5 s after it began, whose owner changed (epoch 7, then 9);"
                        + " at last: not now",
                harmed.get(0).words());
        assertEquals(
                "a call of user 2, 1 refused, 2.1 to 2.1 s after it began, whose owner stayed (epoch 8);"
                        + " at last: not mine",
                harmed.get(1).words());
    }

    @Test
    void whoIsLeftOutNeverCounted() {
        var watch = calls.watch(List.of(ANN, BOB), List.of());
        calls.invoke(ANN).unknown("no answer came");
        var late = calls.invoke(ANN);
        calls.invoke(BOB).unknown("no answer came");
        watch.leaveOut(List.of(ANN));
        assertTrue(watch.isSettled());
        late.unknown("no answer came");
        calls.invoke(ANN).unknown("no answer came");
        assertEquals(new Bystanders(1, 1, 1), watch.seen());
        assertEquals(List.of(BOB), watch.harmed().stream().map(HarmedUser::uid).toList());
    }

    @Test
    void ofAUserWhoWasNotServedBeforeNobodyKnowsWhetherItsOwnerStayed() {
        var watch = calls.watch(List.of(ANN), List.of());
        calls.invoke(ANN).unknown("no answer came");
        calls.invoke(ANN).returned(1, 1, 7);
        assertEquals(
                "a call of user 1, 0 refused, 0.0 to 0.0 s after it began, whose owner has epoch 7 now;"
                        + " at last: no answer came",
                watch.harmed().get(0).words());
    }

    @Test
    void aNewWatchEndsTheOneBefore() {
        var before = calls.watch(List.of(ANN), List.of());
        var late = calls.invoke(ANN);
        var after = calls.watch(List.of(ANN, BOB), List.of());
        late.unknown("no answer came");
        calls.invoke(BOB).returned(1, 1, 7);
        assertEquals(new Bystanders(1, 1, 1), before.seen());
        assertEquals(new Bystanders(1, 0, 0), after.seen());
    }
}
