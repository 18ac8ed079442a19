package io.seqsvr.cli;

import io.seqsvr.core.namespace.Namespace;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Namespaces with their settings, for people and for scripts. */
final class NamespaceReport {
    private static final List<String> COLUMNS = List.of(
            "NAMESPACE",
            "KEYING",
            "ORDER",
            "ID",
            "CAPACITY",
            "SEGMENT_SIZE",
            "STEP",
            "MAX_COUNT",
            "MAX_JUMP",
            "MAX_SEQUENCE");

    private static final int FIRST_NUMBER = 3;

    private NamespaceReport() {}

    static String text(List<Namespace> namespaces) {
        var rows = Stream.concat(Stream.of(COLUMNS), namespaces.stream().map(NamespaceReport::row))
                .toList();
        return Columns.lines(rows, FIRST_NUMBER).stream().collect(Collectors.joining(System.lineSeparator()));
    }

    private static List<String> row(Namespace namespace) {
        return List.of(
                namespace.name(),
                word(namespace.keying()),
                word(namespace.order()),
                Integer.toString(namespace.id()),
                Long.toString(namespace.capacity()),
                Integer.toString(namespace.segmentSize()),
                Long.toString(namespace.step()),
                Integer.toString(namespace.maxCount()),
                Long.toString(namespace.maxJump()),
                Long.toString(namespace.maxSequence()));
    }

    /** As settings spell it. */
    private static String word(Enum<?> setting) {
        return setting.name().toLowerCase(Locale.ROOT);
    }

    static JsonArray json(List<Namespace> namespaces) {
        var all = new JsonArray();
        namespaces.forEach(namespace -> all.add(json(namespace)));
        return all;
    }

    static JsonObject json(Namespace namespace) {
        return new JsonObject()
                .put("name", namespace.name())
                .put("id", namespace.id())
                .put("capacity", Long.toString(namespace.capacity()))
                .put("segment_size", namespace.segmentSize())
                .put("keying", word(namespace.keying()))
                .put("order", word(namespace.order()))
                .put("step", Long.toString(namespace.step()))
                .put("max_count", namespace.maxCount())
                .put("max_jump", Long.toString(namespace.maxJump()))
                .put("max_sequence", Long.toString(namespace.maxSequence()));
    }
}
