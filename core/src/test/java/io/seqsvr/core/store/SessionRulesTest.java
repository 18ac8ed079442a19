package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.ExpireSession;
import io.seqsvr.core.store.StoreCommand.Holding;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply.ExpiryVoid;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreReply.Renewed;
import io.seqsvr.core.store.StoreReply.SessionEnded;
import io.seqsvr.core.store.StoreReply.SessionGone;
import io.seqsvr.core.store.StoreReply.SessionHeld;
import io.seqsvr.core.store.StoreReply.SessionOpened;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How sessions open, live and end in StoreSvr. */
class SessionRulesTest {
    private static final LeaseTerms LEASE = new LeaseTerms(2_000_000_000L, 50);

    private final FakeStore store =
            new FakeStore(LEASE, new Namespace(1, "messages", 1_000, 10, 100, 10, Long.MAX_VALUE));

    private SessionOpened open(long nonce, String name, String address) {
        return assertInstanceOf(
                SessionOpened.class, store.execute(new OpenSession(SessionKind.ALLOCATOR, nonce, name, address)));
    }

    @Test
    void sessionIsTheStampOfItsOpeningAndKeepsTheClustersTerms() {
        var opened = open(1, "alloc-1", "a:1");
        assertEquals(store.lastStamp(), opened.session());
        assertEquals(LEASE, opened.lease());
        assertEquals(
                new Session(
                        opened.session(),
                        SessionKind.ALLOCATOR,
                        1,
                        "alloc-1",
                        "a:1",
                        LEASE,
                        opened.session(),
                        0,
                        false,
                        false),
                store.session(opened.session()));
    }

    @Test
    void twoSessionsOfOneEntryHaveDifferentIds() {
        var replies = store.executeEntry(List.of(
                new OpenSession(SessionKind.ALLOCATOR, 1, "alloc-1", "a:1"),
                new OpenSession(SessionKind.ALLOCATOR, 2, "alloc-2", "b:1")));
        var first = assertInstanceOf(SessionOpened.class, replies.get(0)).session();
        var second = assertInstanceOf(SessionOpened.class, replies.get(1)).session();
        assertNotEquals(first, second);
        assertEquals("alloc-1", store.session(first).name());
        assertEquals("alloc-2", store.session(second).name());
    }

    @Test
    void twoNewcomersOfOneEntryCannotShareAName() {
        var replies = store.executeEntry(List.of(
                new OpenSession(SessionKind.ALLOCATOR, 1, "alloc-1", "a:1"),
                new OpenSession(SessionKind.ALLOCATOR, 2, "alloc-1", "b:1")));
        var first = assertInstanceOf(SessionOpened.class, replies.get(0)).session();
        assertEquals(new SessionHeld(first, "alloc-1", "a:1", 0), replies.get(1));
        assertEquals(1, store.state().sessions().size());
    }

    @Test
    void aNameThatALiveSessionBearsIsRefused() {
        long session = open(1, "alloc-1", "a:1").session();
        assertEquals(
                new SessionHeld(session, "alloc-1", "a:1", 0),
                store.execute(new OpenSession(SessionKind.ALLOCATOR, 2, "alloc-1", "b:1")));
        assertEquals(1, store.state().sessions().size());
    }

    @Test
    void anAddressThatALiveSessionBearsIsRefused() {
        long session = open(1, "alloc-1", "a:1").session();
        assertEquals(
                new SessionHeld(session, "alloc-1", "a:1", 0),
                store.execute(new OpenSession(SessionKind.ALLOCATOR, 2, "alloc-2", "a:1")));
    }

    @Test
    void theSameNonceUnderAnotherNameIsAnotherSession() {
        long first = open(1, "alloc-1", "a:1").session();
        assertNotEquals(first, open(1, "alloc-2", "b:1").session());
    }

    @Test
    void theLeaderAddsTheTimeToWait() {
        long session = open(1, "alloc-1", "a:1").session();
        var held = assertInstanceOf(
                SessionHeld.class, store.execute(new OpenSession(SessionKind.ALLOCATOR, 2, "alloc-1", "b:1")));
        assertEquals(new SessionHeld(session, "alloc-1", "a:1", 42), held.withRemaining(42));
    }

    @Test
    void repeatedWithItsNonceAnOpeningAnswersWithTheSameSessionAndMovesNothing() {
        var opened = open(1, "alloc-1", "a:1");
        var before = Rows.of(store.state());
        assertEquals(opened, store.execute(new OpenSession(SessionKind.ALLOCATOR, 1, "alloc-1", "a:1")));
        assertEquals(before, Rows.of(store.state()));
        assertEquals(opened.session(), store.session(opened.session()).renewal());
    }

    @Test
    void repeatedAfterTheEndAnOpeningIsAnotherSession() {
        long first = open(1, "alloc-1", "a:1").session();
        store.expire(first);
        assertNotEquals(first, open(1, "alloc-1", "a:1").session());
    }

    @Test
    void aNameThatWouldSwellEveryViewIsRejected() {
        var longest = "n".repeat(StoreCommand.MAX_NAME);
        assertInstanceOf(
                Rejected.class, store.execute(new OpenSession(SessionKind.ALLOCATOR, 1, longest + "n", "a:1")));
        assertInstanceOf(
                Rejected.class, store.execute(new OpenSession(SessionKind.ALLOCATOR, 1, "alloc-1", longest + "n")));
        open(1, longest, "a:1");
    }

    /** Each view shows them all, and each opening looks at all of them. */
    @Test
    void aClusterHasTenThousandOpenSessionsAndNotOneMore() {
        long first = open(0, "alloc-0", "a:0").session();
        for (int i = 1; i < StoreCommand.MAX_SESSIONS; i++) {
            open(i, "alloc-" + i, "a:" + i);
        }
        var one = new OpenSession(SessionKind.ROUTER, 12_345, "one-more", "b:1");
        var before = Rows.of(store.state());
        assertEquals(
                new Rejected(
                        "OpenSession beyond the 10000 open sessions that a cluster has at most; stop processes that"
                                + " it does not need, or find out who opens sessions again and again"),
                store.execute(one));
        assertEquals(before, Rows.of(store.state()));
        assertEquals(first, open(0, "alloc-0", "a:0").session(), "who repeats its opening has its session");
        assertInstanceOf(
                SessionHeld.class, store.execute(new OpenSession(SessionKind.ALLOCATOR, 12_345, "alloc-0", "a:0")));
        store.execute(new CloseSession(first));
        assertInstanceOf(SessionOpened.class, store.execute(one));
    }

    @Test
    void anOpeningWithoutNameOrAddressIsRejected() {
        assertInstanceOf(Rejected.class, store.execute(new OpenSession(SessionKind.ALLOCATOR, 1, "", "a:1")));
        assertInstanceOf(Rejected.class, store.execute(new OpenSession(SessionKind.ALLOCATOR, 1, "alloc-1", "")));
        assertEquals(0, store.state().sessions().size());
    }

    @Test
    void eachRenewalMovesTheRenewalIndex() {
        long session = open(1, "alloc-1", "a:1").session();
        var first = assertInstanceOf(Renewed.class, store.execute(new Renew(session)));
        assertEquals(store.lastStamp(), first.watchVersion());
        var watch = store.view().version();
        for (int i = 0; i < 3; i++) {
            assertEquals(new Renewed(0, watch, List.of()), store.execute(new Renew(session)));
            assertEquals(store.lastStamp(), store.session(session).renewal());
        }
    }

    @Test
    void aConfirmationIsARenewalAndTellsOfEachHoldingApart() {
        long session = open(1, "alloc-1", "a:1").session();
        long other = open(2, "alloc-2", "b:1").session();
        store.execute(new Renew(session));
        long version = store.publish(new Move(1, 0, 3, session), new Move(1, 4, 4, other));
        var holdings = List.of(holding(0, 1), holding(1, 2), holding(4, 1), holding(99, 1), holding(3, 1));
        assertEquals(
                new Renewed(version, version, List.of(true, false, false, false, true)),
                store.execute(new Renew(session, holdings)));
        assertEquals(store.lastStamp(), store.session(session).renewal());
    }

    @Test
    void aConfirmationOfASessionThatIsOverConfirmsNothingAndRenewsNothing() {
        long session = open(1, "alloc-1", "a:1").session();
        store.publish(new Move(1, 0, 3, session));
        store.expire(session);
        assertEquals(new SessionGone(session), store.execute(new Renew(session, List.of(holding(0, 1)))));
    }

    private static Holding holding(int segment, long epoch) {
        return new Holding(new SegmentId(1, segment), epoch);
    }

    @Test
    void aRenewalTellsTheVersionOfTheAssignment() {
        long session = open(1, "alloc-1", "a:1").session();
        long other = open(2, "alloc-2", "b:1").session();
        store.execute(new Renew(session));
        store.execute(new Renew(other));
        long version = store.publish(new Move(1, 0, 3, session));
        assertEquals(new Renewed(version, version, List.of()), store.execute(new Renew(session)));
        assertEquals(new Renewed(0, version, List.of()), store.execute(new Renew(other)));
    }

    @Test
    void anEndedSessionIsNeverRenewed() {
        long closed = open(1, "alloc-1", "a:1").session();
        long expired = open(2, "alloc-2", "b:1").session();
        store.execute(new CloseSession(closed));
        store.expire(expired);
        assertEquals(new SessionGone(closed), store.execute(new Renew(closed)));
        assertEquals(new SessionGone(expired), store.execute(new Renew(expired)));
        assertEquals(new SessionGone(999), store.execute(new Renew(999)));
        assertEquals(0, store.state().sessions().size());
    }

    @Test
    void closingEndsASessionOnce() {
        long session = open(1, "alloc-1", "a:1").session();
        assertEquals(new SessionEnded(session), store.execute(new CloseSession(session)));
        var before = Rows.of(store.state());
        assertEquals(new SessionGone(session), store.execute(new CloseSession(session)));
        assertEquals(before, Rows.of(store.state()));
    }

    @Test
    void anExpiryIsVoidAfterANewerRenewal() {
        long session = open(1, "alloc-1", "a:1").session();
        long seen = store.session(session).renewal();
        store.execute(new Renew(session));
        long renewal = store.lastStamp();
        var before = Rows.of(store.state());
        assertEquals(new ExpiryVoid(renewal), store.execute(new ExpireSession(session, seen)));
        assertEquals(before, Rows.of(store.state()));
        assertEquals(new SessionEnded(session), store.execute(new ExpireSession(session, renewal)));
        assertEquals(new SessionGone(session), store.execute(new ExpireSession(session, renewal)));
    }

    @Test
    void anExpiryBehindARenewalInOneEntryIsVoid() {
        long session = open(1, "alloc-1", "a:1").session();
        var replies = store.executeEntry(List.of(new Renew(session), new ExpireSession(session, session)));
        assertInstanceOf(ExpiryVoid.class, replies.get(1));
        assertEquals(1, store.state().sessions().size());
    }

    @Test
    void aRenewalBehindAnExpiryInOneEntryComesTooLate() {
        long session = open(1, "alloc-1", "a:1").session();
        var replies = store.executeEntry(List.of(new ExpireSession(session, session), new Renew(session)));
        assertEquals(List.of(new SessionEnded(session), new SessionGone(session)), replies);
    }

    @Test
    void theEndOfASessionFreesItsNameAndAddress() {
        long first = open(1, "alloc-1", "a:1").session();
        store.expire(first);
        long second = open(2, "alloc-1", "a:1").session();
        store.execute(new CloseSession(second));
        open(3, "alloc-1", "a:1");
    }

    @Test
    void openingsFirstRenewalsAndEndsAreSeenByAWatchAndOtherRenewalsAreNot() {
        long session = open(1, "alloc-1", "a:1").session();
        assertEquals(session, store.view().version());
        assertEquals(List.of(), store.view().receivers(), "nobody knows whether its process hears");
        store.execute(new Renew(session));
        long renewed = store.lastStamp();
        assertEquals(renewed, store.view().version());
        assertEquals(session, store.view().receivers().get(0).id());
        store.execute(new Renew(session));
        assertEquals(renewed, store.view().version());
        store.execute(new CloseSession(session));
        assertEquals(store.lastStamp(), store.view().version());
    }

    @Test
    void aLeavingSessionRenewsAndServesButIsGivenNothingMore() {
        long alice = open(1, "alice", "a:1").session();
        long bob = open(2, "bob", "b:1").session();
        store.publish(new StoreCommand.Move(1, 0, 0, alice));
        assertEquals(new StoreReply.SessionLeaving(alice), store.execute(new StoreCommand.Leave(alice)));
        long version = store.view().version();
        assertEquals(store.lastStamp(), version, "watchers hear of it");
        assertEquals(new StoreReply.SessionLeaving(alice), store.execute(new StoreCommand.Leave(alice)));
        assertEquals(version, store.view().version(), "a repeat changes nothing");
        assertInstanceOf(StoreReply.Renewed.class, store.execute(new StoreCommand.Renew(alice)));
        assertInstanceOf(StoreReply.Claimed.class, store.execute(new StoreCommand.Claim(alice, 0)));
        var refused = assertInstanceOf(
                StoreReply.RoutesRefused.class,
                store.execute(new StoreCommand.PublishRoutes(
                        store.publishVersion(), List.of(new StoreCommand.Move(1, 1, 1, alice)))));
        assertEquals("session " + alice + " is leaving", refused.reason());
        store.publish(new StoreCommand.Move(1, 1, 1, bob));
        var sealed = new StoreCommand.Sealed(new SegmentId(1, 1), 1, 0);
        assertInstanceOf(
                StoreReply.ReceiverRefused.class,
                store.execute(new StoreCommand.HandOver(bob, List.of(sealed), alice)));
        assertInstanceOf(StoreReply.SessionEnded.class, store.execute(new StoreCommand.CloseSession(alice)));
        assertEquals(new StoreReply.SessionGone(alice), store.execute(new StoreCommand.Leave(alice)));
    }
}
