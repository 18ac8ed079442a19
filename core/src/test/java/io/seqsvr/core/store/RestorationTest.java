package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import io.seqsvr.core.store.StoreCommand.AlterCluster;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.CreateNamespace;
import io.seqsvr.core.store.StoreCommand.Expel;
import io.seqsvr.core.store.StoreCommand.ExpireSession;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreCommand.Release;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreCommand.Sealed;
import io.seqsvr.core.store.StoreCommand.StoreTables;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cluster that begins a new life from a backup of the former one. */
class RestorationTest {
    private static final LeaseTerms LEASE = new LeaseTerms(2_000_000_000L, 50);
    private static final Namespace MESSAGES = new Namespace(1, "messages", 100, 10, 100, 20, 20_000);
    private static final long FORMER = Stamp.of(1, 0, 0);

    private final FakeStore store = new FakeStore(LEASE, MESSAGES);
    private final long alice = store.open("alice");

    private static SegmentId id(int segment) {
        return new SegmentId(1, segment);
    }

    private void raise(long session, int segment, long epoch, long maxSeq) {
        store.execute(new Raise(session, List.of(new RaiseItem(id(segment), epoch, maxSeq))));
    }

    /** The timer of the new life's first leader ran out. */
    private void formerLeasesEnd(int incarnation) {
        assertInstanceOf(StoreReply.SessionEnded.class, store.expire(Stamp.of(incarnation, 0, 0)));
    }

    private StoreReply publish(Move move) {
        return store.execute(new PublishRoutes(store.publishVersion(), List.of(move)));
    }

    @Test
    void whatWasHandedOutAfterTheBackupIsNotHandedOutAgain() {
        store.publish(new Move(1, 0, 0, alice));
        var backup = store.state().copy();
        raise(alice, 0, 1, 450);
        store.restore(backup, 1, 350);
        formerLeasesEnd(1);
        long bob = store.open("bob");
        store.publish(new Move(1, 0, 0, bob));
        assertEquals(450, store.segment(1, 0).base());
        assertEquals(550, store.segment(1, 0).maxSeq());
    }

    @Test
    void aSegmentThatWasAssignedAfterTheBackupForTheFirstTimeStartsAboveItsNumbersToo() {
        var backup = store.state().copy();
        store.publish(new Move(1, 0, 0, alice));
        raise(alice, 0, 1, 450);
        store.restore(backup, 1, 450);
        formerLeasesEnd(1);
        store.publish(new Move(1, 0, 0, store.open("bob")));
        assertEquals(450, store.segment(1, 0).base());
        assertEquals(new StoreReply.FloorRaised(450), store.execute(new RaiseFloor(id(1), 7)));
    }

    @Test
    void aNamespaceThatWasMadeAfterTheBackupAndIsMadeAgainRepeatsNothingAndHasAnotherId() {
        var backup = store.state().copy();
        var moments = Namespace.ofDefaults(9, "moments").settings();
        store.execute(new CreateNamespace(moments));
        store.publish(new Move(2, 0, 0, alice));
        store.restore(backup, 1, 10_000);
        formerLeasesEnd(1);
        var again = assertInstanceOf(StoreReply.NamespaceCreated.class, store.execute(new CreateNamespace(moments)));
        assertEquals(moments.withId((1 << 21) + 1), again.namespace());
        long bob = store.open("bob");
        store.publish(new Move(again.namespace().id(), 0, 0, bob));
        assertEquals(10_000, store.segment(again.namespace().id(), 0).base());
        var small = new Namespace(1, "small", 10, 10, 100, 10, 10_000).settings();
        var refused = assertInstanceOf(StoreReply.NamespaceRefused.class, store.execute(new CreateNamespace(small)));
        assertTrue(refused.reason().contains("starts above 10000"), refused.reason());
    }

    @Test
    void floorsOfSeveralRestoresAddUpAndNoneGoesBeyondTheGreatestSequence() {
        store.publish(new Move(1, 0, 0, alice));
        store.restore(store.state().copy(), 1, 9_000);
        store.restore(store.state().copy(), 2, 9_000);
        assertEquals(18_100, store.state().maxSeq(id(0)));
        assertEquals(18_000, store.state().maxSeq(id(1)));
        store.restore(store.state().copy(), 3, Long.MAX_VALUE);
        assertEquals(20_000, store.state().maxSeq(id(0)));
        assertEquals(20_000, store.state().maxSeq(id(1)));
        formerLeasesEnd(3);
        store.publish(new Move(1, 0, 1, store.open("bob")));
        assertEquals(20_000, store.segment(1, 1).base(), "used up for everybody");
        assertEquals(20_000, store.segment(1, 1).maxSeq());
    }

    @Test
    void nothingIsAssignedBeforeTheLeasesOfTheFormerLifeAreOver() {
        store.publish(new Move(1, 0, 0, alice));
        store.restore(store.state().copy(), 1, 100);
        long bob = store.open("bob");
        for (int segment = 0; segment < 2; segment++) {
            var refused = assertInstanceOf(StoreReply.RoutesRefused.class, publish(new Move(1, segment, segment, bob)));
            assertTrue(refused.reason().contains("leases from before"), refused.reason());
            assertEquals(FORMER, refused.version());
            assertEquals(new StoreReply.FloorRefused(FORMER), store.execute(new RaiseFloor(id(segment), 5_000)));
        }
        formerLeasesEnd(1);
        assertInstanceOf(StoreReply.RoutesPublished.class, publish(new Move(1, 0, 1, bob)));
    }

    @Test
    void theSessionThatStandsForTheFormerLifeIsNobodysAndEndsByItsTimerAlone() {
        store.restore(store.state().copy(), 1, 100);
        var former = store.session(FORMER);
        assertTrue(former.expelled());
        for (var command : List.of(
                new Renew(FORMER),
                new Claim(FORMER, 0),
                new CloseSession(FORMER),
                new Release(FORMER, List.of(new Sealed(id(0), 1, 5))))) {
            assertEquals(new StoreReply.SessionGone(FORMER), store.execute(command), command.toString());
        }
        store.execute(new Expel(FORMER));
        assertInstanceOf(StoreReply.ExpiryVoid.class, store.execute(new ExpireSession(FORMER, FORMER + 1)));
        assertEquals(former, store.session(FORMER));
        assertEquals(List.of(), store.view().receivers());
    }

    @Test
    void theFirstLeaderWaitsForTheLongestLeaseThatThereMayBe() {
        var longer = new LeaseTerms(5_000_000_000L, 50);
        store.execute(new AlterCluster(ClusterChange.to(longer)));
        store.open("bob");
        store.execute(new AlterCluster(ClusterChange.to(new LeaseTerms(1_000_000_000L, 80))));
        var rows = new Restoration().rows(store.state(), 1, 1, new LeaseTerms(3_000_000_000L, 100));
        var restored = new StoreState();
        rows.forEach(restored::apply);
        var terms = new LeaseTerms(5_000_000_000L, 100);
        assertEquals(terms, restored.session(FORMER).orElseThrow().terms());
        assertEquals(1, restored.sessions().size(), "all others are gone");

        var clock = new TestClock();
        var leader = new StoreLeader();
        leader.lead(restored, clock.now());
        clock.passNanos(terms.granterNanos() - 1);
        assertEquals(List.of(), leader.tick(clock.now()));
        clock.passNanos(1);
        assertEquals(List.of(new ExpireSession(FORMER, FORMER)), leader.tick(clock.now()));
    }

    @Test
    void everythingNewIsGreaterThanEverythingOfTheFormerLife() {
        store.publish(new Move(1, 0, 0, alice));
        for (int i = 0; i < 50; i++) {
            store.expire(store.open("bob" + i));
        }
        var before = store.view();
        var epoch = store.segment(1, 0).epoch();
        store.restore(store.state().copy(), 1, 100);
        assertEquals(0, before.incarnation());
        assertEquals(1, store.view().incarnation());
        assertTrue(store.view().version() > before.version());
        assertTrue(store.publishVersion() > before.publishVersion());
        assertTrue(store.view().routes().version() > before.routes().version());
        assertEquals(List.of(), store.view().routes().ranges());
        formerLeasesEnd(1);
        long bob = store.open("bob");
        assertTrue(bob > FORMER);
        store.publish(new Move(1, 0, 1, bob));
        assertEquals((1L << 43) + 1, store.segment(1, 0).epoch());
        assertEquals((1L << 43) + 1, store.segment(1, 1).epoch(), "also where the backup knew nothing");
        assertTrue(store.segment(1, 0).epoch() > epoch);
    }

    @Test
    void noCommandOfTheFormerLifeTouchesTheNewOne() {
        store.publish(new Move(1, 0, 0, alice));
        long version = store.publishVersion();
        store.restore(store.state().copy(), 1, 100);
        formerLeasesEnd(1);
        long bob = store.open("bob");
        store.publish(new Move(1, 0, 0, bob));
        var before = Rows.of(store.state());
        for (var command : List.of(
                new Renew(alice),
                new Claim(alice, 0),
                new CloseSession(alice),
                new Expel(alice),
                new ExpireSession(alice, alice),
                new Release(alice, List.of(new Sealed(id(0), 1, 50))),
                new Raise(alice, List.of(new RaiseItem(id(0), 1, 5_000))))) {
            assertEquals(new StoreReply.SessionGone(alice), store.execute(command), command.toString());
        }
        var old = new PublishRoutes(version, List.of(new Move(1, 1, 1, bob)));
        assertInstanceOf(StoreReply.RoutesRefused.class, store.execute(old));
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void aHighOfTheFormerLifeIsForgotten() {
        store.publish(new Move(1, 0, 0, alice));
        store.execute(new Release(alice, List.of(new Sealed(id(0), 1, 42))));
        store.restore(store.state().copy(), 1, 100);
        assertEquals(ReleaseMark.NONE, store.segment(1, 0).release());
        formerLeasesEnd(1);
        store.publish(new Move(1, 0, 0, store.open("bob")));
        assertEquals(200, store.segment(1, 0).base());
        assertEquals(0, store.segment(1, 0).handedBy());
    }

    @Test
    void aStoredTableOfTheFormerLifeIsForgotten() {
        store.publish(new Move(1, 0, 0, alice));
        var counters = new SegmentCounters(1, 0, 100, 10, Long.MAX_VALUE);
        counters.take(0, 42);
        store.execute(new StoreTables(alice, List.of(new StoredTable(id(0), counters.table()))));
        assertTrue(store.state().table(id(0)).isPresent());
        store.restore(store.state().copy(), 1, 100);
        assertTrue(store.state().table(id(0)).isEmpty());
    }

    @Test
    void settingsAndIdentityAreThoseOfTheBackup() {
        var backup = store.state().copy();
        store.execute(new AlterCluster(ClusterChange.to(new LeaseTerms(9_000_000_000L, 100))));
        store.restore(backup, 7, 100);
        var cluster = store.state().cluster().orElseThrow();
        assertEquals("test-cluster", cluster.id());
        assertEquals(LEASE, cluster.lease());
        assertEquals(7, cluster.incarnation());
        assertEquals(List.of(MESSAGES), store.view().namespaces());
    }

    private static void assertRefused(String words, StoreState backup, int incarnation, long advance) {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> new Restoration().rows(backup, incarnation, advance, LEASE));
        assertTrue(String.valueOf(refused.getMessage()).contains(words), refused::getMessage);
    }

    @Test
    void aRestoreIntoTheSameLifeOrWithoutAnAdvanceIsRefused() {
        assertRefused("never created", new StoreState(), 1, 1);
        assertRefused("advance is 0", store.state(), 1, 0);
        assertRefused("incarnation is 0", store.state(), 0, 1);
        assertRefused("incarnation is 1024", store.state(), 1_024, 1);
        store.restore(store.state().copy(), 3, 1);
        assertRefused("incarnation is 3; it must be above 3", store.state(), 3, 1);
    }

    @Test
    void whatIsOfferedIsTwiceWhatTheBusiestSegmentUsesUpInThatTime() {
        assertEquals(2 * (500 * 3_600 + 100), Restoration.offer(500, Duration.ofHours(1), 1));
        assertEquals(2 * (500 + 100), Restoration.offer(500, Duration.ofMillis(1), 1), "a second begun counts");
        assertEquals(2 * (9 * 1_440 + 1), Restoration.offer(0, Duration.ofDays(9), 1));
        assertEquals(2 * 100 * 7, Restoration.offer(500, Duration.ZERO, 7));
        long most = Long.MAX_VALUE / 4;
        assertEquals(4 * most, Restoration.offer(Long.MAX_VALUE, Duration.ofDays(9), Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> Restoration.offer(-1, Duration.ZERO, 1));
        assertThrows(IllegalArgumentException.class, () -> Restoration.offer(1, Duration.ofNanos(-1), 1));
        assertThrows(IllegalArgumentException.class, () -> Restoration.offer(1, Duration.ZERO, 0));
    }

    /** Each owner that takes over from a dead one starts at the end of what that one might have given. */
    @Test
    void whatIsOfferedCoversOwnersThatDieInAClusterThatNobodyUses() {
        var backup = store.state().copy();
        for (int crash = 0; crash < 50; crash++) {
            long owner = store.open("owner-" + crash);
            store.publish(new Move(1, 0, 0, owner));
            store.expire(owner);
        }
        long given = store.segment(1, 0).maxSeq();
        assertEquals(50 * MESSAGES.step(), given);
        store.restore(backup, 1, Restoration.offer(0, Duration.ofMinutes(5), MESSAGES.step()));
        formerLeasesEnd(1);
        store.publish(new Move(1, 0, 0, store.open("bob")));
        assertTrue(store.segment(1, 0).base() >= given, () -> "starts at " + store.segment(1, 0));
    }

    private static final int CRASHES = 20;

    /** Restores, has one owner after the other die, and tells what was given out in that life. */
    private long live(StoreState backup, int incarnation, long advance) {
        store.restore(backup, incarnation, advance);
        formerLeasesEnd(incarnation);
        for (int crash = 0; crash < CRASHES; crash++) {
            long owner = store.open("owner-" + incarnation + "-" + crash);
            store.publish(new Move(1, 0, 0, owner));
            store.expire(owner);
        }
        return store.segment(1, 0).maxSeq();
    }

    /** A life that began with a backup is lost before there is another one, and that is all there is again. */
    @Test
    void whatIsOfferedForABackupThatWasRestoredBeforeBeginsAboveTheLifeThatBeganWithIt() {
        store.publish(new Move(1, 0, 0, alice));
        var backup = store.state().copy();
        long once = CRASHES * MESSAGES.step();
        long first = Restoration.offerAgain(once, 0, 0);
        assertEquals(once, first, "never restored");
        long given = live(backup, 1, first);

        long noted = Restoration.offerAgain(once, first, 0);
        store.restore(backup, 2, noted);
        assertTrue(store.state().maxSeq(id(0)) >= given, () -> given + " was given, and " + store.segment(1, 0));

        long givenByTheSecond = live(backup, 2, noted);
        long third = Restoration.offerAgain(once, noted, 0);
        store.restore(backup, 3, third);
        assertTrue(store.state().maxSeq(id(0)) >= givenByTheSecond, () -> "" + store.segment(1, 0));

        long unknown = Restoration.offerAgain(once, 0, 2);
        assertEquals(3 * once, unknown);
        live(backup, 1, once);
        long givenByUnknown = live(backup, 2, Restoration.offerAgain(once, 0, 1));
        store.restore(backup, 3, unknown);
        assertTrue(store.state().maxSeq(id(0)) >= givenByUnknown, () -> "" + store.segment(1, 0));
    }

    @Test
    void anOfferForABackupThatWasRestoredBeforeDoesNotWrapAround() {
        assertEquals(Long.MAX_VALUE, Restoration.offerAgain(Long.MAX_VALUE / 2, 0, 5));
        assertEquals(Long.MAX_VALUE, Restoration.offerAgain(10, Long.MAX_VALUE - 5, 0));
        assertThrows(IllegalArgumentException.class, () -> Restoration.offerAgain(-1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> Restoration.offerAgain(0, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> Restoration.offerAgain(0, 0, -1));
    }
}
