package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.check.HistoryChecker;
import io.seqsvr.chaos.check.Operation;
import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Load;
import io.seqsvr.chaos.process.LoadPlan;
import io.seqsvr.client.SequenceClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Users in seven segments of 100,000, three of them hot, with the history of what one cluster gave them. */
final class Crowd {
    /** How long a call may take: ample, for a reply given up is a reply that the checker does not see. */
    private static final Duration CALL = Duration.ofSeconds(5);

    private static final Duration ANSWERS_TAKE = Duration.ofSeconds(60);
    private static final int CLIENTS = 3;
    private static final Map<Long, Integer> CALLS_AT_ONCE = Map.of(
            1L, 1,
            2L, 1,
            150_000L, 1,
            1_234_567L, 1,
            3_999_999_999L, 1,
            4_000_000_000L, 1,
            7L, CLIENTS,
            777_777L, CLIENTS,
            99_999_999L, CLIENTS);

    private final History history = new History();
    private final List<Span> spans = new ArrayList<>();

    /** On a fresh directory everybody begins at 1. */
    void takesItsFirstSequencesFrom(DevCluster cluster) {
        try (var client = clientOf(cluster)) {
            for (long uid : CALLS_AT_ONCE.keySet()) {
                var call = history.invoke(uid);
                var range = SequenceClient.join(client.next(DevCluster.NAMESPACE, uid, 1));
                call.returned(range.first(), range.last(), range.epoch());
                assertEquals(1, range.last(), "first sequence of user " + uid + " on a fresh directory");
            }
        }
    }

    /**
     * Asks until it has had so many answers, and at least one for each user; goes on asking while {@code then} happens.
     */
    void asks(DevCluster cluster, long answers, Consumer<Load> then) {
        var plan = LoadPlan.untilStopped(DevCluster.NAMESPACE, CALLS_AT_ONCE, CLIENTS, CALL);
        long from = history.mark();
        try (var load = Load.start(history, cluster.endpoint(), plan)) {
            load.awaitAnswers(answers, 1, ANSWERS_TAKE);
            spans.add(new Span(from, history.mark()));
            then.accept(load);
        }
    }

    /**
     * The history keeps the guarantee, and could have shown if it did not: in each span every user has a call that
     * began and was answered within it, so that every user straddles every restart.
     */
    void wasServedRightly() {
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
        System.out.println(
                verdict + "; " + history.counts() + "; restarts straddled by each user: " + (spans.size() - 1));
    }

    /** Every user got 1, 2, 3 and so on: nothing was left out, also where the owner changed. */
    void wasServedWithoutAGap() {
        for (long uid : CALLS_AT_ONCE.keySet()) {
            var ranges = history.operations().stream()
                    .filter(operation -> operation.uid() == uid && operation instanceof Operation.Next)
                    .map(Operation.Next.class::cast)
                    .sorted(Comparator.comparingLong(Operation.Next::first))
                    .toList();
            long last = 0;
            for (var range : ranges) {
                assertEquals(last + 1, range.first(), "a gap before " + range);
                last = range.last();
            }
            long epochs = ranges.stream().map(Operation.Next::epoch).distinct().count();
            assertEquals(2, epochs, "user " + uid + " was served under so many epochs");
        }
    }

    static SequenceClient clientOf(DevCluster cluster) {
        return SequenceClient.of(cluster.endpoint().host(), cluster.endpoint().port(), CALL);
    }

    /** The time in which one process served, in ticks: after {@code from} and before {@code to}. */
    private record Span(long from, long to) {
        private boolean holds(Operation operation) {
            return operation.invoked() > from && operation.returned() < to;
        }
    }
}
