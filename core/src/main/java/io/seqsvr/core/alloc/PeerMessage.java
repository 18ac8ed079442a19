package io.seqsvr.core.alloc;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.CounterPage;
import io.seqsvr.core.segment.CounterTable;
import java.util.List;

/**
 * What two allocators tell each other while a segment goes from one to the other. Any of it may be lost, late, doubled
 * or overtaken: nothing rests on it but the quality of the new owner's counters, and a wait for them that has a bound.
 */
public sealed interface PeerMessage {
    /** The segment. */
    SegmentId segment();

    /** The epoch that is to end. */
    long epoch();

    /** Whether it says that the segment is sealed: it is handed over at the same time. */
    default boolean isSeal() {
        return false;
    }

    /** Pages of counters that it carries: nearly all of what it takes. */
    default int pageCount() {
        return 0;
    }

    /**
     * Some copies of counters, the first or later ones: of a page counts what came last.
     *
     * @param segment the segment
     * @param epoch the epoch that is to end
     * @param pages the copies
     */
    record Pages(SegmentId segment, long epoch, List<CounterPage> pages) implements PeerMessage {
        /** Keeps a copy. */
        public Pages {
            pages = List.copyOf(pages);
        }

        @Override
        public int pageCount() {
            return pages.size();
        }
    }

    /**
     * {@link Pages} have come: the sender may send more, or seal.
     *
     * @param segment the segment
     * @param epoch the epoch that is to end
     */
    record PagesTaken(SegmentId segment, long epoch) implements PeerMessage {}

    /**
     * The segment is sealed; with these last pages and all before, the table is whole.
     *
     * @param segment the segment
     * @param table count and checksum of the counters as sealed, with the pages that changed since the copies
     */
    record TableSealed(SegmentId segment, CounterTable table) implements PeerMessage {
        @Override
        public long epoch() {
            return table.epoch();
        }

        @Override
        public boolean isSeal() {
            return true;
        }

        @Override
        public int pageCount() {
            return table.pages().size();
        }
    }

    /**
     * The segment is sealed, and goes without a table, as too much of it would have to follow: what was copied is of no
     * use.
     *
     * @param segment the segment
     * @param epoch the epoch that is to end
     */
    record TableAbandoned(SegmentId segment, long epoch) implements PeerMessage {
        @Override
        public boolean isSeal() {
            return true;
        }
    }

    /**
     * The whole table has come.
     *
     * @param segment the segment
     * @param epoch the epoch that is to end
     */
    record TableTaken(SegmentId segment, long epoch) implements PeerMessage {}
}
