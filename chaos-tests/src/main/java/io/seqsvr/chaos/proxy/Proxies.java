package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.process.Endpoint;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** All proxies by name. On the event loop only; what changes one is done in turn, each change after the last. */
final class Proxies {
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    /**
     * Below those that the system gives to callers, who could take the port of a proxy that is down, or, looking for
     * it, be connected to themselves.
     */
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 10_000;
    private static final int TRIES_OF_PORTS = 100;

    private final Vertx vertx;
    private final NetClient client;
    private final CallerNames names;
    private final SplittableRandom random;
    private final Map<String, Relay> relays = new LinkedHashMap<>();
    private final Set<Endpoint> reserved = new HashSet<>();
    private Future<?> lastTurn = Future.succeededFuture();

    Proxies(Vertx vertx, CallerNames names, SplittableRandom random) {
        this.vertx = vertx;
        this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_TIMEOUT_MILLIS));
        this.names = names;
        this.random = random;
    }

    /** All of them, in the order in which they were made. */
    List<Relay> all() {
        return List.copyOf(relays.values());
    }

    /** The one of this name. */
    Relay get(String name) {
        var relay = relays.get(name);
        if (relay == null) {
            throw Refusal.notFound("proxy not found: \"" + name + "\"");
        }
        return relay;
    }

    /** A new one. */
    Future<Relay> create(ProxyPlan plan, boolean enabled) {
        return inTurn(() -> createNow(plan, enabled));
    }

    /** New ones; those that are there keep their toxics unless their addresses change. */
    Future<List<Relay>> populate(List<ProxyPlan> plans, List<Boolean> enabled) {
        return inTurn(() -> {
            Future<List<Relay>> done = Future.succeededFuture(new ArrayList<>());
            for (int i = 0; i < plans.size(); i++) {
                var plan = plans.get(i);
                boolean on = enabled.get(i);
                done = done.compose(made -> createOrReplace(plan, on).map(relay -> {
                    made.add(relay);
                    return made;
                }));
            }
            return done;
        });
    }

    /** Moves one to other addresses, if they are others, and enables or disables it. */
    Future<Relay> update(ProxyPlan plan, boolean enabled) {
        return inTurn(() -> updateNow(get(plan.name()), plan, enabled));
    }

    /** Enables or disables one. */
    Future<Relay> enable(String name, boolean enabled) {
        return inTurn(() -> updateNow(get(name), get(name).plan(), enabled));
    }

    /** Closes one and forgets it. */
    Future<Void> remove(String name) {
        return inTurn(() -> removeNow(name));
    }

    /** Enables all and removes their toxics. */
    Future<Void> reset() {
        return inTurn(() -> {
            Future<Void> done = Future.succeededFuture();
            for (Relay relay : all()) {
                relay.removeAll();
                done = done.compose(before -> relay.enable());
            }
            return done;
        });
    }

    /** Closes all and forgets them. */
    Future<Void> close() {
        return inTurn(() -> {
            Future<Void> done = Future.succeededFuture();
            for (String name : List.copyOf(relays.keySet())) {
                done = done.compose(before -> removeNow(name));
            }
            return done.compose(before -> client.close());
        });
    }

    private Future<Relay> createNow(ProxyPlan plan, boolean enabled) {
        if (relays.containsKey(plan.name())) {
            throw Refusal.taken("proxy already exists: \"" + plan.name() + "\"");
        }
        var relay = new Relay(plan, vertx, client, names, random.split());
        return enable(relay, enabled).map(done -> {
            relays.put(plan.name(), relay);
            return relay;
        });
    }

    private Future<Relay> createOrReplace(ProxyPlan plan, boolean enabled) {
        if (!relays.containsKey(plan.name())) {
            return createNow(plan, enabled);
        }
        var there = get(plan.name());
        if (isAt(there, plan)) {
            return enable(there, enabled).map(there);
        }
        return removeNow(plan.name()).compose(gone -> createNow(plan, enabled));
    }

    private Future<Relay> updateNow(Relay relay, ProxyPlan plan, boolean enabled) {
        if (isAt(relay, plan)) {
            return enable(relay, enabled).map(relay);
        }
        if (relay.plan().host().equals(plan.host()) && relay.plan().port() == plan.port()) {
            // Its port stays open: nobody else can take it meanwhile.
            relay.move(plan);
            relay.closeConnections();
            return enable(relay, enabled).map(relay);
        }
        return relay.disable().compose(closed -> {
            relay.move(plan);
            return enable(relay, enabled).map(relay);
        });
    }

    private Future<Void> removeNow(String name) {
        var relay = get(name);
        relays.remove(name);
        return relay.disable();
    }

    private Future<Void> enable(Relay relay, boolean enabled) {
        if (!enabled) {
            if (relay.plan().port() == 0) {
                throw Refusal.bad("proxy \"" + relay.plan().name()
                        + "\" is disabled and listens on port 0; enable it or name its port");
            }
            return relay.disable();
        }
        if (relay.plan().port() == 0) {
            return enableAnywhere(relay, TRIES_OF_PORTS);
        }
        checkNobodyListens(relay.plan().host(), relay.plan().port(), Optional.of(relay));
        return relay.enable();
    }

    private Future<Void> enableAnywhere(Relay relay, int tries) {
        var any = relay.plan();
        relay.move(any.at(FIRST_PORT + RandomGenerator.getDefault().nextInt(PORTS)));
        return Future.<Void>succeededFuture()
                .compose(start -> enable(relay, true))
                .recover(taken -> {
                    if (tries == 1) {
                        return Future.failedFuture(taken);
                    }
                    relay.move(any);
                    return enableAnywhere(relay, tries - 1);
                });
    }

    /** Throws if one of them, or another server on this loop, listens here. */
    void checkFree(String host, int port) {
        checkNobodyListens(host, port, Optional.empty());
    }

    /** From now on another server on this loop listens here. */
    void reserve(Endpoint listening) {
        reserved.add(listening);
    }

    /** Vert.x would let both listen, and deal the connections out between them. */
    private void checkNobodyListens(String host, int port, Optional<Relay> but) {
        var taken = relays.values().stream()
                .filter(relay -> relay.isEnabled() && !but.equals(Optional.of(relay)))
                .map(relay -> relay.plan().listen());
        if (port != 0 && Stream.concat(taken, reserved.stream()).anyMatch(new Endpoint(host, port)::equals)) {
            throw Refusal.failed("cannot listen on " + host + ":" + port + ": the proxy itself does; choose another");
        }
    }

    private static boolean isAt(Relay relay, ProxyPlan plan) {
        // A port that anybody may choose is the one that was chosen.
        return relay.plan().equals(plan.port() == 0 ? plan.at(relay.plan().port()) : plan);
    }

    private <T> Future<T> inTurn(Supplier<Future<T>> work) {
        var mine = lastTurn.transform(before -> work.get());
        lastTurn = mine;
        return mine;
    }
}
