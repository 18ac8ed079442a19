package io.seqsvr.core.store;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterTable;
import io.seqsvr.core.store.StoreChange.PutTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules of exact counters that StoreSvr keeps over a clean stop. A table is the word of the owner of its epoch, in
 * that epoch, before it gives the segment back; it is erased when it can fit no epoch any more.
 */
final class TableRules {
    /** What no correct owner stores: all bounds of tables count their users, so nothing in them may be without one. */
    static Optional<String> problem(StoreCommand.StoreTables store) {
        long users = 0;
        for (var stored : store.tables()) {
            var table = stored.table();
            if (table.served() < 1) {
                return Optional.of("has a table of segment " + stored.segment() + " with " + table.served()
                        + " users; it must be at least 1");
            }
            if (!table.ordered()) {
                return Optional.of("has a table of segment " + stored.segment()
                        + " with a page of nobody, or out of its" + " place; pages must ascend, each with a user");
            }
            users += table.served();
        }
        return users <= StoreCommand.MAX_TABLE_USERS
                ? twice(store.tables().stream().map(StoredTable::segment))
                : Optional.of("names " + users + " users; it must be at most " + StoreCommand.MAX_TABLE_USERS);
    }

    /** Else one answer would repeat a table as often as it was named. */
    static Optional<String> problem(StoreCommand.FetchTables fetch) {
        return twice(fetch.holdings().stream().map(StoreCommand.Holding::segment));
    }

    private static Optional<String> twice(Stream<SegmentId> segments) {
        var seen = new HashSet<SegmentId>();
        return segments.filter(segment -> !seen.add(segment))
                .findFirst()
                .map(segment -> "names segment " + segment + " twice; it must name each once");
    }

    Decision store(StoreState state, StoreCommand.StoreTables store) {
        var session = state.session(store.session());
        if (session.isEmpty() || session.get().expelled()) {
            return Decision.gone(store.session());
        }
        var changes = new ArrayList<StoreChange>();
        var stored = new ArrayList<Boolean>(store.tables().size());
        long users = state.storedUsers();
        for (var table : store.tables()) {
            long others = users - servedBefore(state, table);
            boolean kept =
                    others + table.table().served() <= StoredTable.MAX_USERS && mayStore(state, store.session(), table);
            if (kept) {
                users = others + table.table().served();
                changes.add(new PutTable(table));
            }
            stored.add(kept);
        }
        return new Decision(new StoreReply.TablesStored(stored), changes);
    }

    private static int servedBefore(StoreState state, StoredTable table) {
        return state.table(table.segment())
                .map(before -> before.table().served())
                .orElse(0);
    }

    private static boolean mayStore(StoreState state, long session, StoredTable stored) {
        var found = state.segment(stored.segment());
        if (found.isEmpty()) {
            return false;
        }
        var segment = found.get();
        var namespace = state.namespace(segment.id().namespaceId()).orElseThrow();
        var table = stored.table();
        boolean sound = table.whole()
                && table.fits(namespace.usersIn(segment.id().index()))
                && table.high() <= namespace.maxSequence();
        boolean owned = segment.owner() == session
                && segment.epoch() == table.epoch()
                && !segment.isReleased()
                && table.high() >= segment.base();
        return sound && owned;
    }

    Decision fetch(StoreState state, StoreCommand.FetchTables fetch) {
        var session = state.session(fetch.session());
        if (session.isEmpty() || session.get().expelled()) {
            return Decision.gone(fetch.session());
        }
        var tables = new ArrayList<Optional<CounterTable>>();
        int users = 0;
        long bytes = 0;
        for (var holding : fetch.holdings()) {
            var table = tableFor(state, fetch.session(), holding);
            users += table.map(CounterTable::served).orElse(0);
            bytes += table.map(CounterTable::mostBytes).orElse(0L);
            boolean full = users > StoreCommand.MAX_TABLE_USERS || bytes > StoreCommand.MAX_TABLE_BYTES;
            if (full && !tables.isEmpty()) {
                break;
            }
            tables.add(table);
        }
        return Decision.unchanged(new StoreReply.TablesFetched(tables));
    }

    private static Optional<CounterTable> tableFor(StoreState state, long session, StoreCommand.Holding holding) {
        var owned = state.segment(holding.segment())
                .filter(segment -> segment.owner() == session && segment.epoch() == holding.epoch());
        return owned.flatMap(segment ->
                state.table(segment.id()).filter(table -> table.fits(segment)).map(StoredTable::table));
    }
}
