package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.check.HistoryChecker;
import io.seqsvr.chaos.check.Power;
import io.seqsvr.chaos.check.Rule;
import io.seqsvr.chaos.check.Verdict;
import io.seqsvr.chaos.check.Violation;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.vertx.grpc.common.GrpcStatus;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The load against servers that are right, and against servers that are wrong in the ways that it must uncover. */
@Timeout(60)
final class LoadTest {
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final long HOT = 7;
    private static final long COLD = 1;
    private static final int CALLS = 3_000;

    private History history = new History();
    private final Map<Long, Long> lastByUid = new HashMap<>();
    private int calls;

    @Test
    void aRightServerPassesWithEveryCallAnswered() {
        var verdict = loadOn(this::count, 3);
        assertTrue(verdict.holds(), verdict::toString);
        assertEquals(2, verdict.users());
        assertEquals(new History.Counts(CALLS, CALLS, 0, 0), history.counts());
    }

    @Test
    void aServerThatRepeatsASequenceIsCaught() {
        var verdict = loadOn(
                (connection, request) -> {
                    var right = count(connection, request);
                    return calls == CALLS / 2 ? Counting.reply(request, right.getLast() - 1) : right;
                },
                1);
        assertTrue(rules(verdict).contains(Rule.UNIQUE), verdict::toString);
    }

    @Test
    void aServerThatCountsPerConnectionIsCaughtByTheCallOverAnotherOneOnly() {
        Counting perConnection = (connection, request) -> {
            long last = lastByUid.merge(request.getUid() << 8 | connection, request.getCount(), Long::sum);
            return Counting.reply(request, connection * 1_000_000L + last);
        };
        assertTrue(loadOn(perConnection, 1).holds());
        assertEquals(EnumSet.of(Rule.ORDERED), rules(loadOn(perConnection, 2)));
    }

    @Test
    void aRefusedCallIsTriedAgainAndIsNoAnswer() {
        var asked = new AtomicLong();
        var verdict = loadOn(
                (connection, request) -> {
                    if (asked.incrementAndGet() % 10 == 0) {
                        throw RpcException.retryable(
                                GrpcStatus.UNAVAILABLE, ErrorReason.LEASE_EXPIRED, "the lease has run out", 1);
                    }
                    return count(connection, request);
                },
                2);
        assertTrue(verdict.holds(), verdict::toString);
        var counts = history.counts();
        assertTrue(counts.refused() > 0);
        assertEquals(new History.Counts(CALLS, CALLS - counts.refused(), counts.refused(), 0), counts);
    }

    @Test
    void aServerThatDiesUnderTheLoadLeavesUnknownOutcomes() {
        var server = new CountingServer(this::count);
        try (var load = Load.start(
                history, server.endpoint(), LoadPlan.untilStopped("default", Map.of(HOT, 3, COLD, 1), 2, WITHIN))) {
            load.awaitAnswers(500, 10, WITHIN);
            server.close();
            load.awaitFailures(1, WITHIN);
        }
        var counts = history.counts();
        assertTrue(counts.unknown() > 0, counts::toString);
        assertEquals(counts.invoked(), counts.answered() + counts.refused() + counts.unknown());
        assertTrue(HistoryChecker.check(history.operations()).holds());
    }

    @Test
    void twoDoorsAreAskedInTurnEachForRangesToo() {
        var asked = new AtomicLong();
        var ranges = new AtomicLong();
        try (var one = new CountingServer(this::count);
                var other = new CountingServer((connection, request) -> {
                    asked.incrementAndGet();
                    ranges.addAndGet(request.getCount() > 1 ? 1 : 0);
                    throw RpcException.retryable(GrpcStatus.FAILED_PRECONDITION, ErrorReason.NOT_OWNER, "not mine", 1);
                });
                var load = Load.start(
                        history,
                        Doors.inTurn(List.of(one.endpoint(), other.endpoint())),
                        new LoadPlan("default", Map.of(COLD, 1), 1, WITHIN, 40, Duration.ZERO, 0, 0, false))) {
            load.awaitEnd(WITHIN);
        }
        assertEquals(20, asked.get());
        assertEquals(3, ranges.get(), "turns 7, 21 and 35");
        assertEquals(new History.Counts(40, 20, 20, 0), history.counts());
        assertEquals(20, Power.of(history.operations()).deposed(), "whoever is not the owner says so");
    }

    @Test
    void aDoorHasAnsweredOnceACallThatBeganSinceBroughtSomething() {
        long begun = System.nanoTime();
        var mayAnswer = new CountDownLatch(1);
        try (var one = new CountingServer(this::count);
                var other = new CountingServer((connection, request) -> {
                    awaitQuietly(mayAnswer);
                    return Counting.reply(request, 1_000_000);
                });
                var load = Load.start(
                        history,
                        Doors.inTurn(List.of(one.endpoint(), other.endpoint())),
                        LoadPlan.untilStopped("default", Map.of(COLD, 1), 1, WITHIN))) {
            load.awaitAnswers(1, 1, WITHIN);
            assertFalse(load.everyDoorAnsweredSince(begun), "the other one has not");
            mayAnswer.countDown();
            load.awaitAnswers(10, 10, WITHIN);
            assertTrue(load.everyDoorAnsweredSince(begun));
            long nobodyYet = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
            assertFalse(load.everyDoorAnsweredSince(nobodyYet), "no call has begun since");
        }
    }

    @Test
    void aDoorThatOnlyTellsTheLastNumberHasGivenNone() {
        long begun = System.nanoTime();
        try (var one = new CountingServer(this::count);
                var other = new CountingServer((connection, request) -> {
                    throw RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "not now", 1);
                });
                var load = Load.start(
                        history,
                        Doors.inTurn(List.of(one.endpoint(), other.endpoint())),
                        LoadPlan.untilStopped("default", Map.of(COLD, 1), 1, WITHIN)
                                .withReads(2))) {
            load.awaitAnswers(20, 20, WITHIN);
            assertTrue(other.readings() > 0, "it was read");
            assertFalse(load.everyDoorAnsweredSince(begun), "it gave nothing");
        }
    }

    @Test
    void whoIsRefusedANumberAsksForOneUntilItIsGivenOne() {
        var refusals = new AtomicLong(20);
        try (var server = new CountingServer((connection, request) -> {
                    if (refusals.getAndDecrement() > 0) {
                        throw RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, "not now", 1);
                    }
                    return count(connection, request);
                });
                var load = Load.start(
                        history,
                        server.endpoint(),
                        LoadPlan.untilStopped("default", Map.of(COLD, 1), 1, WITHIN)
                                .withReads(5))) {
            load.awaitFailures(20, WITHIN);
            assertEquals(0, server.readings());
            load.awaitAnswers(10, 10, WITHIN);
            assertTrue(server.readings() > 0, "it catches up on readings");
        }
    }

    @Test
    void aReplyThatMakesNoSenseIsToldAtOnce() throws InterruptedException {
        var told = new LinkedBlockingQueue<String>();
        try (var server = new CountingServer((connection, request) ->
                count(connection, request).toBuilder().setUid(8).build())) {
            var load = Load.start(
                    history,
                    Doors.inTurn(List.of(server.endpoint())),
                    LoadPlan.untilStopped("default", Map.of(COLD, 1), 1, WITHIN),
                    told::add);
            var words = String.valueOf(told.poll(WITHIN.toMillis(), TimeUnit.MILLISECONDS));
            load.breakOff();
            assertTrue(words.contains("but the server answered Given[uid=8,"), words);
        }
    }

    @Test
    void aLoadThatIsBrokenOffWaitsForNobody() {
        var asked = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        try (var server = new CountingServer((connection, request) -> {
            asked.countDown();
            awaitQuietly(never);
            return count(connection, request);
        })) {
            var load = Load.start(
                    history, server.endpoint(), LoadPlan.untilStopped("default", Map.of(COLD, 1), 1, WITHIN));
            awaitQuietly(asked);
            load.breakOff();
            assertEquals(0, history.counts().answered());
            assertEquals(Optional.empty(), load.nonsense());
            never.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertTrue(latch.await(WITHIN.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void aReplyToAnotherUserEndsTheLoad() {
        assertEndsTheLoad(
                (connection, request) ->
                        count(connection, request).toBuilder().setUid(8).build(),
                "but the server answered Given[uid=8,");
    }

    @Test
    void moreSequencesThanAskedForEndTheLoad() {
        assertEndsTheLoad(
                (connection, request) -> {
                    var right = count(connection, request);
                    return right.toBuilder().setLast(right.getLast() + 1).build();
                },
                "asked for ");
    }

    @Test
    void aFalseSuccessWithSequenceZeroEndsTheLoad() {
        assertEndsTheLoad((connection, request) -> Counting.reply(request, 0), "is no range of sequences");
    }

    @Test
    void aCallThatCanNeverSucceedEndsTheLoad() {
        assertEndsTheLoad(
                (connection, request) -> {
                    throw RpcException.of(
                            GrpcStatus.NOT_FOUND, ErrorReason.NAMESPACE_UNKNOWN, "no namespace \"default\"");
                },
                "no namespace \"default\"");
    }

    private NextReply count(int connection, NextRequest request) {
        calls++;
        return Counting.reply(request, lastByUid.merge(request.getUid(), request.getCount(), Long::sum));
    }

    private Verdict loadOn(Counting counting, int clients) {
        lastByUid.clear();
        history = new History();
        try (var server = new CountingServer(counting);
                var load = Load.start(
                        history,
                        server.endpoint(),
                        new LoadPlan(
                                "default",
                                Map.of(HOT, 3, COLD, 1),
                                clients,
                                WITHIN,
                                CALLS,
                                Duration.ZERO,
                                0,
                                0,
                                false))) {
            load.awaitEnd(WITHIN);
        }
        return HistoryChecker.check(history.operations());
    }

    private void assertEndsTheLoad(Counting counting, String words) {
        var failure = assertThrows(IllegalStateException.class, () -> loadOn(counting, 1));
        var message = String.valueOf(failure.getMessage());
        assertTrue(message.contains(words), message);
        assertFalse(message.contains("still ran"), message);
    }

    private static Set<Rule> rules(Verdict verdict) {
        return verdict.violations().stream().map(Violation::rule).collect(Collectors.toSet());
    }
}
