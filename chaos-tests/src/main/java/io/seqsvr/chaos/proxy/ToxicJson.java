package io.seqsvr.chaos.proxy;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/** Proxies and toxics as Toxiproxy's API writes them. Reading throws a {@link Refusal} for what cannot be read. */
final class ToxicJson {
    private ToxicJson() {}

    static JsonObject of(ProxyState proxy) {
        var toxics = new JsonArray();
        proxy.toxics().forEach(toxic -> toxics.add(of(toxic)));
        return new JsonObject()
                .put("name", proxy.name())
                .put("listen", proxy.listen().toString())
                .put("upstream", proxy.upstream().toString())
                .put("enabled", proxy.enabled())
                .put("toxics", toxics);
    }

    /** Callers are a field of ours, so it is there only where it says something. */
    static JsonObject of(Toxic toxic) {
        var json = new JsonObject()
                .put("attributes", attributes(toxic.effect()))
                .put("name", toxic.name())
                .put("type", toxic.effect().type())
                .put("stream", toxic.stream().label())
                .put("toxicity", toxic.toxicity());
        if (!toxic.callers().isEmpty()) {
            json.put("callers", new JsonArray(toxic.callers().stream().sorted().toList()));
        }
        return json;
    }

    static JsonObject of(ProxyCounts counts) {
        var json = new JsonObject()
                .put("upstream", of(counts.upstream()))
                .put("downstream", of(counts.downstream()))
                .put("open", counts.open())
                .put("open_by_caller", openByCaller(counts))
                .put("accepted", counts.accepted())
                .put("reset", counts.reset())
                .put("connects_failed", counts.connectsFailed());
        counts.nameFailure().ifPresent(why -> json.put("name_failure", why));
        return json;
    }

    /** A new toxic. */
    static Toxic toxic(JsonFields fields) {
        var type = fields.text("type", "");
        var stream = direction(fields.text("stream", Direction.DOWNSTREAM.label()));
        var name = fields.text("name", "");
        return checked(() -> new Toxic(
                name.isEmpty() ? type + "_" + stream.label() : name,
                effect(type, fields.object("attributes")),
                stream,
                fields.fraction("toxicity", 1),
                callers(fields, Set.of())));
    }

    /** What a toxic becomes: of what the update leaves out the old holds. */
    static Toxic updated(Toxic old, JsonFields fields) {
        var attributes = attributes(old.effect());
        fields.object("attributes").forEach(each -> attributes.put(each.getKey(), each.getValue()));
        return checked(() -> new Toxic(
                old.name(),
                effect(old.effect().type(), attributes),
                old.stream(),
                fields.fraction("toxicity", old.toxicity()),
                callers(fields, old.callers())));
    }

    private static JsonObject of(ProxyCounts.Bytes bytes) {
        return new JsonObject().put("forwarded_bytes", bytes.forwarded()).put("held_bytes", bytes.held());
    }

    private static JsonObject openByCaller(ProxyCounts counts) {
        var json = new JsonObject();
        counts.openByCaller().forEach(json::put);
        return json;
    }

    private static Set<String> callers(JsonFields fields, Set<String> otherwise) {
        var names = fields.texts("callers");
        return names.<Set<String>>map(LinkedHashSet::new).orElse(otherwise);
    }

    private static Direction direction(String label) {
        for (Direction direction : Direction.values()) {
            if (direction.label().equals(label)) {
                return direction;
            }
        }
        throw Refusal.bad("stream was invalid, can be either upstream or downstream; it is \"" + label + "\"");
    }

    private static Effect effect(String type, JsonObject attributes) {
        var fields = new JsonFields(attributes);
        return switch (type) {
            case "latency" -> new Effect.Latency(fields.number("latency"), fields.number("jitter"));
            case "bandwidth" -> new Effect.Bandwidth(fields.number("rate"));
            case "slow_close" -> new Effect.SlowClose(fields.number("delay"));
            case "timeout" -> new Effect.Timeout(fields.number("timeout"));
            case "reset_peer" -> new Effect.ResetPeer(fields.number("timeout"));
            case "slicer" ->
                new Effect.Slicer(
                        fields.number("average_size"), fields.number("size_variation"), fields.number("delay"));
            case "limit_data" -> new Effect.LimitData(fields.number("bytes"));
            case "blackhole" -> new Effect.Blackhole();
            default -> throw Refusal.bad("invalid toxic type: \"" + type + "\"");
        };
    }

    private static JsonObject attributes(Effect effect) {
        var json = new JsonObject();
        if (effect instanceof Effect.Latency latency) {
            json.put("latency", latency.latencyMillis()).put("jitter", latency.jitterMillis());
        } else if (effect instanceof Effect.Bandwidth bandwidth) {
            json.put("rate", bandwidth.rateKilobytes());
        } else if (effect instanceof Effect.SlowClose slowClose) {
            json.put("delay", slowClose.delayMillis());
        } else if (effect instanceof Effect.Timeout timeout) {
            json.put("timeout", timeout.timeoutMillis());
        } else if (effect instanceof Effect.ResetPeer resetPeer) {
            json.put("timeout", resetPeer.timeoutMillis());
        } else if (effect instanceof Effect.Slicer slicer) {
            json.put("average_size", slicer.averageBytes())
                    .put("size_variation", slicer.variationBytes())
                    .put("delay", slicer.delayMicros());
        } else if (effect instanceof Effect.LimitData limit) {
            json.put("bytes", limit.bytes());
        }
        return json;
    }

    private static Toxic checked(Supplier<Toxic> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException outOfRange) {
            throw Refusal.bad("bad request body: " + outOfRange.getMessage());
        }
    }
}
