package io.seqsvr.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.TestClock;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.OpenSession;
import io.seqsvr.core.store.StoreCommand.Renew;
import io.seqsvr.core.store.StoreLeader;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.RenewalUnheard;
import io.seqsvr.core.store.StoreReply.Renewed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process whose renewals arrive, and a network that keeps what they are answered from it, for ever or a while. */
class HearingTest {
    private static final LeaseTerms LEASE = new LeaseTerms(3_000_000_000L, 100);
    private static final long TTL_MILLIS = LEASE.ttlNanos() / 1_000_000;
    private static final long GRANTER_MILLIS = LEASE.granterNanos() / 1_000_000;
    private static final long TICK_MILLIS = 10;

    private final TestClock clock = new TestClock();
    private final FakeStore store =
            new FakeStore(LEASE, new Namespace(1, "messages", 5_000, 1, 100, 10, Long.MAX_VALUE));
    private final StoreLeader leader = new StoreLeader();
    private final SentCommands out = new SentCommands();
    private final SessionKeeper keeper =
            new SessionKeeper(SessionKind.ALLOCATOR, "alloc-1", "a:1", new SplittableRandom(1), out, Guards.ALL);

    private final List<Answer> onTheWay = new ArrayList<>();
    private long millis;
    private long lagMillis;
    private boolean deaf;
    private boolean logStandsStill;
    private int refused;

    private record Answer(long at, StoreCommand command, StoreReply reply, long sentAt) {}

    @BeforeEach
    void open() {
        leader.lead(store.state(), clock.nowWithBoot());
        pass(1_000);
        assertTrue(served());
        assertTrue(isOpen());
    }

    private boolean served() {
        return keeper.leaseValid(clock.now());
    }

    private boolean isOpen() {
        return store.state().session(keeper.session()).isPresent();
    }

    private void pass(long duration) {
        for (long end = millis + duration; millis < end; millis += TICK_MILLIS) {
            clock.passMillis(TICK_MILLIS);
            keeper.tick(clock.nowWithBoot());
            out.takeEffects().forEach(command -> command.ifPresent(this::arrives));
            leader.tick(clock.nowWithBoot()).forEach(this::apply);
            deliver();
        }
    }

    private void arrives(StoreCommand command) {
        var refusal = leader.refuse(store.state(), command, clock.now());
        if (refusal.isPresent()) {
            refused++;
            answer(command, refusal.get());
        } else if (!logStandsStill) {
            answer(command, apply(command));
        }
    }

    private StoreReply apply(StoreCommand command) {
        var reply = store.execute(command);
        leader.applied(store.lastStamp(), store.lastChanges(), clock.nowWithBoot());
        if (command instanceof Renew renew) {
            leader.renewed(store.state(), renew.session(), renew.attempt(), clock.now());
        }
        return reply;
    }

    private void answer(StoreCommand command, StoreReply reply) {
        if (!deaf) {
            onTheWay.add(new Answer(millis + lagMillis, command, reply, millis));
        }
    }

    private void deliver() {
        for (var answer : List.copyOf(onTheWay)) {
            if (answer.at() <= millis) {
                onTheWay.remove(answer);
                hear(answer);
            }
        }
    }

    private void hear(Answer answer) {
        var sentAt = clock.now().plus(-(millis - answer.sentAt()) * 1_000_000);
        if (answer.command() instanceof OpenSession opening) {
            keeper.opened(opening, answer.reply(), sentAt, clock.now());
        } else if (answer.command() instanceof Renew renew && answer.reply() instanceof Renewed renewed) {
            keeper.renewed(renew, renewed, sentAt, clock.now());
        } else if (answer.command() instanceof Renew renew && answer.reply() instanceof RenewalUnheard) {
            keeper.renewalRefused(renew);
        }
        out.takeEffects().forEach(command -> command.ifPresent(this::arrives));
    }

    @Test
    void whoHearsIsNeverRefused() {
        pass(60_000);
        assertTrue(served());
        assertEquals(0, refused);
    }

    @Test
    void whoHearsNothingLosesItsSessionThoughItRenewsAndRenews() {
        deaf = true;
        pass(TTL_MILLIS);
        assertFalse(served());
        assertTrue(isOpen(), "its lease may have been valid until now");
        pass(LEASE.unheardNanos() / 1_000_000 + GRANTER_MILLIS + 1_000 - TTL_MILLIS);
        assertFalse(isOpen());
        assertTrue(store.view().receivers().isEmpty());
    }

    @Test
    void whoHearsAgainInTimeIsRenewedAtOnce() {
        deaf = true;
        pass(TTL_MILLIS + 500);
        assertTrue(refused > 0);
        deaf = false;
        pass(LEASE.renewAgainNanos() / 1_000_000 + 5 * TICK_MILLIS);
        assertTrue(served());
        int before = refused;
        pass(60_000);
        assertEquals(before, refused);
        assertTrue(served());
    }

    @Test
    void answersThatComeBeforeTheLeaseThatTheyGrantIsOverCostNothing() {
        for (long lag = 100; lag <= TTL_MILLIS * 2 / 3; lag += 100) {
            lagMillis = lag;
            for (int i = 0; i < 1_000; i++) {
                pass(TICK_MILLIS);
                assertTrue(served(), () -> "not served " + lagMillis + " ms behind");
            }
        }
        assertEquals(0, refused);
    }

    @Test
    void aWallClockThatIsSetBackAtTheLeaderHidesNobody() {
        deaf = true;
        pass(1_000);
        clock.stepWallMillis(-7_200_000);
        pass(TTL_MILLIS);
        assertTrue(refused > 0);
    }

    @Test
    void answersToASessionThatHasEndedAreForgotten() {
        long session = keeper.session();
        store.expire(session);
        leader.applied(store.lastStamp(), store.lastChanges(), clock.nowWithBoot());
        leader.renewed(store.state(), session, 1_000, clock.now());
        clock.passMillis(TTL_MILLIS);
        assertEquals(
                Optional.empty(), leader.refuse(store.state(), new Renew(session, List.of(), 1_001, 1), clock.now()));
    }

    @Test
    void whoseAnswersAllComeAfterTheLeaseTheyGrantLosesItsSession() {
        lagMillis = TTL_MILLIS + 500;
        pass(4 * TTL_MILLIS);
        assertFalse(isOpen());
    }

    @Test
    void aLogThatStandsStillRefusesNobody() {
        logStandsStill = true;
        pass(LEASE.granterNanos() / 1_000_000 - 1_000);
        logStandsStill = false;
        pass(LEASE.renewAgainNanos() / 1_000_000 + 5 * TICK_MILLIS);
        assertEquals(0, refused);
        assertTrue(served());
    }

    @Test
    void aNewLeaderKnowsNothingOfTheAnswersOfTheLast() {
        deaf = true;
        pass(TTL_MILLIS + 500);
        assertTrue(refused > 0);
        int before = refused;
        leader.follow();
        leader.lead(store.state(), clock.nowWithBoot());
        pass(LEASE.unheardNanos() / 1_000_000 - 100);
        assertEquals(before, refused);
    }

    @Test
    void whoNeverHeardOfItsOpeningIsGivenNothing() {
        store.expire(keeper.session());
        keeper.lose(clock.now());
        deaf = true;
        pass(2 * TTL_MILLIS);
        assertTrue(store.view().receivers().isEmpty());
        assertEquals(0, keeper.session());
    }

    @Test
    void aConfirmationThatIsHeardShowsThatTheHolderHears() {
        for (long passed = 0; passed < 3 * TTL_MILLIS; passed += 500) {
            var confirmation = keeper.renewal(List.of());
            keeper.renewed(confirmation, (Renewed) apply(confirmation), clock.now(), clock.now());
            deaf = true;
            pass(500);
        }
        assertEquals(0, refused);
        assertTrue(isOpen());
    }

    @Test
    void whoDoesNotCountIsNeverRefused() {
        for (int i = 0; i < 10; i++) {
            var renew = new Renew(keeper.session());
            assertEquals(Optional.empty(), leader.refuse(store.state(), renew, clock.now()));
            apply(renew);
            clock.passMillis(TTL_MILLIS / 2);
        }
        assertTrue(isOpen());
    }

    @Test
    void anEndedSessionIsNotRefusedButToldSo() {
        deaf = true;
        long session = keeper.session();
        pass(3 * TTL_MILLIS);
        assertFalse(isOpen());
        var late = new Renew(session, List.of(), 1_000, 1);
        assertEquals(Optional.empty(), leader.refuse(store.state(), late, clock.now()));
        assertEquals(new StoreReply.SessionGone(session), apply(late));
    }
}
