package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonObject;

/**
 * Calls for users whom nothing was done to: their owners and the way to them were left alone.
 *
 * @param calls how many of them ended
 * @param failed how many of these were refused or without an answer
 */
public record Bystanders(long calls, long failed) {
    /** Where nobody was left alone, or nobody looked. */
    public static final Bystanders NONE = new Bystanders(0, 0);

    /** Of so many calls one may fail; fewer calls may have one that does. */
    private static final long ONE_IN = 1_000;

    /** Whether more of them failed than may. */
    public boolean areHarmed() {
        return failed > Math.max(1, calls / ONE_IN);
    }

    /** These and others. */
    public Bystanders plus(Bystanders others) {
        return new Bystanders(calls + others.calls, failed + others.failed);
    }

    /** How many of them failed, for people: "0 of 2,400", or a dash where there are none. */
    public String share() {
        return calls == 0 ? "\u2013" : Units.count(failed) + " of " + Units.count(calls);
    }

    JsonObject toJson() {
        return new JsonObject().put("calls", calls).put("failed", failed);
    }

    static Bystanders from(Fields fields) {
        return new Bystanders(fields.whole("calls"), fields.whole("failed"));
    }
}
