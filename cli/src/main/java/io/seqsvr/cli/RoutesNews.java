package io.seqsvr.cli;

import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What changed from one picture of the routes to the next, a line for each thing that did. */
final class RoutesNews {
    private final RoutePicture before;
    private final RoutePicture now;

    RoutesNews(RoutePicture before, RoutePicture now) {
        this.before = before;
        this.now = now;
    }

    /** For scripts: a JSON object each. */
    List<String> json() {
        return things().stream().map(JsonObject::encode).toList();
    }

    /** For people: the same as words. */
    List<String> lines() {
        return things().stream().map(RoutesNews::words).toList();
    }

    private static String words(JsonObject thing) {
        var words = new ArrayList<String>();
        for (Map.Entry<String, Object> field : thing) {
            words.add(field.getKey() + "=" + field.getValue());
        }
        return String.join(" ", words);
    }

    private List<JsonObject> things() {
        var changes = RouteChanges.between(before, now);
        var things = new ArrayList<JsonObject>();
        for (var namespace : changes.namespaces().put()) {
            things.add(thing(before.namespace(namespace.name()).isPresent() ? "namespace_altered" : "namespace_created")
                    .put("namespace", namespace.name())
                    .put("segments", namespace.segmentCount()));
        }
        for (var id : changes.namespaces().gone()) {
            things.add(thing("namespace_gone").put("namespace", RoutesReport.nameOf(before, Math.toIntExact(id))));
        }
        for (var owner : changes.owners().put()) {
            things.add(owner("owner_joined", owner));
        }
        for (var session : changes.owners().gone()) {
            before.owner(session).ifPresent(owner -> things.add(owner("owner_gone", owner)));
        }
        for (var range : changes.ranges()) {
            things.add(thing("segments")
                    .put("namespace", RoutesReport.nameOf(now, range.namespaceId()))
                    .put("first", range.first())
                    .put("last", range.last())
                    .put("owner", now.owner(range.owner()).map(RouteOwner::name).orElse(RoutesReport.NOBODY))
                    .put(
                            "address",
                            now.owner(range.owner()).map(RouteOwner::address).orElse(RoutesReport.NOBODY))
                    .put("epoch", Long.toString(range.epoch())));
        }
        return things;
    }

    private JsonObject owner(String what, RouteOwner owner) {
        return thing(what)
                .put("owner", owner.name())
                .put("address", owner.address())
                .put("session", Long.toString(owner.session()));
    }

    private JsonObject thing(String what) {
        return new JsonObject().put("version", Long.toString(now.version())).put("what", what);
    }
}
