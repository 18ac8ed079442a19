package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The fields of one object of a run file. Every reading throws {@link UnreadableRunFile} if the field is missing or is
 * of another kind.
 */
final class Fields {
    private static final String ADVICE = "; the file is damaged, or './seqsvr chaos run --report' did not write it:"
            + " take it out of the directory, or repeat the run";

    private final String file;
    private final String path;
    private final JsonObject json;

    private Fields(String file, String path, JsonObject json) {
        this.file = file;
        this.path = path;
        this.json = json;
    }

    /** Those of the outermost object of a file, by whose name errors call it. */
    static Fields of(String file, JsonObject json) {
        return new Fields(file, "", json);
    }

    /** Words as they are. */
    String text(String name) {
        return value(name, String.class, "text");
    }

    /** A whole number. */
    long whole(String name) {
        var number = value(name, Number.class, "a number");
        if (number.longValue() != number.doubleValue()) {
            throw wrong(name, "is " + number + " and must be a whole number");
        }
        return number.longValue();
    }

    /** Whether there is a field of that name. */
    boolean has(String name) {
        return json.containsKey(name);
    }

    /** A whole number that fits into 32 bits. */
    int small(String name) {
        long number = whole(name);
        if (number != (int) number) {
            throw wrong(name, "is " + number + " and must fit into 32 bits");
        }
        return (int) number;
    }

    /** A number, whole or not. */
    double number(String name) {
        return value(name, Number.class, "a number").doubleValue();
    }

    /** A time as ISO 8601 writes it. */
    Instant instant(String name) {
        var text = text(name);
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            throw wrong(name, "is '" + text + "' and must be a time such as 2026-11-22T11:45:00Z");
        }
    }

    /** One of the constants of an enum, written in small letters. */
    <E extends Enum<E>> E word(String name, Class<E> kind) {
        var text = text(name);
        for (var constant : kind.getEnumConstants()) {
            if (word(constant).equals(text)) {
                return constant;
            }
        }
        var words = Arrays.stream(kind.getEnumConstants()).map(Fields::word).collect(Collectors.joining(", "));
        throw wrong(name, "is '" + text + "' and must be one of " + words);
    }

    /** How {@link #word(String, Class)} wants a constant to be written. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** An object as it is. */
    JsonObject json(String name) {
        return value(name, JsonObject.class, "an object");
    }

    /** The fields of an object. */
    Fields object(String name) {
        return new Fields(file, path + name + ".", json(name));
    }

    /** The fields of each object of a list. */
    List<Fields> objects(String name) {
        var array = value(name, JsonArray.class, "a list");
        var objects = new ArrayList<Fields>();
        for (int i = 0; i < array.size(); i++) {
            var place = name + "[" + i + "]";
            if (!(array.getValue(i) instanceof JsonObject object)) {
                throw wrong(place, "is " + array.getValue(i) + " and must be an object");
            }
            objects.add(new Fields(file, path + place + ".", object));
        }
        return objects;
    }

    /** A list of words. */
    List<String> texts(String name) {
        var array = value(name, JsonArray.class, "a list");
        var texts = new ArrayList<String>();
        for (int i = 0; i < array.size(); i++) {
            if (!(array.getValue(i) instanceof String text)) {
                throw wrong(name + "[" + i + "]", "is " + array.getValue(i) + " and must be text");
            }
            texts.add(text);
        }
        return texts;
    }

    /** The whole object, as it stands in the file. */
    JsonObject whole() {
        return json;
    }

    private <T> T value(String name, Class<T> type, String kind) {
        var value = json.getValue(name);
        if (value == null) {
            throw wrong(name, "is missing");
        }
        if (!type.isInstance(value)) {
            throw wrong(name, "is " + value + " and must be " + kind);
        }
        return type.cast(value);
    }

    private UnreadableRunFile wrong(String name, String problem) {
        return new UnreadableRunFile(file, path + name + " " + problem + ADVICE);
    }
}
