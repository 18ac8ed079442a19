package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Operation;
import io.seqsvr.chaos.check.Verdict;
import io.seqsvr.chaos.report.Witness;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The first answers that broke a promise, with those that they broke it against. Safe for use by many threads. */
final class Witnesses {
    private static final int MOST = 10;

    private record Seen(String rule, String words, List<Operation.Answered> operations) {}

    private final List<Seen> all = new ArrayList<>();

    synchronized void add(String rule, String words, List<? extends Operation.Answered> operations) {
        if (all.size() < MOST) {
            all.add(new Seen(rule, words, List.copyOf(operations)));
        }
    }

    /** The same, and what a history shows as a whole: in words, as it keeps no times. */
    synchronized Witnesses with(Verdict whole) {
        var more = new Witnesses();
        more.all.addAll(all);
        whole.violations().forEach(violation -> more.add(violation.rule().toString(), violation.toString(), List.of()));
        return more;
    }

    /**
     * For a report.
     *
     * @param begunNanos from when its times count
     */
    synchronized List<Witness> since(long begunNanos) {
        return all.stream()
                .map(seen -> new Witness(
                        seen.rule(),
                        seen.words(),
                        seen.operations().stream()
                                .map(operation -> json(operation, begunNanos))
                                .toList()))
                .toList();
    }

    private static JsonObject json(Operation.Answered operation, long begunNanos) {
        var json = new JsonObject().put("uid", Long.toUnsignedString(operation.uid()));
        if (operation instanceof Operation.Next next) {
            json.put("first", Long.toString(next.first()))
                    .put("last", Long.toString(next.last()))
                    .put("epoch", Long.toUnsignedString(next.epoch()));
        } else if (operation instanceof Operation.Current reading) {
            json.put("read", Long.toString(reading.seq())).put("exact", reading.exact());
        }
        return json.put("begun_ms", TimeUnit.NANOSECONDS.toMillis(operation.invoked() - begunNanos))
                .put("ended_ms", TimeUnit.NANOSECONDS.toMillis(operation.returned() - begunNanos));
    }
}
