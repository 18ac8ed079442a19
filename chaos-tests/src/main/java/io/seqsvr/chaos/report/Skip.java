package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonObject;

/**
 * What a run could not try.
 *
 * @param cell what it would have been, as {@link Round#cell()} says it
 * @param why what the machine or the cluster lacks, in words
 */
public record Skip(String cell, String why) {
    /** As it stands in the file. */
    public JsonObject toJson() {
        return new JsonObject().put("cell", cell).put("why", why);
    }

    static Skip from(Fields fields) {
        return new Skip(fields.text("cell"), fields.text("why"));
    }
}
