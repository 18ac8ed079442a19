package io.seqsvr.storesvr.rocks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.ReleaseMark;
import io.seqsvr.core.store.SegmentRecord;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoredTable;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That a digest tells any two states apart, and nothing but states. */
class StateDigestTest {
    private static final Cluster CLUSTER = new Cluster(
            "cluster-1", new LeaseTerms(3_000_000_000L, 100), new NamespaceDefaults(70, 80), 3, 7, 8, 9, 10);
    private static final Namespace NAMESPACE =
            new Namespace(3, "messages", 1_000, 10, Keying.HASHED, Order.QUORUM, 100, 20, 500, 1L << 40);
    private static final Session SESSION = new Session(
            2_048, SessionKind.ROUTER, 7, "r", "r:1", new LeaseTerms(3_000_000_000L, 100), 2_050, 5, true, false);
    private static final SegmentRecord SEGMENT =
            new SegmentRecord(new SegmentId(3, 9), 5, 2_048, 9, 11, 400, 5_120, new ReleaseMark.WithHigh(300));

    private static StoredTable table(long least) {
        var counters = new SegmentCounters(5, 9, 400, 10, Long.MAX_VALUE);
        counters.lift(2, least);
        return new StoredTable(SEGMENT.id(), counters.table());
    }

    private static final List<StoreChange> ROWS = List.of(
            new StoreChange.PutCluster(CLUSTER),
            new StoreChange.PutNamespace(NAMESPACE),
            new StoreChange.PutSession(SESSION),
            new StoreChange.PutSegment(SEGMENT),
            new StoreChange.PutSegment(new SegmentRecord(new SegmentId(3, 10), 1, 0, 0, 0, 5, 1, ReleaseMark.NONE)),
            new StoreChange.PutTable(table(20)));

    private static String digest(List<StoreChange> rows) {
        var state = new StoreState();
        rows.forEach(state::apply);
        return StateDigest.of(state);
    }

    private static String with(StoreChange row) {
        var rows = new ArrayList<>(ROWS);
        rows.add(row);
        return digest(rows);
    }

    /** Every record that differs from this one in one component. */
    private static <T extends Record> List<T> variants(Class<T> type, T row) throws ReflectiveOperationException {
        var components = type.getRecordComponents();
        var canonical = type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        var variants = new ArrayList<T>();
        for (int changed = 0; changed < components.length; changed++) {
            var values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                values[i] = components[i].getAccessor().invoke(row);
            }
            values[changed] = another(values[changed]);
            variants.add(canonical.newInstance(values));
        }
        return variants;
    }

    private static Object another(Object value) {
        if (value instanceof Long number) {
            return number + 1;
        } else if (value instanceof Integer number) {
            return number + 1;
        } else if (value instanceof Boolean yes) {
            return !yes;
        } else if (value instanceof String text) {
            return text + "x";
        } else if (value instanceof LeaseTerms terms) {
            return new LeaseTerms(terms.ttlNanos(), terms.driftPermille() + 1);
        } else if (value instanceof NamespaceDefaults defaults) {
            return new NamespaceDefaults(defaults.segmentSize(), defaults.step() + 1);
        } else if (value instanceof SegmentId id) {
            return new SegmentId(id.namespaceId(), id.index() + 2);
        } else if (value instanceof ReleaseMark) {
            return ReleaseMark.WITHOUT_HIGH;
        } else if (value instanceof Keying) {
            return Keying.DIRECT;
        } else if (value instanceof Order) {
            return Order.LEASE;
        } else if (value instanceof SessionKind) {
            return SessionKind.ALLOCATOR;
        }
        throw new AssertionError("no other value than " + value);
    }

    @Test
    void eachFieldOfEachKindOfRowCounts() throws ReflectiveOperationException {
        var digests = new HashMap<String, Object>();
        digests.put(digest(ROWS), "the rows as they are");
        var changes = new ArrayList<StoreChange>();
        variants(Cluster.class, CLUSTER).forEach(row -> changes.add(new StoreChange.PutCluster(row)));
        variants(Namespace.class, NAMESPACE).forEach(row -> changes.add(new StoreChange.PutNamespace(row)));
        variants(Session.class, SESSION).forEach(row -> changes.add(new StoreChange.PutSession(row)));
        variants(SegmentRecord.class, SEGMENT).forEach(row -> changes.add(new StoreChange.PutSegment(row)));
        changes.add(new StoreChange.PutTable(table(21)));
        changes.add(new StoreChange.RemoveTable(SEGMENT.id()));
        changes.add(new StoreChange.RemoveSession(SESSION.id()));
        changes.add(new StoreChange.PutSegment(
                new SegmentRecord(SEGMENT.id(), 5, 2_048, 9, 11, 400, 5_120, new ReleaseMark.WithHigh(301))));
        for (var change : changes) {
            var same = digests.put(with(change), change);
            assertTrue(same == null, () -> change + " has the digest of " + same);
        }
    }

    @Test
    void theWayToAStateDoesNotCount() {
        var rows = new ArrayList<>(ROWS);
        Collections.reverse(rows);
        assertEquals(digest(ROWS), digest(rows));
        rows.add(new StoreChange.PutSession(
                new Session(1, SessionKind.ROUTER, 1, "b", "b:1", SESSION.terms(), 1, 0, false, false)));
        rows.add(new StoreChange.RemoveSession(1));
        assertEquals(digest(ROWS), digest(rows));
    }

    @Test
    void itIsSixteenDigits() {
        assertTrue(digest(List.of()).matches("[0-9a-f]{16}"));
    }
}
