package io.seqsvr.chaos.proxy;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The fields of a JSON object that somebody sent; throws a {@link Refusal} where a field is not what it must be. */
record JsonFields(JsonObject json) {
    /** Reads an object; an empty text is an empty one. */
    static JsonFields parse(String text) {
        if (text.isBlank()) {
            return new JsonFields(new JsonObject());
        }
        if (decode(text) instanceof JsonObject json) {
            return new JsonFields(json);
        }
        throw Refusal.bad("bad request body: it is no JSON object");
    }

    /** Reads an array of objects. */
    static List<JsonFields> parseAll(String text) {
        if (!(decode(text) instanceof JsonArray array)) {
            throw Refusal.bad("bad request body: it is no JSON array");
        }
        var all = new ArrayList<JsonFields>();
        for (Object each : array) {
            if (!(each instanceof JsonObject json)) {
                throw Refusal.bad("bad request body: " + each + " is no JSON object");
            }
            all.add(new JsonFields(json));
        }
        return all;
    }

    /** A string; the other one if the field is not there. */
    String text(String name, String otherwise) {
        var value = json.getValue(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof String text) {
            return text;
        }
        throw wrong(name, "a string");
    }

    /** A whole number; 0 if the field is not there. */
    long number(String name) {
        var value = json.getValue(name);
        if (value == null) {
            return 0;
        }
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        throw wrong(name, "a whole number");
    }

    /** Any number; the other one if the field is not there. */
    double fraction(String name, double otherwise) {
        var value = json.getValue(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw wrong(name, "a number");
    }

    /** True or false; the other one if the field is not there. */
    boolean flag(String name, boolean otherwise) {
        var value = json.getValue(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(name, "true or false");
    }

    /** An object; an empty one if the field is not there. */
    JsonObject object(String name) {
        var value = json.getValue(name);
        if (value == null) {
            return new JsonObject();
        }
        if (value instanceof JsonObject object) {
            return object;
        }
        throw wrong(name, "an object");
    }

    /** Strings; empty if the field is not there. */
    Optional<List<String>> texts(String name) {
        var value = json.getValue(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof JsonArray array && array.stream().allMatch(String.class::isInstance)) {
            return Optional.of(array.stream().map(String.class::cast).toList());
        }
        throw wrong(name, "an array of strings");
    }

    private static Object decode(String text) {
        try {
            return Json.decodeValue(text);
        } catch (DecodeException broken) {
            throw Refusal.bad("bad request body: " + broken.getMessage());
        }
    }

    private Refusal wrong(String name, String expected) {
        return Refusal.bad("bad request body: " + name + " is " + json.getValue(name) + "; it must be " + expected);
    }
}
