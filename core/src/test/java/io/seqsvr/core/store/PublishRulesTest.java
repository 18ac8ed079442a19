package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreReply.RoutesPublished;
import io.seqsvr.core.store.StoreReply.RoutesRefused;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How segments are given away in StoreSvr. */
class PublishRulesTest {
    private static final LeaseTerms LEASE = new LeaseTerms(2_000_000_000L, 50);

    private final FakeStore store = new FakeStore(
            LEASE,
            new Namespace(1, "messages", 5_000, 1, 100, 10, Long.MAX_VALUE),
            new Namespace(2, "moments", 30, 10, 100, 10, 250));
    private final long alice = store.open("alice");
    private final long bob = store.open("bob");

    private static SegmentRecord assigned(SegmentId id, long epoch, long owner, long base, long maxSeq, long version) {
        return new SegmentRecord(id, epoch, owner, base, 0, maxSeq, version, ReleaseMark.NONE);
    }

    private StoreReply publish(long expected, Move... moves) {
        return store.execute(new PublishRoutes(expected, List.of(moves)));
    }

    /** The command is refused, names why, and changes nothing. */
    private void assertRefused(String reason, Move... moves) {
        var before = Rows.of(store.state());
        var refused = assertInstanceOf(RoutesRefused.class, publish(store.publishVersion(), moves));
        assertTrue(refused.reason().contains(reason), refused.reason());
        assertEquals(store.publishVersion(), refused.version());
        assertEquals(before, Rows.of(store.state()));
    }

    private void assertRejected(Move... moves) {
        var before = Rows.of(store.state());
        assertInstanceOf(Rejected.class, publish(store.publishVersion(), moves), Arrays.toString(moves));
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void theFirstAssignmentBeginsEpochOneAtBaseZeroWithOneStep() {
        long version = store.publish(new Move(1, 3, 4, alice));
        assertEquals(store.lastStamp(), version);
        assertEquals(assigned(new SegmentId(1, 3), 1, alice, 0, 100, version), store.segment(1, 3));
        assertEquals(assigned(new SegmentId(1, 4), 1, alice, 0, 100, version), store.segment(1, 4));
        assertEquals(2, store.state().segments().size());
        assertEquals(version, store.session(alice).assignmentVersion());
        assertEquals(0, store.session(bob).assignmentVersion());
    }

    @Test
    void newOwnerStartsAboveAllThatTheOldOneMayHaveIssued() {
        store.publish(new Move(1, 3, 3, alice));
        store.execute(
                new StoreCommand.Raise(alice, List.of(new StoreCommand.RaiseItem(new SegmentId(1, 3), 1, 7_777))));
        store.expire(alice);
        long version = store.publish(new Move(1, 3, 3, bob));
        assertEquals(assigned(new SegmentId(1, 3), 2, bob, 7_777, 7_877, version), store.segment(1, 3));
    }

    @Test
    void aSegmentIsNeverStolenFromALiveSession() {
        store.publish(new Move(1, 3, 3, alice));
        assertRefused("belongs to open session " + alice, new Move(1, 3, 3, bob));
        assertRefused("belongs to open session " + alice, new Move(1, 3, 3, alice));
        assertRefused("belongs to open session " + alice, new Move(1, 0, 9, bob));
    }

    @Test
    void aClosedOrExpiredOwnerLosesItsSegments() {
        store.publish(new Move(1, 3, 3, alice), new Move(1, 4, 4, bob));
        store.execute(new CloseSession(alice));
        store.expire(bob);
        long carol = store.open("carol");
        store.publish(new Move(1, 3, 4, carol));
        assertEquals(2, store.segment(1, 3).epoch());
        assertEquals(carol, store.segment(1, 4).owner());
    }

    @Test
    void allOrNothing() {
        store.publish(new Move(1, 3, 3, alice));
        assertRefused("belongs to open session", new Move(1, 10, 12, bob), new Move(1, 3, 3, bob));
        assertRefused("is not open", new Move(1, 10, 12, bob), new Move(1, 13, 13, 999));
        assertRefused("there are no segments", new Move(1, 10, 12, bob), new Move(3, 0, 0, bob));
    }

    @Test
    void theReceiverMustBeOpen() {
        store.expire(bob);
        assertRefused("session " + bob + " is not open", new Move(1, 3, 3, bob));
        assertRefused("session 0 is not open", new Move(1, 3, 3, 0));
    }

    @Test
    void theReceiverMustBeAnAllocatorThatIsNotExpelled() {
        store.execute(new StoreCommand.Expel(bob));
        assertRefused("session " + bob + " is expelled", new Move(1, 3, 3, bob));
        var opening = new StoreCommand.OpenSession(SessionKind.ROUTER, 7, "router-1", "r:1");
        long router = ((StoreReply.SessionOpened) store.execute(opening)).session();
        assertRefused("session " + router + " is not an allocator's", new Move(1, 3, 3, router));
    }

    @Test
    void segmentsOutsideTheNamespaceAreRefused() {
        assertRefused("there are no segments -1 to 0 in namespace 1", new Move(1, -1, 0, alice));
        assertRefused("there are no segments 4999 to 5000 in namespace 1", new Move(1, 4_999, 5_000, alice));
        assertRefused("there are no segments 3 to 3 in namespace 2", new Move(2, 3, 3, alice));
        assertRefused("in namespace 7", new Move(7, 0, 0, alice));
        assertRefused(
                "there are no segments 2147483647 to 2147483647",
                new Move(1, Integer.MAX_VALUE, Integer.MAX_VALUE, alice));
    }

    @Test
    void aPlanFromAnOlderTableIsRefused() {
        long version = store.publish(new Move(1, 3, 3, alice));
        for (long expected : new long[] {0, version - 1, version + 1, -1}) {
            var before = Rows.of(store.state());
            var refused = assertInstanceOf(RoutesRefused.class, publish(expected, new Move(1, 4, 4, bob)));
            assertEquals(version, refused.version());
            assertEquals(before, Rows.of(store.state()));
        }
        assertInstanceOf(RoutesPublished.class, publish(version, new Move(1, 4, 4, bob)));
    }

    @Test
    void theSameExpectedVersionAppliesOnce() {
        long version = store.tableVersion();
        assertInstanceOf(RoutesPublished.class, publish(version, new Move(1, 4, 4, bob)));
        assertInstanceOf(RoutesRefused.class, publish(version, new Move(1, 4, 4, bob)));
        assertInstanceOf(RoutesRefused.class, publish(version, new Move(1, 5, 5, bob)));
        assertEquals(1, store.segment(1, 4).epoch());
    }

    @Test
    void twoPlansInOneEntryDoNotMix() {
        long version = store.tableVersion();
        var replies = store.executeEntry(List.of(
                new PublishRoutes(version, List.of(new Move(1, 4, 4, alice))),
                new PublishRoutes(version, List.of(new Move(1, 5, 5, bob)))));
        assertInstanceOf(RoutesPublished.class, replies.get(0));
        assertInstanceOf(RoutesRefused.class, replies.get(1));
    }

    @Test
    void sessionsComeAndGoWithoutMovingTheTable() {
        long version = store.publish(new Move(1, 3, 3, alice));
        store.expire(alice);
        store.open("carol");
        assertEquals(version, store.tableVersion());
        assertInstanceOf(RoutesPublished.class, publish(version, new Move(1, 3, 3, bob)));
    }

    @Test
    void maxSeqIsRaisedByAStepAndCappedAtMaxSequence() {
        var id = new SegmentId(2, 0);
        long owner = alice;
        for (int epoch = 1; epoch <= 5; epoch++) {
            store.publish(new Move(2, 0, 0, owner));
            long base = Math.min(250, (epoch - 1) * 100L);
            var expected = assigned(id, epoch, owner, base, Math.min(250, base + 100), store.tableVersion());
            assertEquals(expected, store.segment(2, 0));
            store.expire(owner);
            owner = store.open("alice");
        }
    }

    @Test
    void twoThousandSegmentsMoveAndNotOneMore() {
        assertRejected(new Move(1, 0, 2_000, alice));
        assertRejected(new Move(1, 0, 1_000, alice), new Move(1, 1_001, 2_000, bob));
        assertRejected(new Move(1, 0, Integer.MAX_VALUE, alice));
        assertRejected(new Move(1, Integer.MIN_VALUE, Integer.MAX_VALUE, alice));
        assertInstanceOf(RoutesPublished.class, publish(0, new Move(1, 0, 1_999, alice)));
        assertEquals(2_000, store.state().segments().size());
    }

    @Test
    void nothingToMoveIsRejected() {
        assertRejected();
        assertRejected(new Move(1, 5, 4, alice));
        assertRejected(new Move(1, 0, 0, alice), new Move(1, 5, 4, alice));
    }

    @Test
    void aSegmentThatMovesTwiceIsRejected() {
        assertRejected(new Move(1, 0, 5, alice), new Move(1, 5, 9, bob));
        assertRejected(new Move(1, 0, 0, alice), new Move(1, 0, 0, alice));
    }

    @Test
    void manyMovesToOneSessionAreOneAssignment() {
        var moves = new ArrayList<Move>();
        for (int index = 0; index < 100; index += 2) {
            moves.add(new Move(1, index, index, alice));
        }
        long version = store.publish(moves.toArray(Move[]::new));
        assertEquals(version, store.session(alice).assignmentVersion());
        assertEquals(50, store.view().routes().ranges().size());
    }

    @Test
    void theTableShowsOwnersAndEpochsInRanges() {
        store.publish(new Move(1, 0, 9, alice), new Move(2, 0, 2, bob));
        store.expire(alice);
        long version = store.publish(new Move(1, 3, 5, bob));
        var table = store.view().routes();
        assertEquals(version, table.version());
        assertEquals(4, table.ranges().size());
        assertEquals(alice, table.find(1, 2).orElseThrow().owner());
        assertEquals(2, table.find(1, 3).orElseThrow().epoch());
        assertEquals(bob, table.find(2, 2).orElseThrow().owner());
    }

    @Test
    void aTableStaysAsItIsUntilASegmentMoves() {
        store.publish(new Move(1, 0, 9, alice));
        var before = store.view();
        store.open("dave");
        assertSame(before.routes(), store.view().routes());
        assertSame(before.released(), store.view().released());
        store.expire(alice);
        store.publish(new Move(1, 3, 5, bob));
        assertEquals(bob, store.view().routes().find(1, 4).orElseThrow().owner());
        assertEquals(alice, before.routes().find(1, 4).orElseThrow().owner(), "a view keeps what it showed");
    }
}
