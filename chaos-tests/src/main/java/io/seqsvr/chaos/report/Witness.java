package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * Operations that cannot all be right.
 *
 * @param rule what they break, "UNIQUE" or "ORDERED" for example
 * @param words the same for people
 * @param operations each with all that was seen of it: uid, first, last, epoch, begun, ended and what else there is
 */
public record Witness(String rule, String words, List<JsonObject> operations) {
    /** Keeps copies. */
    public Witness {
        operations = operations.stream().map(JsonObject::copy).toList();
    }

    /** As it stands in the file. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("rule", rule)
                .put("words", words)
                .put(
                        "operations",
                        new JsonArray(operations.stream().map(JsonObject::copy).toList()));
    }

    static Witness from(Fields fields) {
        return new Witness(
                fields.text("rule"),
                fields.text("words"),
                fields.objects("operations").stream().map(Fields::whole).toList());
    }
}
