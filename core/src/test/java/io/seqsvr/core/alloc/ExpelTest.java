package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand.Claim;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.Expel;
import io.seqsvr.core.store.StoreCommand.ExpireSession;
import io.seqsvr.core.store.StoreCommand.HandOver;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.RaiseFloor;
import io.seqsvr.core.store.StoreCommand.RaiseItem;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply.FloorRefused;
import io.seqsvr.core.store.StoreReply.RoutesRefused;
import io.seqsvr.core.store.StoreReply.SessionEnded;
import io.seqsvr.core.store.StoreReply.SessionExpelled;
import io.seqsvr.core.store.StoreReply.SessionGone;
import io.seqsvr.core.store.StoreReply.SessionHeld;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How somebody else ends a session: it renews no more, and its timer frees its segments. */
class ExpelTest {
    private static final SegmentId SEGMENT = new SegmentId(1, 0);

    private final Pair pair = new Pair();
    private final Bench alice = pair.alice;
    private final Bench bob = pair.bob;
    private final long session = alice.allocator.session();

    private RoutesRefused planForBob() {
        var plan = new PublishRoutes(pair.store.publishVersion(), List.of(new Move(1, 0, 9, bob.allocator.session())));
        return assertInstanceOf(RoutesRefused.class, pair.store.execute(plan));
    }

    private void expel() {
        assertEquals(new SessionExpelled(session), pair.store.execute(new Expel(session)));
    }

    @Test
    void anExpelledSessionServesUnderItsLeaseAndNobodyElseMayBeforeItsTimerIsOver() {
        alice.holdCommands();
        var taken = alice.take(3);
        expel();
        assertTrue(planForBob().reason().contains("belongs to open session " + session));
        bob.passMillis(2_995);
        assertEquals(new Answer.Range(3, 1, 1, 1), alice.released(taken), "its lease is as good as it was");
        assertTrue(planForBob().reason().contains("belongs to open session " + session));
        bob.passMillis(5);
        Bench.assertRefused(Refusal.LEASE_EXPIRED, alice.released(alice.step(4, 1)));
        bob.passMillis(300);
        assertEquals(new SessionEnded(session), pair.store.expire(session));
        pair.publish(0, bob.allocator.session());
        bob.wake();
        assertEquals(101, bob.next(3));
    }

    @Test
    void itRenewsClaimsRaisesAndClosesNoMore() {
        long renewal = pair.store.session(session).renewal();
        expel();
        var gone = new SessionGone(session);
        assertEquals(gone, pair.store.execute(new Renew(session)));
        assertEquals(gone, pair.store.execute(new Claim(session, 0)));
        assertEquals(gone, pair.store.execute(new Raise(session, List.of(new RaiseItem(SEGMENT, 1, 900)))));
        assertEquals(gone, pair.store.execute(new CloseSession(session)));
        assertEquals(100, pair.store.segment(1, 0).maxSeq());
        assertEquals(renewal, pair.store.session(session).renewal());
    }

    @Test
    void itsNameAndItsSegmentsAreHeldUntilItsTimerIsOver() {
        expel();
        var twin = pair.store.execute(new OpenSession(SessionKind.ALLOCATOR, 4_711, "alice", "elsewhere:1"));
        assertInstanceOf(SessionHeld.class, twin);
        assertEquals(new FloorRefused(session), pair.store.execute(new RaiseFloor(SEGMENT, 5_000)));
        var move = new Move(1, 0, 0, session);
        var plan = new PublishRoutes(pair.store.publishVersion(), List.of(move));
        var refused = assertInstanceOf(RoutesRefused.class, pair.store.execute(plan));
        assertEquals("session " + session + " is expelled", refused.reason());
        assertEquals(
                0,
                pair.store.view().receivers().stream()
                        .filter(member -> member.id() == session)
                        .count());
    }

    @Test
    void anExpiryStillNamesTheRenewalThatItsTimerSaw() {
        long seen = pair.store.session(session).renewal();
        pair.store.execute(new Renew(session));
        expel();
        pair.store.execute(new ExpireSession(session, seen));
        assertEquals(session, pair.store.session(session).id(), "ended by a timer that missed a renewal");
    }

    @Test
    void expellingTwiceOrTooLateChangesNothing() {
        expel();
        long version = pair.store.view().version();
        expel();
        assertEquals(version, pair.store.view().version());
        pair.store.expire(session);
        assertEquals(new SessionGone(session), pair.store.execute(new Expel(session)));
    }

    @Test
    void theExpelledProcessDropsEverythingAndRegistersAnewWhenItsTimerIsOver() {
        expel();
        alice.passMillis(750);
        assertEquals(0, alice.allocator.segmentsOwned());
        alice.assertRefused(Refusal.NOT_READY, 3);
        alice.passMillis(2_000);
        assertEquals(0, alice.allocator.session(), "its own former session holds the name");
        pair.store.expire(session);
        alice.passMillis(1_500);
        assertNotEquals(0, alice.allocator.session());
        assertNotEquals(session, alice.allocator.session());
        alice.assign(0, 9);
        assertEquals(101, alice.next(3));
    }

    @Test
    void aHandOverOfAnExpelledSessionComesTooLate() {
        alice.request(3, 7);
        pair.untilTheTableHasCome(0);
        expel();
        alice.execute(alice.takeHeld(HandOver.class));
        assertEquals(1, pair.store.segment(1, 0).epoch());
        assertEquals(0, alice.allocator.segmentsOwned());
    }
}
