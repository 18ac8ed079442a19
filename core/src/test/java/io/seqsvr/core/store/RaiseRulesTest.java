package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreReply.Raised;
import io.seqsvr.core.store.StoreReply.RaisedItem;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreReply.SessionGone;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How max_seq moves up in StoreSvr, and never down. */
class RaiseRulesTest {
    private final FakeStore store = new FakeStore(
            new LeaseTerms(2_000_000_000L, 50),
            new Namespace(1, "messages", 5_000, 1, 100, 10, Long.MAX_VALUE),
            new Namespace(2, "moments", 30, 10, 100, 10, 250));
    private final long alice = store.open("alice");
    private final long bob = store.open("bob");

    private static RaiseItem item(int namespaceId, int index, long epoch, long maxSeq) {
        return new RaiseItem(new SegmentId(namespaceId, index), epoch, maxSeq);
    }

    private StoreReply raise(long session, RaiseItem... items) {
        return store.execute(new Raise(session, List.of(items)));
    }

    private void assertOutcome(RaisedItem expected, long session, RaiseItem item) {
        assertEquals(new Raised(List.of(expected)), raise(session, item));
    }

    private static RaisedItem outcome(RaiseItem of, boolean accepted, long maxSeq) {
        return new RaisedItem(of.segment(), of.epoch(), accepted, maxSeq);
    }

    @Test
    void theOwnerRaisesInItsEpochAndLearnsTheBoundInForce() {
        store.publish(new Move(1, 0, 0, alice));
        var item = item(1, 0, 1, 300);
        assertOutcome(outcome(item, true, 300), alice, item);
        assertEquals(300, store.segment(1, 0).maxSeq());
        assertEquals(0, store.segment(1, 0).base());
    }

    @Test
    void lateDuplicatedAndReorderedRaisesNeverLowerMaxSeq() {
        store.publish(new Move(1, 0, 0, alice));
        for (long bound : new long[] {500, 300, 500, 101, 0, -1, Long.MIN_VALUE}) {
            var item = item(1, 0, 1, bound);
            assertOutcome(outcome(item, true, 500), alice, item);
            assertEquals(500, store.segment(1, 0).maxSeq());
        }
    }

    @Test
    void aRaiseOfAStaleEpochIsRefused() {
        store.publish(new Move(1, 0, 0, alice));
        store.expire(alice);
        long again = store.open("alice");
        store.publish(new Move(1, 0, 0, again));
        var stale = item(1, 0, 1, 9_000);
        assertOutcome(outcome(stale, false, 200), again, stale);
        var future = item(1, 0, 3, 9_000);
        assertOutcome(outcome(future, false, 200), again, future);
        assertEquals(200, store.segment(1, 0).maxSeq());
    }

    @Test
    void aRaiseByAnotherSessionIsRefused() {
        store.publish(new Move(1, 0, 0, alice));
        var item = item(1, 0, 1, 9_000);
        assertOutcome(outcome(item, false, 100), bob, item);
        assertEquals(100, store.segment(1, 0).maxSeq());
    }

    @Test
    void aRaiseByAnEndedSessionIsRefusedEvenIfNobodyElseOwnsTheSegment() {
        store.publish(new Move(1, 0, 0, alice));
        store.expire(alice);
        var before = Rows.of(store.state());
        assertEquals(new SessionGone(alice), raise(alice, item(1, 0, 1, 9_000)));
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void aLateRaiseOfTheOldOwnerDoesNotReachTheNewEpoch() {
        store.publish(new Move(1, 0, 0, alice));
        store.expire(alice);
        store.publish(new Move(1, 0, 0, bob));
        assertEquals(new SessionGone(alice), raise(alice, item(1, 0, 1, 9_000)));
        assertEquals(200, store.segment(1, 0).maxSeq());
    }

    @Test
    void aSegmentThatWasNeverAssignedIsRefused() {
        var item = item(1, 17, 1, 9_000);
        assertOutcome(outcome(item, false, 0), alice, item);
        var elsewhere = item(7, 0, 1, 9_000);
        assertOutcome(outcome(elsewhere, false, 0), alice, elsewhere);
        assertEquals(0, store.state().segments().size());
    }

    @Test
    void oneStaleItemDoesNotHinderTheOthers() {
        store.publish(new Move(1, 0, 2, alice), new Move(1, 3, 3, bob));
        var first = item(1, 0, 1, 300);
        var stale = item(1, 1, 2, 300);
        var foreign = item(1, 3, 1, 300);
        var last = item(1, 2, 1, 400);
        assertEquals(
                new Raised(List.of(
                        outcome(first, true, 300),
                        outcome(stale, false, 100),
                        outcome(foreign, false, 100),
                        outcome(last, true, 400))),
                raise(alice, first, stale, foreign, last));
        assertEquals(100, store.segment(1, 1).maxSeq());
        assertEquals(100, store.segment(1, 3).maxSeq());
    }

    @Test
    void maxSeqIsCappedAtMaxSequence() {
        store.publish(new Move(1, 0, 0, alice), new Move(2, 0, 0, alice));
        var small = item(2, 0, 1, Long.MAX_VALUE);
        assertOutcome(outcome(small, true, 250), alice, small);
        var great = item(1, 0, 1, Long.MAX_VALUE);
        assertOutcome(outcome(great, true, Long.MAX_VALUE), alice, great);
    }

    @Test
    void twoThousandItemsAndNotOneMore() {
        store.publish(new Move(1, 0, 1_999, alice));
        var items = new ArrayList<RaiseItem>();
        for (int index = 0; index < 2_000; index++) {
            items.add(item(1, index, 1, 200));
        }
        var raised = assertInstanceOf(Raised.class, store.execute(new Raise(alice, items)));
        assertEquals(2_000, raised.items().stream().filter(RaisedItem::accepted).count());
        items.add(item(1, 2_000, 1, 200));
        assertRejected(items);
        assertRejected(List.of());
    }

    @Test
    void anItemTwiceIsRejectedAndNothingIsRaised() {
        store.publish(new Move(1, 0, 1, alice));
        assertRejected(List.of(item(1, 0, 1, 300), item(1, 1, 1, 300), item(1, 0, 1, 300)));
    }

    private void assertRejected(List<RaiseItem> items) {
        var before = Rows.of(store.state());
        assertInstanceOf(Rejected.class, store.execute(new Raise(alice, items)));
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void raisesAreNotSeenByAWatch() {
        long version = store.publish(new Move(1, 0, 0, alice));
        raise(alice, item(1, 0, 1, 300));
        assertEquals(version, store.view().version());
        assertEquals(version, store.segment(1, 0).assignedAt());
    }
}
