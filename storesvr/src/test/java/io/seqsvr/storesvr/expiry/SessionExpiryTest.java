package io.seqsvr.storesvr.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.Stamp;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.node.clock.SystemClocks;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.CreateCluster;
import io.seqsvr.proto.internal.v1.ExpireSession;
import io.seqsvr.proto.internal.v1.ExpiryVoid;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.Applied;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a leader proposes by itself and when, with a real replica and a log in the test's hands. */
class SessionExpiryTest {
    private static final LeaseTerms TERMS = new LeaseTerms(1_500_000_000L, 100);
    private static final CreateCluster FIRST_COMMAND =
            CreateCluster.newBuilder().setClusterId("cluster-1").build();
    private static final Reply NO_MATTER =
            Reply.newBuilder().setExpiryVoid(ExpiryVoid.getDefaultInstance()).build();

    /** Long enough for several ticks. */
    private static final long QUIET_MILLIS = 100;

    @TempDir
    private Path root = Path.of("");

    private final Replica replica = new Replica();
    /** By how much the wall clock of this machine was set. */
    private volatile Duration wallIsSet = Duration.ZERO;

    /** For how long the ticker stands still when it looks at the clocks next. */
    private final AtomicLong standsStillNanos = new AtomicLong();

    private final SessionExpiry expiry = new SessionExpiry(
            replica, FIRST_COMMAND, new SessionExpiry.Clocks(() -> set(SystemClocks.read()), this::readAll));
    private final FakeLog log = new FakeLog();
    private long index;

    @BeforeAll
    static void loadLibrary() throws IOException {
        NativeLibrary.load();
    }

    @BeforeEach
    void start() throws IOException {
        replica.open(root.resolve("db"));
        replica.listen(expiry);
        expiry.start(log);
    }

    @AfterEach
    void stop() {
        expiry.close();
        replica.close();
    }

    private ClockReading readAll() {
        boolean ticks = Thread.currentThread().getName().equals("session-expiry");
        long until = System.nanoTime() + (ticks ? standsStillNanos.getAndSet(0) : 0);
        while (until - System.nanoTime() > 0) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
        return set(SystemClocks.readWithBoot());
    }

    private ClockReading set(ClockReading reading) {
        return new ClockReading(
                reading.monotonicNanos(), reading.wallNanos() + wallIsSet.toNanos(), reading.bootNanos());
    }

    private long apply(StoreCommand command) throws IOException {
        index++;
        replica.apply(new Applied(1, index), List.of(command));
        return Stamp.of(0, index, 0);
    }

    private void createCluster() throws IOException {
        apply(new StoreCommand.CreateCluster("cluster-1", TERMS, List.of(Namespace.ofDefaults(1, "messages"))));
    }

    private long open(String name) throws IOException {
        return apply(new StoreCommand.OpenSession(SessionKind.ALLOCATOR, name.hashCode(), name, name + ":1"));
    }

    /** What a newcomer would be told that wants the name of this session. */
    private long remainingNanos(long session) {
        var held = new StoreReply.SessionHeld(session, "a", "a:1", 0);
        return ((StoreReply.SessionHeld) expiry.complete(held)).remainingNanos();
    }

    private static Command expire(long session, long renewalSeen) {
        return Command.newBuilder()
                .setExpireSession(ExpireSession.newBuilder().setSession(session).setRenewalSeen(renewalSeen))
                .build();
    }

    private static void assertFullTimerSince(long startNanos) {
        long passed = System.nanoTime() - startNanos;
        assertTrue(passed >= TERMS.granterNanos(), () -> "proposed after " + passed + " ns");
    }

    @Test
    void aLeaderWithoutAClusterCreatesItAndGoesOnUntilItIsThere() throws InterruptedException, IOException {
        log.assertNothingFor(QUIET_MILLIS);
        expiry.leading();
        var first = log.next();
        assertEquals(Command.newBuilder().setCreateCluster(FIRST_COMMAND).build(), first.command());
        log.assertNothingFor(QUIET_MILLIS);
        first.reply().completeExceptionally(new IOException("the outcome is unknown"));
        var second = log.next();
        assertEquals(first.command(), second.command());
        createCluster();
        second.reply().complete(NO_MATTER);
        log.assertNothingFor(QUIET_MILLIS);
    }

    @Test
    void aSecondTermWithoutAClusterCreatesItAgainThoughTheFirstNeverHeard() throws InterruptedException {
        expiry.leading();
        log.next();
        expiry.following();
        log.assertNothingFor(QUIET_MILLIS);
        expiry.leading();
        assertTrue(log.next().command().hasCreateCluster());
    }

    @Test
    void aSilentSessionIsProposedOnceAfterItsFullTimerWithTheRenewalItRanFrom()
            throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long opening = System.nanoTime();
        long session = open("a");
        var proposal = log.next();
        assertFullTimerSince(opening);
        assertEquals(expire(session, session), proposal.command());
        log.assertNothingFor(QUIET_MILLIS);
        proposal.reply().complete(NO_MATTER);
        log.assertNothingFor(QUIET_MILLIS);
        assertEquals(0, remainingNanos(session));
    }

    /** Renewals that came meanwhile wait to be read when it goes on. */
    @Test
    void timeInWhichItStoodStillItselfCountsForNobody() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long opening = System.nanoTime();
        long session = open("a");
        log.assertNothingFor(QUIET_MILLIS);
        long stillNanos = 2 * TERMS.granterNanos();
        standsStillNanos.set(stillNanos);
        assertEquals(expire(session, session), log.next().command());
        assertFullTimerSince(opening + stillNanos - TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS));
    }

    @Test
    void thatGoesForItsFirstLookInATermToo() throws InterruptedException, IOException {
        createCluster();
        long session = open("a");
        long stillNanos = 2 * TERMS.granterNanos();
        standsStillNanos.set(stillNanos);
        long leading = System.nanoTime();
        expiry.leading();
        assertEquals(expire(session, session), log.next().command());
        assertFullTimerSince(leading + stillNanos - TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS));
    }

    @Test
    void aRenewalStartsTheTimerAnew() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long session = open("a");
        log.assertNothingFor(300);
        long renewing = System.nanoTime();
        long renewal = apply(new StoreCommand.Renew(session));
        assertEquals(expire(session, renewal), log.next().command());
        assertFullTimerSince(renewing);
    }

    @Test
    void aWallClockThatIsSetEndsNoSessionEarly() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long opening = System.nanoTime();
        long session = open("a");
        wallIsSet = Duration.ofHours(2);
        assertEquals(expire(session, session), log.next().command());
        assertFullTimerSince(opening);
        opening = System.nanoTime();
        session = open("b");
        log.assertNothingFor(QUIET_MILLIS);
        wallIsSet = Duration.ofHours(-2);
        assertEquals(expire(session, session), log.next().command());
        assertFullTimerSince(opening);
    }

    @Test
    void aProposalThatFailedIsMadeAgain() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long session = open("a");
        log.next().reply().completeExceptionally(new IOException("the outcome is unknown"));
        assertEquals(expire(session, session), log.next().command());
    }

    @Test
    void aProposalThatFailedIsNotMadeAgainForASessionThatRenewedMeanwhile() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long session = open("a");
        var late = log.next();
        long renewing = System.nanoTime();
        long renewal = apply(new StoreCommand.Renew(session));
        late.reply().completeExceptionally(new IOException("the outcome is unknown"));
        assertEquals(expire(session, renewal), log.next().command());
        assertFullTimerSince(renewing);
    }

    @Test
    void anExpulsionStartsNoTimerAnewAndEndsNobodyBeforeIt() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long opening = System.nanoTime();
        long session = open("a");
        log.assertNothingFor(300);
        apply(new StoreCommand.Expel(session));
        assertTrue(remainingNanos(session) < TERMS.granterNanos() - 200_000_000, "the timer began anew");
        assertEquals(expire(session, session), log.next().command());
        assertFullTimerSince(opening);
    }

    @Test
    void whatBreaksALimitIsAnsweredWithoutALogAndTheRestIsNot() {
        assertEquals(
                Optional.of(new StoreReply.Rejected(
                        "Raise names 0 segments; it must be 1 to 2000; it was not put into the log")),
                expiry.refuse(new StoreCommand.Raise(1, List.of())));
        assertEquals(Optional.empty(), expiry.refuse(new StoreCommand.Renew(1)));
    }

    @Test
    void aPlanFromBeforeTheLastOneIsAnsweredWithoutALog() throws IOException {
        createCluster();
        long session = open("a");
        var plan = new StoreCommand.PublishRoutes(0, List.of(new StoreCommand.Move(1, 0, 1, session)));
        assertEquals(Optional.empty(), expiry.refuse(plan));
        long version = apply(plan);
        assertEquals(
                Optional.of(new StoreReply.RoutesRefused(version, "the plan was made from version 0")),
                expiry.refuse(plan));
    }

    @Test
    void anEndedSessionIsNoLongerTimed() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long ended = open("a");
        long other = open("b");
        apply(new StoreCommand.CloseSession(ended));
        assertEquals(expire(other, other), log.next().command());
        log.assertNothingFor(QUIET_MILLIS);
        assertEquals(0, remainingNanos(ended));
    }

    @Test
    void whoDoesNotLeadProposesNothingAndCannotTellTheTime() throws InterruptedException, IOException {
        createCluster();
        long session = open("a");
        log.assertNothingFor(TERMS.granterNanos() / 1_000_000 + QUIET_MILLIS);
        assertFalse(expiry.isLeading());
        assertEquals(0, remainingNanos(session));
        expiry.leading();
        assertTrue(expiry.isLeading());
        assertEquals(expire(session, session), log.next().command());
    }

    @Test
    void eachTermStartsEveryTimerInFull() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long first = open("a");
        log.assertNothingFor(300);
        long second = open("b");
        expiry.following();
        long again = System.nanoTime();
        expiry.leading();
        assertEquals(expire(first, first), log.next().command());
        assertFullTimerSince(again);
        assertEquals(expire(second, second), log.next().command());
    }

    @Test
    void aTermThatBeginsBeforeTheLastOnesEndWasHeardStartsTheTimersInFullToo()
            throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long session = open("a");
        log.assertNothingFor(300);
        long again = System.nanoTime();
        expiry.leading();
        assertEquals(expire(session, session), log.next().command());
        assertFullTimerSince(again);
    }

    @Test
    void aNewcomerLearnsWhatIsLeftOfTheTimer() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        long session = open("a");
        // By the next tick at the latest the term's timers run.
        log.assertNothingFor(QUIET_MILLIS);
        long left = remainingNanos(session);
        assertTrue(left > 0 && left <= TERMS.granterNanos(), () -> left + " ns");
        assertTrue(remainingNanos(session) <= left);
        assertEquals(0, remainingNanos(999));
        expiry.following();
        assertEquals(0, remainingNanos(session), "whoever leads now may know of renewals that this peer missed");
    }

    @Test
    void closedItProposesNothingMore() throws InterruptedException, IOException {
        createCluster();
        expiry.leading();
        open("a");
        expiry.close();
        log.assertNothingFor(TERMS.granterNanos() / 1_000_000 + QUIET_MILLIS);
    }
}
