package io.seqsvr.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.ExpireSession;
import io.seqsvr.core.store.StoreCommand.Holding;
import io.seqsvr.core.store.StoreCommand.Move;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.PublishRoutes;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreReply.ExpiryVoid;
import io.seqsvr.core.store.StoreReply.Rejected;
import io.seqsvr.core.store.StoreReply.RoutesPublished;
import io.seqsvr.core.store.StoreReply.RoutesRefused;
import io.seqsvr.core.store.StoreReply.SessionEnded;
import io.seqsvr.core.store.StoreReply.SessionHeld;
import io.seqsvr.core.store.StoreReply.SessionOpened;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the Raft leader does by itself: it times sessions and refuses, and nothing else. */
class StoreLeaderTest {
    private static final LeaseTerms LEASE = new LeaseTerms(2_000_000_000L, 50);
    private static final long FULL_MILLIS = LEASE.granterNanos() / 1_000_000;

    private final TestClock clock = new TestClock();
    private final FakeStore store =
            new FakeStore(LEASE, new Namespace(1, "messages", 5_000, 1, 100, 10, Long.MAX_VALUE));
    private final StoreLeader leader = new StoreLeader();

    @BeforeEach
    void lead() {
        leader.lead(store.state(), clock.nowWithBoot());
    }

    /** The command is put into the log, applied, and answered. */
    private StoreReply execute(StoreCommand command) {
        assertEquals(Optional.empty(), leader.refuse(store.state(), command, clock.now()));
        var reply = store.execute(command);
        leader.applied(store.lastStamp(), store.lastChanges(), clock.nowWithBoot());
        return leader.complete(reply, clock.nowWithBoot());
    }

    private long open(String name) {
        var opening = new OpenSession(SessionKind.ALLOCATOR, name.hashCode(), name, name + ":1");
        return assertInstanceOf(SessionOpened.class, execute(opening)).session();
    }

    private List<ExpireSession> tick() {
        return leader.tick(clock.nowWithBoot());
    }

    @Test
    void aSessionThatDoesNotRenewIsEndedWhenItsTimerIsOver() {
        long alice = open("alice");
        clock.passMillis(FULL_MILLIS - 1);
        assertEquals(List.of(), tick());
        clock.passMillis(1);
        assertEquals(List.of(new ExpireSession(alice, alice)), tick());
        assertEquals(List.of(), tick(), "proposed once");
        assertEquals(new SessionEnded(alice), execute(new ExpireSession(alice, alice)));
        clock.passMillis(10 * FULL_MILLIS);
        assertEquals(List.of(), tick());
    }

    @Test
    void everyRenewalAConfirmationTooStartsAFullTimer() {
        long alice = open("alice");
        for (var renew : List.of(new Renew(alice), new Renew(alice, List.of(new Holding(new SegmentId(1, 0), 1))))) {
            clock.passMillis(FULL_MILLIS - 1);
            execute(renew);
            assertEquals(LEASE.granterNanos(), leader.remainingNanos(alice, clock.nowWithBoot()));
        }
        clock.passMillis(FULL_MILLIS);
        assertEquals(List.of(new ExpireSession(alice, store.lastStamp())), tick());
    }

    @Test
    void anExpiryProposedBeforeARenewalIsVoid() {
        long alice = open("alice");
        clock.passMillis(FULL_MILLIS);
        var late = tick().get(0);
        execute(new Renew(alice));
        assertInstanceOf(ExpiryVoid.class, execute(late));
        assertEquals(alice, store.session(alice).id());
        clock.passMillis(FULL_MILLIS);
        assertEquals(1, tick().size());
    }

    @Test
    void aRepeatedOpeningStartsNoTimerAnew() {
        long alice = open("alice");
        clock.passMillis(FULL_MILLIS - 1);
        assertEquals(alice, open("alice"));
        clock.passMillis(1);
        assertEquals(1, tick().size(), "the ghost of a process that is gone lives on");
    }

    @Test
    void assignmentsAndExpulsionsStartNoTimerAnew() {
        long alice = open("alice");
        clock.passMillis(FULL_MILLIS - 1);
        execute(new PublishRoutes(0, List.of(new Move(1, 0, 0, alice))));
        execute(new StoreCommand.Expel(alice));
        clock.passMillis(1);
        assertEquals(1, tick().size());
    }

    @Test
    void whoMustWaitIsToldHowLong() {
        long alice = open("alice");
        clock.passMillis(500);
        var held = execute(new OpenSession(SessionKind.ALLOCATOR, 99, "alice", "other:1"));
        assertEquals(new SessionHeld(alice, "alice", "alice:1", LEASE.granterNanos() - 500_000_000), held);
    }

    @Test
    void aProposalWithoutOutcomeIsMadeAgain() {
        long alice = open("alice");
        clock.passMillis(FULL_MILLIS);
        var proposal = tick().get(0);
        leader.unanswered(proposal);
        assertEquals(List.of(proposal), tick());
        execute(new Renew(alice));
        leader.unanswered(proposal);
        assertEquals(List.of(), tick(), "the session renewed meanwhile");
    }

    @Test
    void aNewLeaderGivesEverybodyAFullTimerAlsoTheSamePeer() {
        long alice = open("alice");
        clock.passMillis(FULL_MILLIS - 1);
        leader.follow();
        assertFalse(leader.leading());
        clock.passMillis(60_000);
        assertEquals(List.of(), tick());
        leader.lead(store.state(), clock.nowWithBoot());
        assertTrue(leader.leading());
        clock.passMillis(FULL_MILLIS - 1);
        assertEquals(List.of(), tick());
        clock.passMillis(1);
        assertEquals(List.of(new ExpireSession(alice, alice)), tick());
    }

    @Test
    void aPeerThatDoesNotLeadEndsNobodyThoughItAppliesEverything() {
        leader.follow();
        long alice = open("alice");
        clock.passMillis(60_000);
        assertEquals(List.of(), tick());
        assertEquals(0, leader.remainingNanos(alice, clock.nowWithBoot()));
    }

    @Test
    void whatMustNotReachTheLogIsRefusedBeforeIt() {
        long alice = open("alice");
        var oversized = new PublishRoutes(0, List.of(new Move(1, 0, 2_000, alice)));
        assertInstanceOf(
                Rejected.class,
                leader.refuse(store.state(), oversized, clock.now()).orElseThrow());
        var plan = new PublishRoutes(0, List.of(new Move(1, 0, 0, alice)));
        assertInstanceOf(RoutesPublished.class, execute(plan));
        var refused = leader.refuse(store.state(), plan, clock.now()).orElseThrow();
        assertEquals(
                store.publishVersion(),
                assertInstanceOf(RoutesRefused.class, refused).version());
        var ahead = new PublishRoutes(store.publishVersion() + 1, List.of(new Move(1, 1, 1, alice)));
        assertEquals(Optional.empty(), leader.refuse(store.state(), ahead, clock.now()), "this peer may be behind");
    }

    /** Whoever opens sessions in a loop would fill the log with refusals. */
    @Test
    void aSessionBeyondTheMostIsRefusedBeforeTheLogAndWhoHasOneIsNot() {
        long alice = open("alice");
        for (int i = 1; i < StoreCommand.MAX_SESSIONS; i++) {
            store.execute(new OpenSession(SessionKind.ALLOCATOR, i, "other-" + i, "o:" + i));
        }
        var beyond = new OpenSession(SessionKind.ALLOCATOR, 12_345, "bob", "bob:1");
        var refused = leader.refuse(store.state(), beyond, clock.now()).orElseThrow();
        var reason = assertInstanceOf(Rejected.class, refused).reason();
        assertTrue(reason.startsWith("OpenSession beyond the 10000 open sessions"), reason);
        assertTrue(reason.endsWith("; it was not put into the log"), reason);
        assertEquals(alice, open("alice"));
        assertInstanceOf(SessionHeld.class, execute(new OpenSession(SessionKind.ALLOCATOR, 12_345, "alice", "b:1")));
        execute(new StoreCommand.CloseSession(alice));
        assertInstanceOf(SessionOpened.class, execute(beyond));
    }

    @Test
    void renewalsAreNeverAnsweredFromMemory() {
        long alice = open("alice");
        assertEquals(Optional.empty(), leader.refuse(store.state(), new Renew(alice), clock.now()));
        assertEquals(Optional.empty(), leader.refuse(store.state(), new Renew(999), clock.now()));
    }
}
