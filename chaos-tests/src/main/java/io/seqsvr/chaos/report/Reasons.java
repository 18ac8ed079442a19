package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** Why a run is no pass, as its result says it. */
final class Reasons {
    private Reasons() {}

    /** In words, the worst first; empty if it is one. */
    static List<String> of(RunFile run) {
        return Stream.of("broken", "missed", "doubts")
                .flatMap(name -> texts(run.result(), name))
                .toList();
    }

    private static Stream<String> texts(JsonObject result, String name) {
        var array = result.getJsonArray(name);
        return array == null ? Stream.of() : array.stream().map(String::valueOf);
    }
}
