package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.check.HistoryChecker;
import io.seqsvr.chaos.check.Operation;
import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.LoadPlan;
import io.seqsvr.client.SequenceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The users that the process tests ask for: in seven segments of 100,000, three of them hot. */
final class Crowd {
    /** The timeout of a call: below it, no test can tell a slow machine from a lost reply. */
    static final Duration CALL = Duration.ofSeconds(5);

    private static final int CLIENTS = 3;
    private static final Map<Long, Integer> CALLS_AT_ONCE = Map.of(
            1L, 1,
            2L, 1,
            150_000L, 1,
            1_234_567L, 1,
            4_000_000_000L, 1,
            7L, CLIENTS,
            777_777L, CLIENTS,
            99_999_999L, CLIENTS,
            3_999_999_999L, 1);

    private Crowd() {}

    static LoadPlan load() {
        return LoadPlan.untilStopped(DevCluster.NAMESPACE, CALLS_AT_ONCE, CLIENTS, CALL);
    }

    /** On a fresh directory everybody begins at 1. */
    static void takesItsFirstSequences(History history, Endpoint endpoint) {
        try (var client = SequenceClient.of(endpoint.host(), endpoint.port(), CALL)) {
            for (long uid : CALLS_AT_ONCE.keySet()) {
                var call = history.invoke(uid);
                var range = SequenceClient.join(client.next(DevCluster.NAMESPACE, uid, 1));
                call.returned(range.first(), range.last(), range.epoch());
                assertEquals(1, range.first(), "first sequence of user " + uid + " on a fresh directory");
                assertEquals(1, range.last(), "last of the first range of user " + uid);
            }
        }
    }

    /**
     * The history keeps the guarantee, and could have shown if it were otherwise: in each span every user has a call that
     * began and was answered within it, so that each gap between two spans was straddled by every user.
     */
    static void wasServedRightly(History history, List<Span> spans) {
        var operations = history.operations();
        for (Span span : spans) {
            for (long uid : CALLS_AT_ONCE.keySet()) {
                assertTrue(
                        operations.stream().anyMatch(operation -> operation.uid() == uid && span.holds(operation)),
                        () -> "inconclusive: user " + uid + " has no answered call in " + span);
            }
        }
        var verdict = HistoryChecker.check(operations);
        assertTrue(verdict.holds(), verdict::toString);
        System.out.println(verdict + "; " + history.counts() + "; each of " + (spans.size() - 1)
                + " restarts straddled by each user");
    }

    /**
     * A time in which one process served.
     *
     * @param from tick before its first call
     * @param to tick before it was told to end, or killed
     */
    record Span(long from, long to) {
        private boolean holds(Operation operation) {
            return operation.invoked() > from && operation.returned() < to;
        }
    }
}
