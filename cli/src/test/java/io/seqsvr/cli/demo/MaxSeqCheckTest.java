package io.seqsvr.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.live.FaultLog;
import io.seqsvr.chaos.live.LiveRecord;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.storeclient.SegmentFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What users were shown is held against max_seq. */
final class MaxSeqCheckTest {
    private static final Namespace NAMESPACE = new Namespace(3, "default", 1_000, 100, 10, 50, Long.MAX_VALUE);

    private final LiveRecord record = new LiveRecord(new FaultLog(() -> 1), () -> 1, Set.of(), uid -> true);
    private final Map<SegmentId, Long> kept = new HashMap<>();

    private boolean hold() {
        return new MaxSeqCheck(record, NAMESPACE)
                .hold(segment ->
                        Optional.ofNullable(kept.get(segment)).map(maxSeq -> new SegmentFacts(1, 1, 0, maxSeq)));
    }

    @Test
    void whoWasShownNoMoreThanWasGrantedHasNothingToTell() {
        record.invoke(7).returned(1, 10, 1);
        record.invoke(8).told(10, false);
        record.invoke(107).returned(1, 20, 1);
        kept.put(new SegmentId(3, 0), 10L);
        kept.put(new SegmentId(3, 1), 20L);
        assertTrue(hold());
        assertEquals(0, record.broken());
    }

    @Test
    void aNumberAboveMaxSeqIsToldWithItsUserAndItsSegment() {
        record.invoke(7).returned(1, 10, 1);
        record.invoke(8).returned(1, 11, 1);
        kept.put(new SegmentId(3, 0), 10L);
        assertTrue(hold());
        assertEquals(
                List.of("BELOW_MAX_SEQ: user 8 was shown 11, and max_seq of its segment 0 is 10"),
                record.soFar().violations());
    }

    @Test
    void aSegmentOfWhichNobodyTellsProvesNothing() {
        record.invoke(7).returned(1, 10, 1);
        assertFalse(hold());
        assertEquals(0, record.broken());
    }
}
