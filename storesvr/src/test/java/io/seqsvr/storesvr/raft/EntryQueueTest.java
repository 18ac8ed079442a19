package io.seqsvr.storesvr.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.seqsvr.proto.internal.v1.Claim;
import io.seqsvr.proto.internal.v1.CloseSession;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.ExpireSession;
import io.seqsvr.proto.internal.v1.FetchTables;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.internal.v1.OpenSession;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.internal.v1.Reply;
import io.seqsvr.proto.internal.v1.SessionEnded;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that share entries: which, in which order, and what becomes of them. */
@Timeout(30)
class EntryQueueTest {
    /** An entry that reached the log, whose outcome is in the test's hands. */
    private record Written(List<Command> commands, CompletableFuture<List<Reply>> outcome) {
        void answer() {
            outcome.complete(commands.stream().map(EntryQueueTest::replyTo).toList());
        }
    }

    private static final long MOST_BYTES = 4L * EntryQueue.MOST_WEIGHT;

    private final BlockingQueue<Written> log = new LinkedBlockingQueue<>();
    private final AtomicLong shown = new AtomicLong();
    private final AtomicInteger tellings = new AtomicInteger();
    private final EntryQueue queue = new EntryQueue(
            commands -> {
                var written = new Written(commands, new CompletableFuture<>());
                log.add(written);
                return written.outcome();
            },
            shown::get,
            outcomes -> {
                tellings.incrementAndGet();
                outcomes.run();
            },
            MOST_BYTES);

    @AfterEach
    void close() {
        queue.close();
    }

    private static Reply replyTo(Command command) {
        return Reply.newBuilder()
                .setSessionEnded(SessionEnded.newBuilder()
                        .setSession(command.getCloseSession().getSession()))
                .build();
    }

    private static Command other(long number) {
        return Command.newBuilder()
                .setCloseSession(CloseSession.newBuilder().setSession(number))
                .build();
    }

    private static Command renewal(long number) {
        return Command.newBuilder()
                .setRenew(Renew.newBuilder().setSession(number))
                .build();
    }

    private static Command confirmation(long number) {
        return Command.newBuilder()
                .setRenew(Renew.newBuilder().setSession(number).addHoldings(Holding.newBuilder()))
                .build();
    }

    private static Command expiry(long number) {
        return Command.newBuilder()
                .setExpireSession(ExpireSession.newBuilder().setSession(number))
                .build();
    }

    private static Command heavy(int bytes) {
        return Command.newBuilder()
                .setOpenSession(OpenSession.newBuilder().setNameBytes(ByteString.copyFrom(new byte[bytes])))
                .build();
    }

    private CompletableFuture<Reply> offer(Command command) {
        return queue.offer(command).orElseThrow();
    }

    /** Its reply is of no interest. */
    private void put(Command command) {
        var unused = offer(command);
    }

    private Written nextEntry() throws InterruptedException {
        var written = log.poll(10, TimeUnit.SECONDS);
        assertTrue(written != null, "no entry reached the log");
        return written;
    }

    /** As many entries as may be are under way: what comes now waits. */
    private List<Written> fill() throws InterruptedException {
        var first = other(1_000_000);
        put(first);
        var one = nextEntry();
        put(first);
        return List.of(one, nextEntry());
    }

    @Test
    void aCommandThatComesAloneLeavesAtOnceAndGetsItsReply() throws Exception {
        var outcome = offer(other(7));
        var entry = nextEntry();
        assertEquals(List.of(other(7)), entry.commands());
        assertFalse(outcome.isDone());
        entry.answer();
        assertEquals(replyTo(other(7)), outcome.get());
    }

    @Test
    void whatComesWhileEntriesAreUnderWaySharesTheNextAndEachGetsItsOwnReply() throws Exception {
        var underWay = fill();
        var outcomes = IntStream.range(0, 100).mapToObj(i -> offer(other(i))).toList();
        assertEquals(0, log.size());
        underWay.get(0).answer();
        var entry = nextEntry();
        assertEquals(100, entry.commands().size());
        entry.answer();
        for (int i = 0; i < 100; i++) {
            assertEquals(replyTo(other(i)), outcomes.get(i).get());
        }
        assertFalse(underWay.get(1).outcome().isDone(), "an entry does not wait for the one before");
    }

    /** The other peers hear that it is committed by what comes after it. */
    @Test
    void anEntryThatChangesWhatWatchersAreShownIsFollowedByOneOfItsOwn() throws Exception {
        put(other(1));
        var change = nextEntry();
        shown.set(5);
        change.answer();
        var follower = nextEntry();
        assertEquals(List.of(), follower.commands());
        follower.answer();
        put(other(2));
        var next = nextEntry();
        assertEquals(List.of(other(2)), next.commands(), "nothing has changed since");
        next.answer();
    }

    @Test
    void whereCommandsWaitTheyAreWhatFollowsAndWhatIsUnderWayIsNot() throws Exception {
        var underWay = fill();
        put(other(3));
        shown.set(5);
        underWay.get(0).answer();
        var waited = nextEntry();
        assertEquals(List.of(other(3)), waited.commands());
        shown.set(6);
        waited.answer();
        underWay.get(1).answer();
        var follower = nextEntry();
        assertEquals(List.of(), follower.commands());
        follower.answer();
        put(other(4));
        assertEquals(List.of(other(4)), nextEntry().commands(), "one was enough");
    }

    @Test
    void renewalsGoFirstConfirmationsAndOthersInTurnAndExpiriesLast() throws Exception {
        var underWay = fill();
        var waiting = List.of(
                expiry(1),
                other(2),
                other(3),
                confirmation(4),
                other(5),
                confirmation(6),
                renewal(7),
                expiry(8),
                renewal(9));
        waiting.forEach(this::put);
        assertEquals(2, queue.waiting(EntryQueue.Lane.RENEWAL));
        assertEquals(2, queue.waiting(EntryQueue.Lane.CONFIRMATION));
        assertEquals(3, queue.waiting(EntryQueue.Lane.OTHER));
        assertEquals(2, queue.waiting(EntryQueue.Lane.EXPIRY));
        underWay.get(0).answer();
        assertEquals(
                List.of(
                        renewal(7),
                        renewal(9),
                        other(2),
                        confirmation(4),
                        other(3),
                        confirmation(6),
                        other(5),
                        expiry(1),
                        expiry(8)),
                nextEntry().commands());
    }

    /** A dead owner's segments wait for this end, whatever load there is. */
    @Test
    void endsOfSessionsGoWithTheNextEntryHoweverManyOtherCommandsWait() throws Exception {
        var underWay = fill();
        for (int i = 0; i < 2 * EntryQueue.MOST_COMMANDS; i++) {
            put(other(i));
            put(confirmation(i));
        }
        put(expiry(-1));
        underWay.get(0).answer();
        var full = nextEntry().commands();
        assertEquals(EntryQueue.MOST_COMMANDS + 1, full.size());
        assertEquals(expiry(-1), full.get(full.size() - 1));
        put(expiry(-2));
        underWay.get(1).answer();
        assertTrue(nextEntry().commands().contains(expiry(-2)));
    }

    @Test
    void endsOfSessionsGoBesideACommandThatOtherwiseGoesAlone() throws Exception {
        var underWay = fill();
        put(heavy(EntryQueue.MOST_WEIGHT));
        put(heavy(EntryQueue.MOST_WEIGHT));
        put(expiry(-1));
        underWay.get(0).answer();
        assertEquals(
                List.of(heavy(EntryQueue.MOST_WEIGHT), expiry(-1)), nextEntry().commands());
    }

    @Test
    void noSessionIsEndedWhileARenewalOfItWaits() throws Exception {
        var underWay = fill();
        for (int i = 0; i < EntryQueue.MOST_COMMANDS + 1; i++) {
            put(confirmation(i));
        }
        put(expiry(EntryQueue.MOST_COMMANDS));
        put(expiry(-1));
        underWay.forEach(Written::answer);
        var first = nextEntry().commands();
        assertEquals(expiry(-1), first.get(first.size() - 1));
        assertFalse(first.contains(expiry(EntryQueue.MOST_COMMANDS)));
        assertEquals(
                List.of(confirmation(EntryQueue.MOST_COMMANDS), expiry(EntryQueue.MOST_COMMANDS)),
                nextEntry().commands());
    }

    @Test
    void endsOfSessionsAreBehindEveryRenewal() throws Exception {
        var underWay = fill();
        for (int i = 0; i < EntryQueue.MOST_COMMANDS + 1; i++) {
            put(renewal(i));
        }
        put(expiry(-1));
        underWay.forEach(Written::answer);
        assertFalse(nextEntry().commands().contains(expiry(-1)));
        assertEquals(
                List.of(renewal(EntryQueue.MOST_COMMANDS), expiry(-1)),
                nextEntry().commands());
    }

    @Test
    void endsOfSessionsHaveABoundOfTheirOwn() throws Exception {
        var underWay = fill();
        for (int i = 0; i < EntryQueue.MOST_EXPIRIES + 1; i++) {
            put(expiry(i));
        }
        underWay.get(0).answer();
        assertEquals(EntryQueue.MOST_EXPIRIES, nextEntry().commands().size());
        underWay.get(1).answer();
        assertEquals(List.of(expiry(EntryQueue.MOST_EXPIRIES)), nextEntry().commands());
    }

    @Test
    void anEntryKeepsItsBoundsAndTheRestGoesWithTheNext() throws Exception {
        var underWay = fill();
        for (int i = 0; i < EntryQueue.MOST_COMMANDS + 1; i++) {
            put(other(i));
        }
        put(heavy(EntryQueue.MOST_WEIGHT));
        put(other(-1));
        underWay.forEach(Written::answer);
        var first = nextEntry();
        assertEquals(EntryQueue.MOST_COMMANDS, first.commands().size());
        assertEquals(List.of(other(EntryQueue.MOST_COMMANDS)), nextEntry().commands());
        first.answer();
        assertEquals(
                List.of(heavy(EntryQueue.MOST_WEIGHT)),
                nextEntry().commands(),
                "what weighs more than an entry goes alone");
    }

    @Test
    void commandsWhoseAnswersAreLongShareAnEntryWithFew() throws Exception {
        var underWay = fill();
        var claim =
                Command.newBuilder().setClaim(Claim.newBuilder().setSession(1)).build();
        var fetch = Command.newBuilder()
                .setFetchTables(FetchTables.newBuilder().setSession(1))
                .build();
        for (int i = 0; i < 9; i++) {
            put(claim);
        }
        put(fetch);
        underWay.forEach(Written::answer);
        var first = nextEntry();
        assertEquals(8, first.commands().size());
        assertEquals(List.of(claim), nextEntry().commands());
        first.answer();
        assertEquals(List.of(fetch), nextEntry().commands());
    }

    /** Else a table of counters that is to be kept would wait for ever where somebody always renews. */
    @Test
    void renewalsLeaveRoomForTheHeaviestCommand() throws Exception {
        var underWay = fill();
        put(heavy(EntryQueue.MOST_WEIGHT));
        put(other(1));
        for (int i = 0; i < EntryQueue.MOST_COMMANDS; i++) {
            put(renewal(i));
        }
        underWay.get(0).answer();
        var entry = nextEntry().commands();
        assertEquals(EntryQueue.MOST_COMMANDS + 1, entry.size());
        assertEquals(heavy(EntryQueue.MOST_WEIGHT), entry.get(entry.size() - 1));
    }

    @Test
    void howeverManyConfirmationsFillEachEntryTheOthersBeginEverySecondOne() throws Exception {
        var underWay = fill();
        put(heavy(EntryQueue.MOST_WEIGHT));
        put(confirmation(1));
        put(confirmation(2));
        put(confirmation(3));
        put(confirmation(4));
        underWay.forEach(Written::answer);
        var entries = List.of(nextEntry().commands(), nextEntry().commands());
        assertTrue(entries.stream().anyMatch(entry -> entry.get(0).hasOpenSession()), entries::toString);
    }

    @Test
    void whatWaitsHasABoundInBytesToo() throws Exception {
        var underWay = fill();
        int heavy = (int) (MOST_BYTES / 3);
        put(heavy(heavy));
        put(heavy(heavy));
        assertTrue(queue.offer(heavy(heavy)).isEmpty());
        assertEquals(1, queue.refusals(EntryQueue.Lane.OTHER));
        put(renewal(1));
        underWay.get(0).answer();
        assertEquals(2, nextEntry().commands().size());
        put(heavy(heavy));
    }

    @Test
    void aFullQueueRefusesAndTheOthersGoOn() throws Exception {
        var underWay = fill();
        for (int i = 0; i < EntryQueue.MOST_WAITING; i++) {
            put(other(i));
        }
        assertEquals(0, queue.refusals(EntryQueue.Lane.OTHER));
        assertTrue(queue.offer(other(-1)).isEmpty());
        assertTrue(queue.offer(other(-2)).isEmpty());
        assertEquals(2, queue.refusals(EntryQueue.Lane.OTHER));
        assertEquals(0, queue.refusals(EntryQueue.Lane.RENEWAL));
        put(renewal(1));
        put(confirmation(2));
        put(expiry(3));
        underWay.get(0).answer();
        nextEntry();
        put(other(-1));
    }

    @Test
    void aFailedEntryLeavesTheOutcomeOfEachOfItsCommandsUnknownAndTheNextGoesOn() throws Exception {
        var underWay = fill();
        var one = offer(other(1));
        var two = offer(other(2));
        underWay.get(0).answer();
        nextEntry().outcome().completeExceptionally(new IOException("not leader"));
        assertEquals("not leader", failureOf(one));
        assertEquals("not leader", failureOf(two));
        var later = offer(other(3));
        nextEntry().answer();
        assertEquals(replyTo(other(3)), later.get());
    }

    private static String failureOf(CompletableFuture<Reply> outcome) {
        var failure = assertThrows(ExecutionException.class, outcome::get);
        return String.valueOf(Objects.requireNonNull(failure.getCause()).getMessage());
    }

    @Test
    void anEntryThatIsAnsweredInPartAnswersNobody() throws Exception {
        var underWay = fill();
        var one = offer(other(1));
        var two = offer(other(2));
        underWay.get(0).answer();
        nextEntry().outcome().complete(List.of(replyTo(other(1))));
        assertEquals("an entry of 2 commands was answered with 1 replies", failureOf(one));
        assertEquals("an entry of 2 commands was answered with 1 replies", failureOf(two));
    }

    @Test
    void outcomesOfOneEntryAreToldInOneGo() throws Exception {
        var underWay = fill();
        var one = offer(other(1));
        var two = offer(other(2));
        underWay.get(0).answer();
        int before = tellings.get();
        nextEntry().answer();
        assertEquals(replyTo(other(1)), one.get());
        assertEquals(replyTo(other(2)), two.get());
        assertEquals(before + 1, tellings.get());
    }

    @Test
    void whereNobodyTellsAnyMoreOutcomesAreToldAllTheSame() throws Exception {
        try (var left = new EntryQueue(
                commands -> CompletableFuture.completedFuture(
                        commands.stream().map(EntryQueueTest::replyTo).toList()),
                shown::get,
                outcomes -> {
                    throw new RejectedExecutionException("the event loop has ended");
                })) {
            assertEquals(replyTo(other(1)), left.offer(other(1)).orElseThrow().get(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void aLogThatThrowsIsAFailureLikeAnother() {
        try (var broken = new EntryQueue(
                commands -> {
                    throw new IllegalStateException("closed");
                },
                shown::get,
                Runnable::run)) {
            assertEquals("closed", failureOf(broken.offer(other(1)).orElseThrow()));
            assertEquals("closed", failureOf(broken.offer(other(2)).orElseThrow()));
        }
    }

    @Test
    void whatWaitsWhenThePeerStopsFails() throws Exception {
        fill();
        var waiting = offer(other(1));
        queue.close();
        assertEquals("this peer is stopping", failureOf(waiting));
    }
}
