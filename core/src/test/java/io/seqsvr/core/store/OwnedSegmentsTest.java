package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** In a cluster of many segments a claim looks at those of whoever asks, on the one thread that applies the log. */
class OwnedSegmentsTest {
    private static final int SEGMENTS = 250_000;
    private static final int OWNERS = 500;

    private final Visited visited = new Visited();
    private final StoreState state = new StoreState(visited);
    private final StoreRules rules = new StoreRules();
    private List<Long> sessions = List.of();
    private long index;

    /** Counts the records that are looked at. */
    private static final class Visited extends TreeMap<SegmentId, SegmentRecord> {
        private static final long serialVersionUID = 1L;
        private long records;

        @Override
        public @Nullable SegmentRecord get(Object id) {
            records++;
            return super.get(id);
        }

        @Override
        public Collection<SegmentRecord> values() {
            records += size();
            return super.values();
        }
    }

    private StoreReply execute(StoreCommand command) {
        var decision = rules.decide(state, Stamp.of(0, ++index, 0), command);
        decision.changes().forEach(state::apply);
        return decision.reply();
    }

    private long open(long number) {
        var name = "owner-" + number;
        var opened = execute(new StoreCommand.OpenSession(SessionKind.ALLOCATOR, number, name, name + ":1"));
        return assertInstanceOf(StoreReply.SessionOpened.class, opened).session();
    }

    private void begin() {
        execute(new StoreCommand.CreateCluster(
                "cluster",
                new LeaseTerms(3_000_000_000L, 100),
                List.of(new Namespace(1, "messages", SEGMENTS, 1, 100, 10, Long.MAX_VALUE))));
        sessions = LongStream.range(0, OWNERS).mapToObj(this::open).toList();
        for (int segment = 0; segment < SEGMENTS; segment++) {
            put(segment, 1, sessions.get(segment % OWNERS), ReleaseMark.NONE);
        }
    }

    private void put(int segment, long epoch, long owner, ReleaseMark release) {
        state.apply(new StoreChange.PutSegment(
                new SegmentRecord(new SegmentId(1, segment), epoch, owner, 0, 0, 100, 7, release)));
    }

    private List<Integer> claimed(long session) {
        var claimed = assertInstanceOf(StoreReply.Claimed.class, execute(new StoreCommand.Claim(session, 0)));
        return claimed.segments().stream().map(one -> one.segment().index()).toList();
    }

    @Test
    void aClaimLooksAtNoSegmentOfAnother() {
        begin();
        long visitedBefore = visited.records;
        assertEquals(SEGMENTS / OWNERS, claimed(sessions.get(3)).size());
        assertEquals(SEGMENTS / OWNERS, visited.records - visitedBefore);
    }

    @Test
    void whatMovedOrWasGivenBackIsTheFormerOwnersNoMore() {
        begin();
        put(3, 2, sessions.get(4), ReleaseMark.NONE);
        put(4, 1, sessions.get(4), ReleaseMark.WITHOUT_HIGH);
        assertEquals(SEGMENTS / OWNERS - 1, claimed(sessions.get(3)).size());
        assertEquals(List.of(3, 504, 1_004), claimed(sessions.get(4)).subList(0, 3));
    }
}
