package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.process.Endpoint;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * The HTTP API of Toxiproxy for these proxies: paths, verbs, fields and status codes are its own. Beyond it there are
 * toxics of type {@code blackhole}, a field {@code callers} of toxics, and {@code GET /proxies/NAME/counts}. On the
 * event loop of the proxies.
 */
final class ToxicApi {
    /** Of this release of Toxiproxy; some clients look at it. */
    private static final String VERSION = "2.12.0";

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;

    private final Proxies proxies;

    private ToxicApi(Proxies proxies) {
        this.proxies = proxies;
    }

    /** An answer without error; an empty body is none. */
    private record Answer(int status, String body) {
        static final Answer NOTHING = new Answer(NO_CONTENT, "");

        static Future<Answer> ok(JsonObject json) {
            return Future.succeededFuture(new Answer(OK, json.encode()));
        }
    }

    /** One request, read in full. */
    private record Call(HttpMethod verb, List<String> path, String body) {
        boolean isGet() {
            return verb.equals(HttpMethod.GET);
        }

        boolean isPost() {
            return verb.equals(HttpMethod.POST);
        }

        boolean isUpdate() {
            return isPost() || verb.equals(HttpMethod.PATCH);
        }

        boolean isDelete() {
            return verb.equals(HttpMethod.DELETE);
        }

        /** The last word for a path that is known. */
        Refusal wrongVerb() {
            return Refusal.wrongVerb("/" + String.join("/", path) + " does not take " + verb);
        }

        JsonFields fields() {
            return JsonFields.parse(body);
        }
    }

    /** Serves on this address; port 0 is a free one. */
    static Future<Endpoint> listen(Vertx vertx, Proxies proxies, String host, int port) {
        proxies.checkFree(host, port);
        var api = new ToxicApi(proxies);
        return vertx.createHttpServer()
                .requestHandler(api::serve)
                .listen(port, host)
                .recover(failure -> Future.failedFuture(Refusal.failed("the API cannot listen on " + host + ":" + port
                        + ": " + failure.getMessage() + "; another port, or 0 for a free one, may do")))
                .map(server -> {
                    var listening = new Endpoint(host, server.actualPort());
                    proxies.reserve(listening);
                    return listening;
                });
    }

    private void serve(HttpServerRequest request) {
        request.body()
                .compose(body -> answer(request, body.toString()))
                .onComplete(
                        answer -> send(request, answer.status(), answer.body()),
                        failure -> sendError(request, failure));
    }

    private Future<Answer> answer(HttpServerRequest request, String body) {
        var agent = request.getHeader("user-agent");
        if (agent != null && agent.startsWith("Mozilla/")) {
            throw Refusal.forbidden("User agent not allowed");
        }
        return route(new Call(request.method(), segments(request.path()), body));
    }

    private Future<Answer> route(Call call) {
        var path = call.path();
        var top = path.get(0);
        if (path.size() == 1) {
            return switch (top) {
                case "version" -> version(call);
                case "proxies" -> all(call);
                case "reset" -> reset(call);
                case "populate" -> populate(call);
                default -> throw unknown(call);
            };
        }
        if (!top.equals("proxies") || path.size() > 4) {
            throw unknown(call);
        }
        if (path.size() == 2) {
            return one(call, path.get(1));
        }
        var relay = proxies.get(path.get(1));
        if (path.size() == 3) {
            return switch (path.get(2)) {
                case "toxics" -> toxics(call, relay);
                case "counts" -> counts(call, relay);
                default -> throw unknown(call);
            };
        }
        if (!path.get(2).equals("toxics")) {
            throw unknown(call);
        }
        return toxic(call, relay, path.get(3));
    }

    private static Future<Answer> version(Call call) {
        if (call.isGet()) {
            return Answer.ok(new JsonObject().put("version", VERSION));
        }
        throw call.wrongVerb();
    }

    private Future<Answer> reset(Call call) {
        if (call.isPost()) {
            return proxies.reset().map(Answer.NOTHING);
        }
        throw call.wrongVerb();
    }

    private Future<Answer> all(Call call) {
        if (call.isGet()) {
            var json = new JsonObject();
            proxies.all().forEach(relay -> json.put(relay.plan().name(), ToxicJson.of(relay.state())));
            return Answer.ok(json);
        }
        if (call.isPost()) {
            var fields = call.fields();
            return proxies.create(plan(fields, ""), fields.flag("enabled", true))
                    .map(relay ->
                            new Answer(CREATED, ToxicJson.of(relay.state()).encode()));
        }
        throw call.wrongVerb();
    }

    private Future<Answer> populate(Call call) {
        if (!call.isPost()) {
            throw call.wrongVerb();
        }
        var plans = new ArrayList<ProxyPlan>();
        var enabled = new ArrayList<Boolean>();
        var names = new HashSet<String>();
        for (JsonFields fields : JsonFields.parseAll(call.body())) {
            var plan = plan(fields, " at proxy " + (plans.size() + 1));
            if (!names.add(plan.name())) {
                throw Refusal.bad("duplicate proxy name \"" + plan.name() + "\"");
            }
            plans.add(plan);
            enabled.add(fields.flag("enabled", true));
        }
        return proxies.populate(plans, enabled).map(relays -> {
            var made = new JsonArray();
            relays.forEach(relay -> made.add(ToxicJson.of(relay.state())));
            return new Answer(CREATED, new JsonObject().put("proxies", made).encode());
        });
    }

    private Future<Answer> one(Call call, String name) {
        var relay = proxies.get(name);
        if (call.isGet()) {
            return Answer.ok(ToxicJson.of(relay.state()));
        }
        if (call.isUpdate()) {
            var fields = call.fields();
            var old = relay.state();
            var plan = ProxyPlan.parse(
                    name,
                    fields.text("listen", old.listen().toString()),
                    fields.text("upstream", old.upstream().toString()));
            return proxies.update(plan, fields.flag("enabled", old.enabled()))
                    .compose(updated -> Answer.ok(ToxicJson.of(updated.state())));
        }
        if (call.isDelete()) {
            return proxies.remove(name).map(Answer.NOTHING);
        }
        throw call.wrongVerb();
    }

    private static Future<Answer> counts(Call call, Relay relay) {
        if (call.isGet()) {
            return Answer.ok(ToxicJson.of(relay.counts()));
        }
        throw call.wrongVerb();
    }

    private static Future<Answer> toxics(Call call, Relay relay) {
        if (call.isGet()) {
            var json = new JsonArray();
            relay.toxics().forEach(toxic -> json.add(ToxicJson.of(toxic)));
            return Future.succeededFuture(new Answer(OK, json.encode()));
        }
        if (call.isPost()) {
            var toxic = ToxicJson.toxic(call.fields());
            relay.add(toxic);
            return Answer.ok(ToxicJson.of(toxic));
        }
        throw call.wrongVerb();
    }

    private static Future<Answer> toxic(Call call, Relay relay, String name) {
        var toxic = relay.toxic(name);
        if (call.isGet()) {
            return Answer.ok(ToxicJson.of(toxic));
        }
        if (call.isUpdate()) {
            var updated = ToxicJson.updated(toxic, call.fields());
            relay.change(updated);
            return Answer.ok(ToxicJson.of(updated));
        }
        if (call.isDelete()) {
            relay.remove(name);
            return Future.succeededFuture(Answer.NOTHING);
        }
        throw call.wrongVerb();
    }

    private static ProxyPlan plan(JsonFields fields, String where) {
        var name = fields.text("name", "");
        var upstream = fields.text("upstream", "");
        if (name.isEmpty() || upstream.isEmpty()) {
            var missing = name.isEmpty() ? "name" : "upstream";
            throw Refusal.bad("missing required field: " + missing + where);
        }
        return ProxyPlan.parse(name, fields.text("listen", ""), upstream);
    }

    private static Refusal unknown(Call call) {
        return Refusal.notFound("no such path: /" + String.join("/", call.path()));
    }

    private static List<String> segments(String path) {
        try {
            return Stream.of(path.substring(1).split("/", -1))
                    .map(segment -> URI.create("/" + segment).getPath().substring(1))
                    .toList();
        } catch (IllegalArgumentException malformed) {
            throw Refusal.bad("path " + path + " cannot be read: " + malformed.getMessage());
        }
    }

    private static void send(HttpServerRequest request, int status, String body) {
        request.response().setStatusCode(status);
        if (body.isEmpty()) {
            request.response().end();
        } else {
            request.response().putHeader("content-type", "application/json").end(body + "\n");
        }
    }

    private static void sendError(HttpServerRequest request, Throwable failure) {
        int status = failure instanceof Refusal refusal
                ? refusal.status()
                : Refusal.failed("").status();
        var json = new JsonObject()
                .put("error", String.valueOf(failure.getMessage()))
                .put("status", status);
        send(request, status, json.encode());
    }
}
