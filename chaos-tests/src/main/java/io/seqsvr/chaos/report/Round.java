package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * What was done together in a run, and what came of it.
 *
 * @param number which round of its run, from 1
 * @param cell what was tried: "kill-allocator", and where several things were done, all in one order:
 *     "kill-allocator + pause-router"
 * @param faults what was done to which node, "kill alloc-2" for example
 * @param begunMillis when the first of them began, in milliseconds since the run's begin
 * @param endedMillis when all was well again after they were undone, in milliseconds since the run's begin
 * @param boundMillis for how long a user might wait
 * @param waitedMillis the longest that a user waited because of it; 0 if nobody did
 * @param waits how often a user waited because of it
 * @param bystanders calls for users whom it was not to touch
 * @param verdict what it comes to
 * @param words why it is no pass; empty if it is one
 */
public record Round(
        int number,
        String cell,
        List<String> faults,
        long begunMillis,
        long endedMillis,
        long boundMillis,
        long waitedMillis,
        long waits,
        Bystanders bystanders,
        RoundVerdict verdict,
        List<String> words) {
    /** Keeps copies. */
    public Round {
        faults = List.copyOf(faults);
        words = List.copyOf(words);
    }

    /** As it stands in the file. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("number", number)
                .put("cell", cell)
                .put("faults", new JsonArray(faults))
                .put("begun_ms", begunMillis)
                .put("ended_ms", endedMillis)
                .put("bound_ms", boundMillis)
                .put("waited_ms", waitedMillis)
                .put("waits", waits)
                .put("bystanders", bystanders.toJson())
                .put("verdict", Fields.word(verdict))
                .put("words", new JsonArray(words));
    }

    static Round from(Fields fields) {
        return new Round(
                fields.small("number"),
                fields.text("cell"),
                fields.texts("faults"),
                fields.whole("begun_ms"),
                fields.whole("ended_ms"),
                fields.whole("bound_ms"),
                fields.whole("waited_ms"),
                fields.whole("waits"),
                Bystanders.from(fields.object("bystanders")),
                fields.word("verdict", RoundVerdict.class),
                fields.texts("words"));
    }
}
