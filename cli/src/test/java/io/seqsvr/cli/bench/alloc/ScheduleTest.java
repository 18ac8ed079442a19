package io.seqsvr.cli.bench.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What is due does not wait for what was answered. */
final class ScheduleTest {
    @Test
    void withoutARateEverythingIsDueNow() {
        var schedule = Schedule.closed();
        assertTrue(schedule.isClosed());
        assertTrue(schedule.isDue(5));
        assertEquals(5, schedule.take(5));
        assertTrue(schedule.isDue(5));
    }

    @Test
    void atARateRequestsAreDueOneAfterTheOther() {
        var schedule = Schedule.every(2.5, 100);
        assertFalse(schedule.isClosed());
        assertFalse(schedule.isDue(99));
        assertTrue(schedule.isDue(100));
        assertEquals(100, schedule.take(100));
        assertFalse(schedule.isDue(101));
        assertEquals(102, schedule.take(102));
        assertEquals(105, schedule.take(105));
        assertEquals(107, schedule.take(107));
    }

    @Test
    void whatWasLateBeforeItBeganAnewIsDueNoMore() {
        var schedule = Schedule.every(10, 0);
        assertEquals(0, schedule.take(500));
        schedule.beginAnew(500);
        assertTrue(schedule.isDue(500));
        assertEquals(500, schedule.take(500));
        assertFalse(schedule.isDue(509));
        assertTrue(schedule.isDue(510));
    }

    @Test
    void whatLeavesLateCountsFromWhenItWasDue() {
        var schedule = Schedule.every(10, 0);
        assertEquals(0, schedule.take(35));
        assertEquals(10, schedule.take(35));
        assertEquals(20, schedule.take(35));
        assertEquals(30, schedule.take(35));
        assertFalse(schedule.isDue(35));
    }

    @Test
    void whatFallsDueAfterItBeganAnewIsDueAlsoIfNobodyLooksUntilItIsLate() {
        var schedule = Schedule.every(10, 0);
        schedule.beginAnew(500);
        assertTrue(schedule.isDue(700));
        assertEquals(500, schedule.take(700));
        assertEquals(510, schedule.take(700));
    }

    @Test
    void whatWasDueBeforeItsEndIsLeftUntilItIsTaken() {
        var schedule = Schedule.every(10, 0);
        assertEquals(0, schedule.take(5));
        assertEquals(0, schedule.left(), "it has no end yet");
        schedule.endAt(30);
        assertEquals(2, schedule.left());
        assertTrue(schedule.isDue(1_000));
        assertEquals(10, schedule.take(1_000));
        assertTrue(schedule.isDue(1_000));
        assertEquals(20, schedule.take(1_000));
        assertFalse(schedule.isDue(1_000), "what would be due at the end is not");
        assertEquals(0, schedule.left());
    }

    @Test
    void whatIsLeftCountsFromWhereItBeganAnewAlsoIfNobodyHasLookedSince() {
        var schedule = Schedule.every(10, 0);
        schedule.beginAnew(100);
        schedule.endAt(135);
        assertEquals(4, schedule.left());
        assertTrue(schedule.isDue(200));
        assertEquals(100, schedule.take(200));
        assertEquals(3, schedule.left());
    }

    @Test
    void withoutARateNothingIsDueAfterTheEndAndNothingIsLeft() {
        var schedule = Schedule.closed();
        schedule.endAt(7);
        assertFalse(schedule.isDue(5));
        assertEquals(0, schedule.left());
    }
}
