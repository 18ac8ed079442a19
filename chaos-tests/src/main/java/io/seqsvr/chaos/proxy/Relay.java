package io.seqsvr.chaos.proxy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** One proxy: its port, its connections and its toxics. On the event loop only. */
final class Relay {
    private final Vertx vertx;
    private final NetClient client;
    private final CallerNames names;
    private final SplittableRandom random;
    private final Timers timers;
    private final Tally tally = new Tally();
    private final List<Toxic> toxics = new ArrayList<>();
    private final Set<Connection> connections = new LinkedHashSet<>();

    private ProxyPlan plan;
    private Optional<NetServer> server = Optional.empty();

    /** A proxy that is not enabled yet. */
    Relay(ProxyPlan plan, Vertx vertx, NetClient client, CallerNames names, SplittableRandom random) {
        this.plan = plan;
        this.vertx = vertx;
        this.client = client;
        this.names = names;
        this.random = random;
        this.timers = new LoopTimers(vertx);
    }

    ProxyPlan plan() {
        return plan;
    }

    ProxyState state() {
        return new ProxyState(plan.name(), plan.listen(), plan.upstream(), isEnabled(), toxics);
    }

    ProxyCounts counts() {
        return new ProxyCounts(
                bytes(Direction.UPSTREAM),
                bytes(Direction.DOWNSTREAM),
                connections.stream().collect(Collectors.groupingBy(Connection::caller, Collectors.counting())),
                tally.acceptedCount(),
                tally.resetCount(),
                tally.connectsFailedCount(),
                tally.nameFailure());
    }

    boolean isEnabled() {
        return server.isPresent();
    }

    /** Listens; does nothing if it does. Fails with a {@link Refusal} where the port is taken. */
    Future<Void> enable() {
        if (isEnabled()) {
            return Future.succeededFuture();
        }
        var options =
                new NetServerOptions().setHost(ProxyPlan.bare(plan.host())).setPort(plan.port());
        return vertx.createNetServer(options)
                .connectHandler(this::accept)
                .listen()
                .transform(listening -> {
                    if (listening.failed()) {
                        var why = listening.cause().getMessage();
                        return Future.failedFuture(Refusal.failed("cannot listen on " + plan.host() + ":" + plan.port()
                                + ": " + why + "; stop what uses it or choose another"));
                    }
                    server = Optional.of(listening.result());
                    return Future.succeededFuture();
                });
    }

    /** Refuses connections and closes those that there are; does nothing if it was disabled. */
    Future<Void> disable() {
        var closing = server.map(this::close)
                .map(closed -> closed.compose(gone -> released()))
                .orElse(Future.succeededFuture());
        server = Optional.empty();
        closeConnections();
        return closing;
    }

    /** Vert.x tells of the end on the thread that accepts; whatever follows is for this loop. */
    private Future<Void> close(NetServer listening) {
        var loop = vertx.getOrCreateContext();
        Promise<Void> here = Promise.promise();
        var closing = listening.close();
        closing.onComplete(closed -> loop.runOnContext(back -> closing.onComplete(here)));
        return here.future();
    }

    private Future<Void> released() {
        return new PortRelease(vertx, ProxyPlan.bare(plan.host()), plan.port()).await();
    }

    /** Closes all that there are now, and still takes new ones. */
    void closeConnections() {
        List.copyOf(connections).forEach(Connection::close);
    }

    /** Leads to another server from the next connection on, and listens elsewhere from the next {@link #enable} on. */
    void move(ProxyPlan other) {
        plan = other;
    }

    List<Toxic> toxics() {
        return List.copyOf(toxics);
    }

    Toxic toxic(String name) {
        return toxics.get(placeOf(name));
    }

    void add(Toxic toxic) {
        if (toxics.stream().anyMatch(each -> each.name().equals(toxic.name()))) {
            throw Refusal.taken("toxic already exists: \"" + toxic.name() + "\" of proxy \"" + plan.name() + "\"");
        }
        toxics.add(toxic);
        obey();
    }

    void change(Toxic toxic) {
        int place = placeOf(toxic.name());
        var old = toxics.get(place);
        if (old.stream() != toxic.stream()
                || !old.effect().type().equals(toxic.effect().type())) {
            throw Refusal.bad("toxic \"" + old.name() + "\" is a "
                    + old.effect().type() + " " + old.stream().label() + "; remove it to have another type or stream");
        }
        toxics.set(place, toxic);
        obey();
    }

    void remove(String toxic) {
        toxics.remove(placeOf(toxic));
        obey();
    }

    void removeAll() {
        toxics.clear();
        obey();
    }

    private int placeOf(String name) {
        for (int i = 0; i < toxics.size(); i++) {
            if (toxics.get(i).name().equals(name)) {
                return i;
            }
        }
        throw Refusal.notFound("toxic not found: \"" + name + "\" of proxy \"" + plan.name() + "\"");
    }

    private void obey() {
        List.copyOf(connections).forEach(connection -> connection.obey(toxics));
    }

    private ProxyCounts.Bytes bytes(Direction direction) {
        long held = connections.stream()
                .mapToLong(each -> each.heldBytes(direction))
                .sum();
        return new ProxyCounts.Bytes(tally.forwardedBytes(direction), held);
    }

    private void accept(NetSocket socket) {
        tally.accepted();
        var connection = new Connection(socket, timers, random.split(), tally, this::connect, connections::remove);
        connections.add(connection);
        var caller = address(socket.remoteAddress());
        var listener = address(socket.localAddress());
        // Not one after the other: a slow look into /proc must not hold up the next caller.
        vertx.executeBlocking(() -> names.nameOf(caller, listener), false)
                .onComplete(name ->
                        connection.start(name.succeeded() ? name.result() : failedToName(name.cause()), toxics));
    }

    /** A caller whom nobody can name is a stranger; the counts say why. */
    private String failedToName(Throwable cause) {
        tally.nameFailed(String.valueOf(cause.getMessage()));
        return CallerNames.UNKNOWN;
    }

    private Future<NetSocket> connect() {
        return client.connect(
                plan.upstream().port(), ProxyPlan.bare(plan.upstream().host()));
    }

    private static InetSocketAddress address(SocketAddress address) {
        // An address and not a name: nothing is looked up.
        return new InetSocketAddress(address.hostAddress(), address.port());
    }
}
