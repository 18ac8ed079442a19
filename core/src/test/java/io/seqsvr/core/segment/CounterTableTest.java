package io.seqsvr.core.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Exact counters on their way to the next owner: whole or not at all. */
class CounterTableTest {
    private static final long MOST = Long.MAX_VALUE;
    private static final int USERS = 3_000;
    private static final int ALL = Integer.MAX_VALUE;

    private static SegmentCounters counters() {
        return new SegmentCounters(5, 100, 10_000, USERS, MOST);
    }

    private static SegmentCounters continuing(CounterTable table) {
        return SegmentCounters.continuing(6, table, 20_000, USERS, MOST);
    }

    @Test
    void theNextOwnerContinuesEveryCounter() {
        var old = counters();
        old.take(0, 7);
        old.take(1_023, 1);
        old.take(1_024, 40);
        old.take(2_999, 3);
        var next = continuing(old.table());
        for (int slot = 0; slot < USERS; slot++) {
            assertEquals(old.current(slot), next.current(slot));
            assertEquals(old.exact(slot), next.exact(slot));
        }
        assertEquals(6, next.epoch());
        assertEquals(100, next.base(), "users of whom the table says nothing stay at its base");
        assertEquals(140, next.highest());
        assertEquals(20_000, next.maxSeq());
        assertEquals(108, next.take(0, 1));
        assertEquals(101, next.take(5, 1));
    }

    @Test
    void aTableOfUntouchedCountersIsWholeAndEmpty() {
        var table = counters().table();
        assertTrue(table.whole());
        assertEquals(new CounterTable(5, 100, 100, 0, 0, List.of()), table);
        assertEquals(100, continuing(table).highest());
    }

    /** Who takes it in would look for its page, and find none. */
    @Test
    void aPageBeyondTheSegmentDoesNotFitThoughItIsEmpty() {
        var empty = CounterPage.of(1_000_000, new int[0], new long[0], new boolean[0]);
        var table = new CounterTable(5, 100, 100, 0, 0, List.of(empty));
        assertTrue(table.whole());
        assertFalse(table.fits(USERS));
        assertTrue(new CounterTable(5, 100, 100, 0, 0, List.of()).fits(USERS));
    }

    @Test
    void aCopyDoesNotChangeWithItsOriginalNorTheOtherWayRound() {
        var old = counters();
        old.take(3, 1);
        var table = old.table();
        old.take(3, 1);
        var next = continuing(table);
        assertEquals(101, next.current(3));
        next.take(3, 50);
        assertEquals(101, continuing(table).current(3));
        assertEquals(102, old.current(3));
    }

    @Test
    void afterTheFirstCopiesOnlyChangedPagesFollow() {
        var old = counters();
        old.take(0, 1);
        old.take(2_500, 1);
        old.forgetCopies();
        assertEquals(List.of(0, 2), indexes(old.copyChanged(ALL)));
        assertEquals(List.of(), old.copyChanged(ALL));
        old.take(2_501, 1);
        old.lift(1_500, 300);
        assertEquals(List.of(1, 2), indexes(old.copyChanged(ALL)));
        old.lift(1_500, 200);
        assertEquals(List.of(), old.copyChanged(ALL), "a lift that moves nobody changes nothing");
        old.forgetCopies();
        assertEquals(List.of(0, 1, 2), indexes(old.copyChanged(ALL)));
    }

    @Test
    void copiesMayBeMadePieceByPieceAndWhatChangesMeanwhileIsCopiedAgain() {
        var old = counters();
        old.take(0, 1);
        old.take(1_500, 1);
        old.take(2_500, 1);
        old.forgetCopies();
        assertEquals(3, old.changedPages());
        assertEquals(List.of(0, 1), indexes(old.copyChanged(2)));
        old.take(1, 1);
        assertEquals(2, old.changedPages());
        assertEquals(List.of(2, 0), indexes(old.copyChanged(2)));
        assertEquals(0, old.changedPages());
        assertEquals(old.table(), old.outline().withPages(old.table().pages()));
    }

    private static List<Integer> indexes(List<CounterPage> pages) {
        return pages.stream().map(CounterPage::index).toList();
    }

    @Test
    void copiesTogetherWithWhatChangedAreTheWholeTable() {
        Seed.announcedFor(CounterTableTest.class).run(random -> {
            for (int round = 0; round < 100; round++) {
                var old = counters();
                var pages = new TreeMap<Integer, CounterPage>();
                old.forgetCopies();
                for (int i = 0; i < 300; i++) {
                    int slot = random.nextInt(USERS);
                    if (random.nextInt(4) == 0) {
                        old.lift(slot, old.current(slot) + random.nextInt(50));
                    } else {
                        old.take(slot, random.nextInt(1, 9));
                    }
                    if (random.nextInt(30) == 0) {
                        old.copyChanged(ALL).forEach(page -> pages.put(page.index(), page));
                    }
                }
                old.copyChanged(ALL).forEach(page -> pages.put(page.index(), page));
                var shuffled = new ArrayList<>(pages.values());
                Collections.shuffle(shuffled, new Random(random.nextLong()));
                var table = old.table().withPages(shuffled);
                assertTrue(table.whole());
                var next = continuing(table);
                for (int slot = 0; slot < USERS; slot++) {
                    assertEquals(old.current(slot), next.current(slot));
                    assertEquals(old.exact(slot), next.exact(slot));
                }
            }
        });
    }

    @Test
    void aTableIsNotWholeWithoutAPageOrWithAnOlderOne() {
        var old = counters();
        old.take(0, 1);
        old.take(1_500, 1);
        var before = old.table().pages();
        old.take(1_501, 1);
        old.take(0, 1);
        var table = old.table();
        assertTrue(table.whole());
        assertFalse(table.withPages(List.of()).whole());
        assertFalse(table.withPages(table.pages().subList(0, 1)).whole());
        assertFalse(table.withPages(before).whole());
        assertFalse(
                table.withPages(List.of(table.pages().get(0), before.get(1))).whole(), "one user too few");
        assertFalse(
                table.withPages(List.of(before.get(0), table.pages().get(1))).whole(), "one counter too low");
        var twice = new ArrayList<>(table.pages());
        twice.add(table.pages().get(0));
        assertFalse(table.withPages(twice).whole());
    }

    @Test
    void usersWhoChangedPlacesAreNoticed() {
        var one = counters();
        one.take(3, 5);
        one.take(4, 6);
        var other = counters();
        other.take(3, 6);
        other.take(4, 5);
        assertFalse(one.table().withPages(other.table().pages()).whole());
        var lifted = counters();
        lifted.lift(3, 105);
        lifted.take(4, 6);
        assertFalse(one.table().withPages(lifted.table().pages()).whole(), "a bound is not a number");
    }

    @Test
    void boundsTravelAndEndWithTheNextNumber() {
        var old = counters();
        old.lift(70, 500);
        old.lift(71, 500);
        old.take(71, 1);
        var next = continuing(old.table());
        assertFalse(next.exact(70));
        assertTrue(next.exact(71));
        assertEquals(500, next.current(70));
        assertEquals(501, next.take(70, 1));
        assertTrue(next.exact(70));
        assertFalse(continuing(old.table()).exact(70));
    }

    @Test
    void aTableMayBeHandedOnUnchanged() {
        var old = counters();
        old.take(3, 5);
        var second = continuing(old.table());
        var third = SegmentCounters.continuing(7, second.table(), 20_000, USERS, MOST);
        assertEquals(106, third.take(3, 1));
        assertEquals(101, third.take(4, 1));
    }

    @Test
    void aTableThatStartsNowhereIsNone() {
        assertTrue(CounterTable.of(1, 5, 5, List.of()).whole());
        assertFalse(CounterTable.of(1, 6, 5, List.of()).whole(), "above its greatest counter");
        assertFalse(CounterTable.of(1, -1, 5, List.of()).whole());
    }
}
