package io.seqsvr.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.TestClock;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.HolderLease;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.CloseSession;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply.Renewed;
import io.seqsvr.core.store.StoreReply.SessionOpened;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The lease as an object of one session: whoever still holds it sees it end with the session. */
class SessionKeeperTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);

    private final SentCommands out = new SentCommands();
    private final TestClock clock = new TestClock();
    private final SessionKeeper keeper =
            new SessionKeeper(SessionKind.ALLOCATOR, "alloc-1", "a:1", new SplittableRandom(1), out, Guards.ALL);

    private void renewed(long session) {
        keeper.renewed(new Renew(session), new Renewed(0, 0, List.of()), clock.now(), clock.now());
    }

    private HolderLease open(long session) {
        keeper.tick(clock.now());
        var opening =
                assertInstanceOf(OpenSession.class, out.takeEffects().get(0).orElseThrow());
        keeper.opened(opening, new SessionOpened(session, LEASE), clock.now(), clock.now());
        out.takeEffects();
        return keeper.lease().orElseThrow();
    }

    private HolderLease openAndRenew(long session) {
        var lease = open(session);
        renewed(session);
        assertTrue(lease.validAt(clock.now()));
        return lease;
    }

    /** The later it was tried the longer it would wait: up to a second and a half. */
    @Test
    void whoCouldNotOpenWhileStoreSvrWasAwayOpensAtOnceWhenAWatchShowsThatItIsThere() {
        for (int tries = 0; tries < 10; tries++) {
            fail(opening());
            assertEquals(Optional.empty(), sent(), "it waits");
            clock.passMillis(1_500);
        }
        var last = opening();
        fail(last);
        keeper.viewed(1);
        assertEquals(last, opening(), "the same session, if it was opened after all");
        clock.passMillis(20);
        fail(last);
        clock.passMillis(30);
        assertEquals(last, opening(), "and patience begins anew");
    }

    private Optional<StoreCommand> sent() {
        keeper.tick(clock.now());
        return out.takeEffects().stream().findFirst().orElse(Optional.empty());
    }

    private OpenSession opening() {
        return assertInstanceOf(OpenSession.class, sent().orElseThrow());
    }

    private void fail(OpenSession opening) {
        keeper.openingFailed(opening, clock.now());
    }

    @Test
    void theLeaseOfALostSessionIsNeverValidAgain() {
        var lease = openAndRenew(7);
        keeper.lose(clock.now());
        assertFalse(lease.validAt(clock.now()));
        assertEquals(0, keeper.session());
        clock.passMillis(100);
        openAndRenew(8);
        renewed(7);
        assertFalse(lease.validAt(clock.now()), "the next session revived the lease of the last");
    }

    @Test
    void whoHasLostItsSessionOpensAnotherOneAndNeverRenewsTheOld() {
        openAndRenew(7);
        keeper.lose(clock.now());
        var next = Optional.<StoreCommand>empty();
        for (int tries = 0; next.isEmpty() && tries < 200; tries++) {
            clock.passMillis(10);
            next = sent();
        }
        var opening = assertInstanceOf(OpenSession.class, next.orElseThrow());
        keeper.opened(opening, new SessionOpened(8, LEASE), clock.now(), clock.now());
        assertEquals(8, keeper.session());
    }

    @Test
    void theLeaseOfAClosedSessionIsNeverValidAgain() {
        var lease = openAndRenew(7);
        keeper.close(clock.now());
        assertFalse(lease.validAt(clock.now()));
        assertEquals(Optional.empty(), keeper.lease());
    }

    @Test
    void aSessionThatIsOpenedWhileStoppingIsClosed() {
        var opening = closeWhileOpening();
        assertFalse(keeper.closed(), "nobody will hear of the session");
        keeper.opened(opening, new SessionOpened(7, LEASE), clock.now(), clock.now());
        assertTrue(keeper.closed());
        assertEquals(List.of(Optional.of(new CloseSession(7))), out.takeEffects());
        assertEquals(0, keeper.session());
    }

    @Test
    void anOpeningThatFailsWhileStoppingIsNotRepeated() {
        var opening = closeWhileOpening();
        keeper.openingFailed(opening, clock.now());
        assertTrue(keeper.closed());
        clock.passMillis(10_000);
        keeper.tick(clock.now());
        assertEquals(List.of(), out.takeEffects());
    }

    @Test
    void whoClosesTwiceWaitsForNoOpening() {
        var opening = closeWhileOpening();
        keeper.close(clock.now());
        assertTrue(keeper.closed());
        keeper.opened(opening, new SessionOpened(7, LEASE), clock.now(), clock.now());
        assertEquals(List.of(), out.takeEffects());
    }

    private OpenSession closeWhileOpening() {
        keeper.tick(clock.now());
        var opening =
                assertInstanceOf(OpenSession.class, out.takeEffects().get(0).orElseThrow());
        keeper.close(clock.now());
        return opening;
    }

    @Test
    void aRenewalOfTheLastSessionGivesTheNextOneNoLease() {
        openAndRenew(7);
        keeper.lose(clock.now());
        clock.passMillis(100);
        var lease = open(8);
        renewed(7);
        assertFalse(lease.validAt(clock.now()));
    }

    @Test
    void anAnswerToAnotherOpeningOpensNothing() {
        keeper.tick(clock.now());
        var other = new OpenSession(SessionKind.ALLOCATOR, 12_345, "alloc-1", "a:1");
        keeper.opened(other, new SessionOpened(9, LEASE), clock.now(), clock.now());
        assertEquals(0, keeper.session());
    }
}
