package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterPage;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.Expel;
import io.seqsvr.core.store.StoreCommand.FetchTables;
import io.seqsvr.core.store.StoreCommand.Holding;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreCommand.StoreTables;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreReply.SessionGone;
import io.seqsvr.core.store.StoreReply.TablesFetched;
import io.seqsvr.core.store.StoreReply.TablesStored;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Exact counters in StoreSvr: who may leave them, for whom they are, and when they are erased. */
class TableRulesTest {
    private static final int USERS = 60_000;
    private static final SegmentId FIRST = new SegmentId(1, 0);

    private final FakeStore store = new FakeStore(
            new LeaseTerms(2_000_000_000L, 50),
            new Namespace(1, "messages", 40L * USERS, USERS, 100, 10, Long.MAX_VALUE),
            new Namespace(2, "moments", 30, 10, 100, 10, 250));
    private final long alice = store.open("alice");
    private final long bob = store.open("bob");

    @BeforeEach
    void assign() {
        store.publish(new Move(1, 0, 29, alice));
    }

    /** Counters of as many users, of whom the first one is served once more. */
    private static CounterTable table(long epoch, long base, int users) {
        var counters = new SegmentCounters(epoch, base, base + 1_000, USERS, Long.MAX_VALUE);
        for (int slot = 0; slot < users; slot++) {
            counters.take(slot, slot == 0 ? 2 : 1);
        }
        return counters.table();
    }

    private StoreReply store(long session, int segment, CounterTable table) {
        return store.execute(new StoreTables(session, List.of(new StoredTable(new SegmentId(1, segment), table))));
    }

    private void assertStored(boolean stored, StoreReply reply) {
        assertEquals(new TablesStored(List.of(stored)), reply);
    }

    private void release(long session, int segment, long epoch, long high) {
        store.execute(new Release(session, List.of(new Sealed(new SegmentId(1, segment), epoch, high))));
    }

    private Optional<CounterTable> fetch(long session, long epoch) {
        var reply = store.execute(new FetchTables(session, List.of(new Holding(FIRST, epoch))));
        return assertInstanceOf(TablesFetched.class, reply).tables().get(0);
    }

    private boolean claimTellsOfATable(long session) {
        var claimed = assertInstanceOf(StoreReply.Claimed.class, store.execute(new Claim(session, 0)));
        return claimed.segments().get(0).tableStored();
    }

    @Test
    void theOwnerOfTheNextEpochFindsItAsOftenAsItAsks() {
        var table = table(1, 0, 5);
        assertStored(true, store(alice, 0, table));
        release(alice, 0, 1, 2);
        store.publish(new Move(1, 0, 0, bob));
        assertEquals(true, claimTellsOfATable(bob));
        assertEquals(Optional.of(table), fetch(bob, 2));
        assertEquals(Optional.of(table), fetch(bob, 2), "the first answer may have been lost");
        assertEquals(Optional.empty(), fetch(alice, 2));
        assertEquals(Optional.empty(), fetch(bob, 1));
        assertEquals(5, store.state().storedUsers());
    }

    @Test
    void itIsErasedWhenTheEpochAfterItsOwnEnds() {
        store(alice, 0, table(1, 0, 5));
        release(alice, 0, 1, 2);
        store.publish(new Move(1, 0, 0, bob));
        store.expire(bob);
        store.publish(new Move(1, 0, 0, alice));
        assertEquals(Optional.empty(), store.state().table(FIRST));
        assertEquals(0, store.state().storedUsers());
    }

    @Test
    void itIsErasedWhenItsOwnerEndsWithoutARelease() {
        store(alice, 0, table(1, 0, 5));
        store.expire(alice);
        store.publish(new Move(1, 0, 0, bob));
        assertEquals(false, claimTellsOfATable(bob));
        assertEquals(Optional.empty(), store.state().table(FIRST));
    }

    @Test
    void itIsErasedWhenTheReleaseTellsAnotherHigh() {
        store(alice, 0, table(1, 0, 5));
        release(alice, 0, 1, 7);
        store.publish(new Move(1, 0, 0, bob));
        assertEquals(false, claimTellsOfATable(bob));
        assertEquals(Optional.empty(), store.state().table(FIRST));
    }

    @Test
    void itIsErasedByAFloor() {
        store(alice, 0, table(1, 0, 5));
        release(alice, 0, 1, 2);
        store.execute(new RaiseFloor(FIRST, 700));
        assertEquals(Optional.empty(), store.state().table(FIRST));
    }

    @Test
    void onlyTheOwnerStoresItsPresentUnreleasedEpoch() {
        assertStored(false, store(bob, 0, table(1, 0, 5)));
        assertStored(false, store(alice, 0, table(2, 0, 5)));
        assertStored(false, store(alice, 30, table(1, 0, 5)));
        release(alice, 1, 1, 2);
        assertStored(false, store(alice, 1, table(1, 0, 5)));
        store.execute(new Expel(alice));
        assertEquals(new SessionGone(alice), store(alice, 0, table(1, 0, 5)));
        assertEquals(new SessionGone(alice), store.execute(new FetchTables(alice, List.of(new Holding(FIRST, 1)))));
        assertEquals(0, store.state().storedUsers());
    }

    @Test
    void aTableThatIsNotWholeOrNamesUsersThatDoNotExistIsNotKept() {
        var table = table(1, 0, 5_000);
        assertStored(
                false,
                store(
                        alice,
                        0,
                        table.withPages(table.pages().subList(1, table.pages().size()))));
        store.publish(new Move(2, 0, 0, alice));
        var tooMany = new StoredTable(new SegmentId(2, 0), table(1, 0, 11));
        assertStored(false, store.execute(new StoreTables(alice, List.of(tooMany))));
        var tooHigh = new SegmentCounters(1, 0, 251, 10, 1_000);
        tooHigh.take(0, 251);
        assertStored(
                false,
                store.execute(new StoreTables(alice, List.of(new StoredTable(new SegmentId(2, 0), tooHigh.table())))));
    }

    @Test
    void allTablesTogetherAreBounded() {
        int fit = StoredTable.MAX_USERS / USERS;
        for (int segment = 0; segment < fit; segment++) {
            assertStored(true, store(alice, segment, table(1, 0, USERS)));
        }
        assertStored(false, store(alice, fit, table(1, 0, USERS)));
        assertStored(true, store(alice, 0, table(1, 0, USERS)));
        assertEquals((long) fit * USERS, store.state().storedUsers(), "a repeat takes the place of the first");
    }

    @Test
    void anAnswerHoldsNoMoreUsersThanACommand() {
        for (int segment = 0; segment < 3; segment++) {
            store(alice, segment, table(1, 0, 30_000));
            release(alice, segment, 1, 2);
        }
        store.publish(new Move(1, 0, 2, bob));
        var all = IntStream.range(0, 3)
                .mapToObj(segment -> new Holding(new SegmentId(1, segment), 2))
                .toList();
        var fetched = assertInstanceOf(TablesFetched.class, store.execute(new FetchTables(bob, all)));
        assertEquals(2, fetched.tables().size());
    }

    /** Users who are far from all others take more bytes than neighbours. */
    @Test
    void anAnswerHoldsNoMoreBytesThanACommand() {
        var lone = new CounterTable(1, 0, 1_000_000, 1, 7, pages(IntStream.range(0, 20_000)));
        assertEquals(true, 2 * lone.mostBytes() < StoreCommand.MAX_TABLE_BYTES);
        for (int segment = 0; segment < 4; segment++) {
            var id = new SegmentId(1, segment);
            // As from before there was a rule for its pages.
            store.state().apply(new StoreChange.PutTable(new StoredTable(id, lone)));
            release(alice, segment, 1, lone.high());
        }
        store.publish(new Move(1, 0, 3, bob));
        assertEquals(2, fetchedByBob(0, 4).tables().size());
        var longest = new CounterTable(1, 0, lone.high(), 1, 7, pages(IntStream.range(0, 50_000)));
        assertEquals(true, longest.mostBytes() > StoreCommand.MAX_TABLE_BYTES);
        store.state().apply(new StoreChange.PutTable(new StoredTable(new SegmentId(1, 1), longest)));
        assertEquals(List.of(Optional.of(longest)), fetchedByBob(1, 4).tables(), "one in any case");
    }

    private TablesFetched fetchedByBob(int from, int to) {
        var all = IntStream.range(from, to)
                .mapToObj(segment -> new Holding(new SegmentId(1, segment), 2))
                .toList();
        return assertInstanceOf(TablesFetched.class, store.execute(new FetchTables(bob, all)));
    }

    private static List<CounterPage> pages(IntStream indexes) {
        return indexes.mapToObj(index -> CounterPage.of(index, new int[0], new long[0], new boolean[0]))
                .toList();
    }

    /** Two bytes each in the command, so that a bound of users does not see them. */
    @Test
    void aTableWithPagesOfNobodyIsRefusedBeforeTheLogAndWhenItIsApplied() {
        var some = table(1, 0, 5);
        var page = some.pages().get(0);
        var empty = pages(IntStream.of(1));
        assertRefused("with 0 users", new CounterTable(1, 0, 2, 0, 0, pages(IntStream.range(0, 1_000))));
        assertRefused("with 0 users", new CounterTable(1, 2, 2, 0, 0, List.of()));
        assertRefused("with -1 users", new CounterTable(1, 0, 2, -1, some.checksum(), some.pages()));
        assertRefused("a page of nobody", some.withPages(List.of(page, empty.get(0))));
        assertRefused("out of its place", some.withPages(List.of(page, page)));
        var large = table(1, 0, 2_000);
        assertEquals(2, large.pages().size());
        assertRefused(
                "out of its place",
                large.withPages(List.of(large.pages().get(1), large.pages().get(0))));
        assertStored(true, store(alice, 0, large));
    }

    /** A negative number in one table would make room for more users in another one. */
    private void assertRefused(String why, CounterTable table) {
        var other = new StoredTable(new SegmentId(1, 1), table(1, 0, 5));
        var command = new StoreTables(alice, List.of(other, new StoredTable(FIRST, table)));
        var problem = StoreRules.limitProblem(command).orElseThrow();
        assertEquals(true, problem.startsWith("has a table of segment 1/0 ") && problem.contains(why), problem);
        var before = Rows.of(store.state());
        assertEquals(new Rejected("StoreTables " + problem), store.execute(command));
        assertEquals(before, Rows.of(store.state()), "the sound table of the command was kept");
    }

    @Test
    void aSegmentIsFetchedOnceInAnAnswer() {
        store(alice, 0, table(1, 0, 5));
        release(alice, 0, 1, 2);
        store.publish(new Move(1, 0, 0, bob));
        var twice = new FetchTables(bob, List.of(new Holding(FIRST, 2), new Holding(FIRST, 1)));
        var why = "names segment 1/0 twice; it must name each once";
        assertEquals(Optional.of(why), StoreRules.limitProblem(twice));
        assertEquals(new Rejected("FetchTables " + why), store.execute(twice));
    }

    @Test
    void oversizedAndDoubledCommandsAreRejected() {
        var one = new StoredTable(FIRST, table(1, 0, USERS));
        var other = new StoredTable(new SegmentId(1, 1), table(1, 0, 6_000));
        assertInstanceOf(Rejected.class, store.execute(new StoreTables(alice, List.of(one, other))));
        assertInstanceOf(Rejected.class, store.execute(new StoreTables(alice, List.of(other, other))));
        assertInstanceOf(Rejected.class, store.execute(new StoreTables(alice, List.of())));
        assertInstanceOf(Rejected.class, store.execute(new FetchTables(alice, List.of())));
        var many = Collections.nCopies(2_001, new Holding(FIRST, 1));
        assertInstanceOf(Rejected.class, store.execute(new FetchTables(alice, many)));
        assertEquals(0, store.state().storedUsers());
    }
}
