package io.seqsvr.core.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.session.SessionEvent;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.Raise;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.SessionHeld;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How an allocator comes by its session, and what it does when the session is over. */
class AllocatorSessionTest {
    private static Bench fresh(FakeStore store) {
        return new Bench(store, new TestClock(), "alloc-1");
    }

    private static FakeStore store() {
        return new FakeStore(Bench.LEASE, Bench.MESSAGES);
    }

    private static OpenSession opening(Bench bench) {
        return (OpenSession) bench.takeHeld(OpenSession.class).command();
    }

    @Test
    void theFirstTickOpensASessionAndRenewsItAtOnce() {
        var bench = fresh(store());
        bench.holdCommands();
        bench.tick();
        var send = bench.takeHeld(OpenSession.class);
        var open = (OpenSession) send.command();
        assertEquals("alloc-1", open.name());
        assertEquals("alloc-1:7401", open.address());
        bench.passMillis(10_000);
        assertEquals(List.of(), bench.held, "one opening is under way, and nothing else");
        bench.execute(send);
        assertEquals(
                new Renew(bench.allocator.session(), List.of(), 1, 0),
                bench.takeHeld(Renew.class).command());
    }

    @Test
    void whileTheNameIsHeldTheNewcomerWaitsTheRemainingTimeAndThenOpens() {
        var store = store();
        long holder = store.open("alloc-1");
        var bench = fresh(store);
        bench.holdCommands();
        bench.tick();
        bench.answer(
                bench.takeHeld(OpenSession.class), new SessionHeld(holder, "alloc-1", "alloc-1:7401", 2_000_000_000L));
        bench.passMillis(1_995);
        assertEquals(0, bench.countHeld(OpenSession.class));
        store.expire(holder);
        bench.passMillis(30);
        bench.execute(bench.takeHeld(OpenSession.class));
        assertTrue(bench.allocator.session() > holder);
        var held = bench.events(SessionEvent.SessionHeld.class).get(0);
        assertEquals(holder, held.holder());
        assertTrue(held.waitMillis() >= 2_000 && held.waitMillis() <= 2_020, held.toString());
    }

    @Test
    void aHolderWithNoTimeLeftIsNotAskedAgainAtOnce() {
        var store = store();
        long holder = store.open("alloc-1");
        var bench = fresh(store);
        bench.tick();
        bench.passMillis(10);
        assertEquals(1, bench.events(SessionEvent.SessionHeld.class).size());
        bench.passMillis(500);
        int tries = bench.events(SessionEvent.SessionHeld.class).size();
        assertTrue(tries > 5 && tries <= 26, "tries in half a second: " + tries);
        store.expire(holder);
        bench.passMillis(50);
        assertNotEquals(0, bench.allocator.session());
    }

    @Test
    void openingsThatFailAreTriedAgainInGrowingPauses() {
        var bench = fresh(store());
        bench.holdCommands();
        bench.tick();
        int tries = 0;
        for (int i = 0; i < 10_000; i += 5) {
            if (bench.countHeld(OpenSession.class) > 0) {
                bench.lose(bench.takeHeld(OpenSession.class));
                tries++;
            }
            bench.passMillis(Bench.TICK_MILLIS);
        }
        assertTrue(tries >= 10 && tries <= 40, "tries in ten seconds: " + tries);
    }

    /** Its watch shows how others come and go: each time would be one more try, of each that is refused. */
    @Test
    void whoIsRefusedASessionSaysWhyAndAsksAgainInGrowingPausesWhateverItsWatchShows() {
        var bench = fresh(store());
        bench.holdCommands();
        bench.tick();
        int tries = 0;
        for (int i = 0; i < 10_000; i += 5) {
            if (bench.countHeld(OpenSession.class) > 0) {
                bench.answer(bench.takeHeld(OpenSession.class), new StoreReply.Rejected("there are too many"));
                tries++;
            }
            bench.wake();
            bench.passMillis(Bench.TICK_MILLIS);
        }
        assertTrue(tries >= 10 && tries <= 40, "tries in ten seconds: " + tries);
        var refused = bench.events(SessionEvent.SessionRefused.class);
        assertEquals(tries, refused.size());
        assertEquals("there are too many", refused.get(0).reason());
        assertTrue(refused.get(tries - 1).waitMillis() >= 500, refused::toString);
        bench.answerCommands();
        bench.passMillis(1_500);
        bench.held.forEach(bench::execute);
        assertNotEquals(0, bench.allocator.session());
    }

    @Test
    void allocatorsThatLoseTheirSessionsTogetherComeBackApart() {
        var store = store();
        var clock = new TestClock();
        var names = new ArrayList<Bench>();
        for (int i = 0; i < 8; i++) {
            names.add(new Bench(store, clock, "alloc-" + i));
        }
        names.forEach(Bench::tick);
        clock.passMillis(750);
        names.forEach(bench -> store.expire(bench.allocator.session()));
        names.forEach(Bench::tick);
        names.forEach(bench -> assertEquals(0, bench.allocator.session()));
        var back = new HashSet<Integer>();
        for (int tick = 0; tick < 100; tick++) {
            clock.passNanos(500_000);
            for (var bench : names) {
                boolean before = bench.allocator.session() != 0;
                bench.tick();
                if (!before && bench.allocator.session() != 0) {
                    back.add(tick);
                }
            }
        }
        names.forEach(bench -> assertNotEquals(0, bench.allocator.session()));
        assertTrue(back.size() >= 4, "eight sessions were opened at " + back.size() + " moments");
    }

    @Test
    void anExpiredSessionTakesEverythingWithIt() {
        var bench = Bench.serving(0, 1);
        long old = bench.allocator.session();
        bench.next(3);
        var taken = bench.take(3);
        bench.holdCommands();
        long ticket = bench.waitFor(13, 150);
        bench.store.expire(old);
        bench.passMillis(750);
        bench.execute(bench.takeHeld(Renew.class));
        assertEquals(0, bench.allocator.segmentsOwned());
        assertEquals(0, bench.allocator.session());
        assertEquals(0, bench.allocator.waiting());
        Bench.assertRefused(Refusal.NOT_OWNER, bench.outcome(ticket));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.allocator.release(taken, bench.clock.now()));
        bench.assertRefused(Refusal.NOT_READY, 3);
        assertEquals(
                List.of(new SessionEvent.SessionLost(old, "StoreSvr ended it")),
                bench.events(SessionEvent.SessionLost.class));
    }

    @Test
    void afterAnExpiryNumbersContinueAboveMaxSeqInANewEpoch() {
        var bench = Bench.serving(0, 1);
        for (int i = 0; i < 20; i++) {
            bench.next(3);
        }
        long old = bench.allocator.session();
        bench.store.expire(old);
        bench.passMillis(1_000);
        assertNotEquals(old, bench.allocator.session());
        assertEquals(0, bench.allocator.segmentsOwned());
        bench.assertRefused(Refusal.NOT_OWNER, 3);
        bench.assign(0, 1);
        assertEquals(new Answer.Range(3, 101, 101, 2), bench.request(3, 1));
        assertEquals(new Answer.Range(4, 101, 101, 2), bench.request(4, 1));
        assertEquals(102, bench.next(3));
    }

    @Test
    void whatTheOldSessionTookIsNotReleasedUnderTheNewOne() {
        var bench = Bench.serving(0, 1);
        var taken = bench.take(3);
        bench.store.expire(bench.allocator.session());
        bench.passMillis(1_000);
        bench.assign(0, 1);
        assertEquals(101, bench.next(3));
        Bench.assertRefused(Refusal.NOT_OWNER, bench.allocator.release(taken, bench.clock.now()));
    }

    @Test
    void lateAnswersToTheOldSessionsRenewalsDoNotTouchTheNewOne() {
        var bench = Bench.serving(0, 1);
        long old = bench.allocator.session();
        bench.holdCommands();
        bench.passMillis(750 + 375 + 375);
        var applied = bench.takeHeld(Renew.class);
        var applies = bench.store.execute(applied.command());
        var gone = bench.takeHeld(Renew.class);
        bench.store.expire(old);
        bench.execute(bench.takeHeld(Renew.class));
        bench.passMillis(50);
        bench.execute(bench.takeHeld(OpenSession.class));
        long session = bench.allocator.session();
        assertNotEquals(old, session);
        bench.answer(applied, applies);
        assertEquals(0, bench.allocator.leaseRemainingNanos(bench.clock.now()), "the old renewal gave a lease");
        bench.execute(gone);
        assertEquals(session, bench.allocator.session(), "the old session's end ended the new one");
    }

    @Test
    void aRaiseAnsweredWithTheSessionsEndDropsEverything() {
        var bench = Bench.serving(0, 1);
        bench.holdCommands();
        bench.request(3, 60);
        bench.store.expire(bench.allocator.session());
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(0, bench.allocator.segmentsOwned());
        assertEquals(0, bench.allocator.session());
    }

    @Test
    void aLateRaiseOfTheOldSessionRaisesNothingInTheNewEpoch() {
        var bench = Bench.serving(0, 0);
        bench.holdCommands();
        bench.request(3, 60);
        var late = bench.takeHeld(Raise.class);
        var reply = bench.store.execute(late.command());
        bench.answerCommands();
        bench.store.expire(bench.allocator.session());
        bench.passMillis(1_000);
        bench.assign(0, 0);
        bench.holdCommands();
        long ticket = bench.waitFor(3, 150);
        bench.answer(late, reply);
        bench.assertStillWaits(ticket);
        bench.execute(bench.takeHeld(Raise.class));
        assertEquals(new Answer.Range(3, 201, 350, 2), bench.outcome(ticket));
    }

    @Test
    void eachSessionIsAskedForWithANonceOfItsOwn() {
        var bench = fresh(store());
        bench.holdCommands();
        bench.tick();
        var send = bench.takeHeld(OpenSession.class);
        bench.execute(send);
        bench.store.expire(bench.allocator.session());
        bench.execute(bench.takeHeld(Renew.class));
        bench.passMillis(100);
        assertNotEquals(((OpenSession) send.command()).nonce(), opening(bench).nonce());
    }

    @Test
    void anOpeningThatWasAppliedButNeverAnsweredDelaysTheAllocatorByOneTimerAtMost() {
        var bench = fresh(store());
        bench.holdCommands();
        bench.tick();
        var unanswered = bench.takeHeld(OpenSession.class);
        var ghost = (StoreReply.SessionOpened) bench.store.execute(unanswered.command());
        bench.lose(unanswered);
        bench.answerCommands();
        bench.passMillis(Bench.LEASE.granterNanos() / 1_000_000);
        if (bench.store.state().session(ghost.session()).isPresent() && bench.allocator.session() == 0) {
            bench.store.expire(ghost.session());
        }
        bench.passMillis(100);
        assertNotEquals(0, bench.allocator.session());
        bench.assign(0, 0);
        assertEquals(1, bench.next(3));
    }

    @Test
    void anOpeningThatWasAppliedButNeverAnsweredIsRepeatedWithItsNonce() {
        var bench = fresh(store());
        bench.holdCommands();
        bench.tick();
        var unanswered = bench.takeHeld(OpenSession.class);
        var opened = (StoreReply.SessionOpened) bench.store.execute(unanswered.command());
        bench.lose(unanswered);
        bench.passMillis(100);
        var repeated = bench.takeHeld(OpenSession.class);
        assertEquals(unanswered.command(), repeated.command());
        bench.execute(repeated);
        assertEquals(opened.session(), bench.allocator.session());
    }
}
