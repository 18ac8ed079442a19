package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.Expel;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.Holding;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import io.seqsvr.core.store.StoreReply.ReceiverRefused;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreReply.Released;
import io.seqsvr.core.store.StoreReply.ReleasedItem;
import io.seqsvr.core.store.StoreReply.RoutesPublished;
import io.seqsvr.core.store.StoreReply.SessionGone;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How an owner gives segments back in StoreSvr, to nobody or to another allocator. */
class ReleaseRulesTest {
    private static final SegmentId FIRST = new SegmentId(1, 0);

    private final FakeStore store = new FakeStore(
            new LeaseTerms(2_000_000_000L, 50),
            new Namespace(1, "messages", 5_000, 1, 100, 10, Long.MAX_VALUE),
            new Namespace(2, "moments", 30, 10, 100, 10, 250));
    private final long alice = store.open("alice");
    private final long bob = store.open("bob");

    @BeforeEach
    void assign() {
        store.publish(new Move(1, 0, 3, alice), new Move(2, 0, 0, alice));
    }

    private StoreReply release(long session, Sealed... items) {
        return store.execute(new Release(session, List.of(items)));
    }

    private StoreReply handOver(long session, long to, Sealed... items) {
        return store.execute(new HandOver(session, List.of(items), to));
    }

    private static Sealed sealed(int index, long epoch, long high) {
        return new Sealed(new SegmentId(1, index), epoch, high);
    }

    private static void assertAccepted(boolean accepted, StoreReply reply) {
        var items = assertInstanceOf(Released.class, reply).items();
        assertEquals(
                List.of(accepted), items.stream().map(ReleasedItem::accepted).toList());
    }

    /** The command is answered so, and changes nothing. */
    private void assertWithoutEffect(boolean accepted, StoreCommand command) {
        var before = Rows.of(store.state());
        assertAccepted(accepted, store.execute(command));
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void theNextEpochStartsWhereTheOwnerSaysThatItsOwnEnded() {
        assertAccepted(true, release(alice, sealed(0, 1, 42)));
        assertEquals(1, store.segment(1, 0).epoch());
        assertTrue(store.segment(1, 0).isReleased());
        long version = store.publish(new Move(1, 0, 0, bob));
        assertEquals(new SegmentRecord(FIRST, 2, bob, 42, alice, 142, version, ReleaseMark.NONE), store.segment(1, 0));
        var claimed = (StoreReply.Claimed) store.execute(new Claim(bob, 0));
        assertEquals(List.of(new ClaimedSegment(FIRST, 2, 42, true, 142, false)), claimed.segments());
    }

    @Test
    void aHandOverIsReleaseAndMoveInOne() {
        assertAccepted(true, handOver(alice, bob, sealed(0, 1, 42)));
        assertEquals(
                new SegmentRecord(FIRST, 2, bob, 42, alice, 142, store.lastStamp(), ReleaseMark.NONE),
                store.segment(1, 0));
        assertEquals(store.lastStamp(), store.session(bob).assignmentVersion());
        assertEquals(alice, store.segment(1, 1).owner());
    }

    @Test
    void whoseCountersAreGoneLeavesMaxSeqToStartFrom() {
        assertAccepted(true, release(alice, sealed(0, 1, Sealed.NO_HIGH)));
        assertAccepted(true, handOver(alice, bob, sealed(1, 1, Sealed.NO_HIGH)));
        store.publish(new Move(1, 0, 0, bob));
        for (int index = 0; index < 2; index++) {
            assertEquals(100, store.segment(1, index).base());
            assertEquals(false, store.segment(1, index).startsFromHigh());
        }
    }

    @Test
    void numbersAboveMaxSeqThatAReleaseCoversAreNeverHandedOutAgain() {
        assertAccepted(true, release(alice, sealed(0, 1, 157)));
        assertEquals(157, store.segment(1, 0).maxSeq(), "it counts as the raise");
        store.execute(new RaiseFloor(FIRST, 50));
        store.publish(new Move(1, 0, 0, bob));
        assertEquals(157, store.segment(1, 0).base());
    }

    @Test
    void maxSeqStaysWhereItIsAboveTheHigh() {
        store.execute(new Raise(alice, List.of(new RaiseItem(FIRST, 1, 900))));
        release(alice, sealed(0, 1, 42));
        assertEquals(900, store.segment(1, 0).maxSeq());
        handOver(alice, bob, sealed(1, 1, 42));
        store.publish(new Move(1, 0, 0, bob));
        assertEquals(900, store.segment(1, 0).maxSeq());
        assertEquals(42, store.segment(1, 0).base());
    }

    @Test
    void aSessionThatIsClosedExpiredOrExpelledReleasesNothing() {
        long carol = store.open("carol");
        long dave = store.open("dave");
        store.publish(new Move(1, 10, 10, carol), new Move(1, 11, 11, dave));
        store.execute(new CloseSession(alice));
        store.expire(carol);
        store.execute(new Expel(dave));
        var before = Rows.of(store.state());
        assertEquals(new SessionGone(alice), release(alice, sealed(0, 1, 42)));
        assertEquals(new SessionGone(carol), handOver(carol, bob, sealed(10, 1, 42)));
        assertEquals(new SessionGone(dave), release(dave, sealed(11, 1, 42)));
        assertEquals(new SessionGone(dave), handOver(dave, bob, sealed(11, 1, 42)));
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void anotherSessionOrAnotherEpochReleasesNothing() {
        assertWithoutEffect(false, new Release(bob, List.of(sealed(0, 1, 42))));
        assertWithoutEffect(false, new HandOver(bob, List.of(sealed(0, 1, 42)), bob));
        assertWithoutEffect(false, new Release(alice, List.of(sealed(0, 2, 42))));
        assertWithoutEffect(false, new Release(alice, List.of(sealed(0, 0, 42))));
        assertWithoutEffect(false, new Release(alice, List.of(sealed(4_000, 1, 42))));
    }

    @Test
    void aReleaseThatComesLateDoesNotEndTheEpochThatFollowed() {
        handOver(alice, bob, sealed(0, 1, 42));
        handOver(bob, alice, sealed(0, 2, 60));
        assertWithoutEffect(false, new Release(alice, List.of(sealed(0, 1, 42))));
        assertWithoutEffect(false, new HandOver(alice, List.of(sealed(0, 1, 70)), bob));
        assertEquals(3, store.segment(1, 0).epoch());
    }

    @Test
    void aSecondReleaseDoesNotMoveTheStart() {
        release(alice, sealed(0, 1, 42));
        assertWithoutEffect(false, new Release(alice, List.of(sealed(0, 1, 30))));
        assertWithoutEffect(false, new Release(alice, List.of(sealed(0, 1, 50))));
        assertWithoutEffect(false, new Release(alice, List.of(sealed(0, 1, Sealed.NO_HIGH))));
        assertWithoutEffect(false, new HandOver(alice, List.of(sealed(0, 1, 30)), bob));
        store.publish(new Move(1, 0, 0, bob));
        assertEquals(42, store.segment(1, 0).base());
    }

    @Test
    void aRepeatIsAnsweredLikeTheFirst() {
        release(alice, sealed(0, 1, 42));
        assertWithoutEffect(true, new Release(alice, List.of(sealed(0, 1, 42))));
        assertWithoutEffect(true, new HandOver(alice, List.of(sealed(0, 1, 42)), bob));
        store.publish(new Move(1, 0, 0, bob));
        assertWithoutEffect(true, new Release(alice, List.of(sealed(0, 1, 42))));

        handOver(alice, bob, sealed(1, 1, 42));
        assertWithoutEffect(true, new HandOver(alice, List.of(sealed(1, 1, 42)), bob));
        assertWithoutEffect(false, new HandOver(alice, List.of(sealed(1, 1, 43)), bob));
        store.execute(new Raise(bob, List.of(new RaiseItem(new SegmentId(1, 1), 2, 900))));
        assertWithoutEffect(true, new HandOver(alice, List.of(sealed(1, 1, 42)), bob));
    }

    @Test
    void aFloorTakesTheHighAway() {
        release(alice, sealed(0, 1, 42));
        assertInstanceOf(StoreReply.FloorRaised.class, store.execute(new RaiseFloor(FIRST, 60)));
        assertEquals(ReleaseMark.WITHOUT_HIGH, store.segment(1, 0).release());
        assertWithoutEffect(false, new Release(alice, List.of(sealed(0, 1, 42))));
        store.publish(new Move(1, 0, 0, bob));
        assertEquals(100, store.segment(1, 0).base());
        assertEquals(false, store.segment(1, 0).startsFromHigh());
    }

    @Test
    void aHighThatCannotBeIsRefused() {
        store.expire(alice);
        store.publish(new Move(1, 0, 0, bob), new Move(2, 0, 0, bob));
        assertWithoutEffect(false, new Release(bob, List.of(sealed(0, 2, 99))));
        assertWithoutEffect(false, new Release(bob, List.of(sealed(0, 2, -2))));
        assertWithoutEffect(false, new Release(bob, List.of(new Sealed(new SegmentId(2, 0), 2, 251))));
        assertAccepted(true, release(bob, new Sealed(new SegmentId(2, 0), 2, 250)));
        store.publish(new Move(2, 0, 0, bob));
        assertEquals(250, store.segment(2, 0).base());
        assertEquals(250, store.segment(2, 0).maxSeq());
    }

    @Test
    void theReceiverMustBeAnOpenAllocatorThatIsNotExpelled() {
        long closed = store.open("closed");
        store.execute(new CloseSession(closed));
        long expelled = store.open("expelled");
        store.execute(new Expel(expelled));
        var router = store.execute(new StoreCommand.OpenSession(SessionKind.ROUTER, 77, "router", "r:1"));
        for (long to : List.of(0L, closed, expelled, ((StoreReply.SessionOpened) router).session())) {
            var before = Rows.of(store.state());
            assertInstanceOf(ReceiverRefused.class, handOver(alice, to, sealed(0, 1, 42)));
            assertEquals(before, Rows.of(store.state()));
        }
    }

    @Test
    void aRepeatedHandOverIsAnsweredLikeTheFirstThoughTheReceiverHasGone() {
        var first = handOver(alice, bob, sealed(0, 1, 42));
        store.execute(new CloseSession(bob));
        assertEquals(first, handOver(alice, bob, sealed(0, 1, 42)));
        assertInstanceOf(ReceiverRefused.class, handOver(alice, bob, sealed(0, 1, 42), sealed(1, 1, 42)));
    }

    @Test
    void oneItemThatIsRefusedDoesNotHinderTheOthers() {
        var reply = handOver(alice, bob, sealed(0, 1, 42), sealed(1, 7, 42), sealed(2, 1, 43));
        assertEquals(
                new Released(List.of(
                        new ReleasedItem(FIRST, 1, true),
                        new ReleasedItem(new SegmentId(1, 1), 7, false),
                        new ReleasedItem(new SegmentId(1, 2), 1, true))),
                reply);
        assertEquals(alice, store.segment(1, 1).owner());
        assertEquals(bob, store.segment(1, 2).owner());
    }

    @Test
    void aHandOverMovesTheTableButNotThePlansVersion() {
        long planned = store.publishVersion();
        handOver(alice, bob, sealed(0, 1, 42));
        assertEquals(planned, store.publishVersion());
        assertEquals(store.lastStamp(), store.tableVersion());
        assertEquals(store.lastStamp(), store.view().version());
        release(alice, sealed(1, 1, 42));
        assertEquals(store.lastStamp(), store.view().version(), "a watch tells of it");
        var plan = new PublishRoutes(planned, List.of(new Move(1, 1, 1, bob)));
        assertInstanceOf(RoutesPublished.class, store.execute(plan), "plans go on being made from the last plan");
    }

    @Test
    void whatIsReleasedIsSeenAndMayBeGivenToAnybodyEvenBack() {
        release(alice, sealed(0, 1, 42), sealed(1, 1, 43));
        var released = store.view().released();
        assertEquals(2, released.find(1, 0).orElseThrow().size());
        assertEquals(alice, store.view().routes().find(1, 0).orElseThrow().owner());
        store.publish(new Move(1, 0, 0, alice), new Move(1, 1, 1, bob));
        assertEquals(2, store.segment(1, 0).epoch());
        assertEquals(42, store.segment(1, 0).base());
        assertTrue(store.view().released().find(1, 0).isEmpty());
    }

    @Test
    void theFormerOwnerRaisesClaimsAndConfirmsNothingMore() {
        release(alice, sealed(0, 1, 42));
        var raised = (StoreReply.Raised) store.execute(new Raise(alice, List.of(new RaiseItem(FIRST, 1, 900))));
        assertEquals(false, raised.items().get(0).accepted());
        assertEquals(100, store.segment(1, 0).maxSeq());
        var claimed = (StoreReply.Claimed) store.execute(new Claim(alice, 0));
        assertTrue(claimed.segments().stream().noneMatch(item -> item.segment().equals(FIRST)));
        var renewed = (StoreReply.Renewed) store.execute(new Renew(alice, List.of(new Holding(FIRST, 1))));
        assertEquals(List.of(false), renewed.confirmed());
    }

    @Test
    void twoThousandSegmentsAtATimeEachOnce() {
        store.publish(new Move(1, 10, 2_009, alice));
        var items = new ArrayList<>(IntStream.range(10, 2_010)
                .mapToObj(index -> sealed(index, 1, 5))
                .toList());
        items.add(sealed(2_010, 1, 5));
        assertRejected(items);
        assertRejected(List.of());
        assertRejected(List.of(sealed(0, 1, 5), sealed(1, 1, 5), sealed(0, 1, 5)));
        items.remove(2_000);
        var released = (Released) store.execute(new HandOver(alice, items, bob));
        assertTrue(released.items().stream().allMatch(ReleasedItem::accepted));
    }

    private void assertRejected(List<Sealed> items) {
        var before = Rows.of(store.state());
        assertInstanceOf(Rejected.class, store.execute(new Release(alice, items)));
        assertInstanceOf(Rejected.class, store.execute(new HandOver(alice, items, bob)));
        assertEquals(before, Rows.of(store.state()));
    }
}
