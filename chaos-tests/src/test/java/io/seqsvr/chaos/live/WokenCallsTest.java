package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who waited at a process when it went on, and was then answered or refused. */
class WokenCallsTest {
    private static final String DOOR = "127.0.0.1:7721";
    private static final Set<Long> USERS = Set.of(1L, 2L, 3L, 4L);

    private final History record = new History();
    private long nanos = 1_000_000_000;
    private final WokenCalls calls = new WokenCalls(record, () -> nanos);

    private void passMillis(long millis) {
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void whoeverWaitedAndIsAnsweredOrRefusedCounts() {
        var refused = calls.invoke(1, DOOR);
        var read = calls.invoke(2, DOOR);
        var given = calls.invoke(3, DOOR);
        passMillis(300);
        long wokenAt = nanos;
        passMillis(2);
        refused.refusedByNonOwner("not the owner");
        read.told(7, true);
        given.returned(8, 9, 2);
        assertEquals(3, calls.across(wokenAt, DOOR, USERS));
        assertEquals(3, record.operations().size(), "the record is told as well");
    }

    @Test
    void whoeverWaitsIsSeenWhileThereIsTimeToBeAnsweredIn() {
        assertFalse(calls.somebodyWaits(DOOR, USERS));
        var call = calls.invoke(1, DOOR);
        assertFalse(calls.somebodyWaits(DOOR, USERS), "it may be answered at once");
        passMillis(60);
        assertTrue(calls.somebodyWaits(DOOR, USERS));
        passMillis(400);
        assertFalse(calls.somebodyWaits(DOOR, USERS), "it is about to give up");
        var other = calls.invoke(2, DOOR);
        passMillis(60);
        assertTrue(calls.somebodyWaits(DOOR, USERS));
        other.unknown("no answer");
        call.refused("no owner");
        assertFalse(calls.somebodyWaits(DOOR, USERS));
    }

    @Test
    void nobodyElseDoes() {
        var before = calls.invoke(1, DOOR);
        passMillis(300);
        before.refused("before it went on");
        var silent = calls.invoke(2, DOOR);
        passMillis(300);
        var young = calls.invoke(3, DOOR);
        passMillis(10);
        long wokenAt = nanos;
        passMillis(1);
        silent.unknown("no answer within 1000 ms");
        young.refused("whoever answers at once stood not still");
        calls.invoke(4, DOOR).returned(1, 1, 1);
        assertEquals(0, calls.across(wokenAt, DOOR, USERS));
    }

    @Test
    void whoeverWaitsElsewhereOrWasNotOwnedHearsNothingOfAFormerOwner() {
        var elsewhere = calls.invoke(1, "127.0.0.1:7722");
        var stranger = calls.invoke(5, DOOR);
        passMillis(300);
        assertFalse(calls.somebodyWaits(DOOR, USERS));
        long wokenAt = nanos;
        passMillis(1);
        elsewhere.refusedByNonOwner("not the owner");
        stranger.refusedByNonOwner("not the owner");
        assertEquals(0, calls.across(wokenAt, DOOR, USERS));
    }
}
