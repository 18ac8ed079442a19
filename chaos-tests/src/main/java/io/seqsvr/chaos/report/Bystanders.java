package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonObject;

/**
 * Calls for users whom a fault was not to touch: their owners and the way to them were left alone.
 *
 * @param calls how many there were
 * @param failed how many of these were refused or without an answer
 * @param mostInARow how many of one user's calls failed one after the other
 */
public record Bystanders(long calls, long failed, long mostInARow) {
    /** Where nobody was left alone, or nobody looked. */
    public static final Bystanders NONE = new Bystanders(0, 0, 0);

    /** With fewer calls, of which one may fail, nobody could have noticed anything. */
    public static final long ENOUGH = 50;

    /** Of so many calls one may fail; fewer calls may have one that does. */
    private static final long ONE_IN = 1_000;
    /** One user's calls may fail so often in turn: more would be a user who is not served. */
    private static final long IN_A_ROW = 2;

    /** Whether they noticed more than they may. */
    public boolean areHarmed() {
        return failed > Math.max(1, calls / ONE_IN) || mostInARow > IN_A_ROW;
    }

    /** These and others. */
    public Bystanders plus(Bystanders others) {
        return new Bystanders(calls + others.calls, failed + others.failed, Math.max(mostInARow, others.mostInARow));
    }

    /** How many of them failed, for people: "0 of 2,400", or a dash where there are none. */
    public String share() {
        return calls == 0 ? "-" : Units.count(failed) + " of " + Units.count(calls);
    }

    JsonObject toJson() {
        return new JsonObject().put("calls", calls).put("failed", failed).put("most_in_a_row", mostInARow);
    }

    static Bystanders from(Fields fields) {
        return new Bystanders(fields.whole("calls"), fields.whole("failed"), fields.whole("most_in_a_row"));
    }
}
