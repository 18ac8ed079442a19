package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonObject;

/**
 * What users saw in one second of a run.
 *
 * @param second which one, from 0 at the run's begin
 * @param answered calls that were answered in it
 * @param refused calls that a typed "no" ended
 * @param unknown calls that ended without an answer
 * @param p50Micros half of the answers took at most this, in microseconds; 0 if there was no answer
 * @param p99Micros 99 of 100 answers took at most this, in microseconds; 0 if there was no answer
 * @param maxMicros the slowest answer took this, in microseconds; 0 if there was no answer
 */
public record Second(
        int second, long answered, long refused, long unknown, long p50Micros, long p99Micros, long maxMicros) {
    /** As it stands in the file. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("second", second)
                .put("answered", answered)
                .put("refused", refused)
                .put("unknown", unknown)
                .put("p50_us", p50Micros)
                .put("p99_us", p99Micros)
                .put("max_us", maxMicros);
    }

    static Second from(Fields fields) {
        return new Second(
                fields.small("second"),
                fields.whole("answered"),
                fields.whole("refused"),
                fields.whole("unknown"),
                fields.whole("p50_us"),
                fields.whole("p99_us"),
                fields.whole("max_us"));
    }
}
