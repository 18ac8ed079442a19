package io.seqsvr.chaos.proxy;

import io.seqsvr.chaos.process.Endpoint;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * TCP proxies on loopback that break connections on purpose. All run on one event loop, which is theirs alone. Safe for
 * use by many threads, none of them an event loop of Vert.x: each method returns when what it asks for is done. All
 * methods but {@link #close} throw a {@link Refusal} for what is not there, is there already, or cannot be.
 */
public final class FaultProxy implements AutoCloseable {
    private static final Duration DONE_WITHIN = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final Context context;
    private final Proxies proxies;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * No proxy yet.
     *
     * @param names knows the callers, for toxics that strike only some; asked once for each connection
     * @param random draws jitter and toxicity
     */
    public FaultProxy(CallerNames names, SplittableRandom random) {
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        this.context = vertx.getOrCreateContext();
        this.proxies = new Proxies(vertx, names, random);
    }

    /** Makes a proxy that listens on a free port; returns where. */
    public Endpoint create(String name, Endpoint upstream) {
        return create(new ProxyPlan(name, ProxyPlan.LOOPBACK, 0, upstream));
    }

    /**
     * Makes a proxy.
     *
     * @param listen a loopback address and a port; best one that the system does not give to callers, who could take
     *     it while the proxy is down
     */
    public Endpoint create(String name, Endpoint listen, Endpoint upstream) {
        return create(new ProxyPlan(name, listen.host(), listen.port(), upstream));
    }

    private Endpoint create(ProxyPlan plan) {
        return ask(() -> proxies.create(plan, true)).plan().listen();
    }

    /** Takes connections, or closes them and takes no more. */
    public void enable(String proxy, boolean enabled) {
        ask(() -> proxies.enable(proxy, enabled));
    }

    /** Closes a proxy and its connections. */
    public void remove(String proxy) {
        ask(() -> proxies.remove(proxy));
    }

    /** Puts a toxic behind those that are there; it strikes living connections at once. */
    public void add(String proxy, Toxic toxic) {
        change(() -> proxies.get(proxy).add(toxic));
    }

    /** Changes the amounts, the toxicity or the callers of the toxic of this name, for living connections too. */
    public void change(String proxy, Toxic toxic) {
        change(() -> proxies.get(proxy).change(toxic));
    }

    /** Takes a toxic away; what it held back flows at once. */
    public void remove(String proxy, String toxic) {
        change(() -> proxies.get(proxy).remove(toxic));
    }

    /** Takes all toxics away and enables all proxies. */
    public void reset() {
        ask(proxies::reset);
    }

    /** All proxies, in the order in which they were made. */
    public List<ProxyState> states() {
        return ask(() ->
                Future.succeededFuture(proxies.all().stream().map(Relay::state).toList()));
    }

    /** What a proxy has done and is doing. */
    public ProxyCounts counts(String proxy) {
        return ask(() -> Future.succeededFuture(proxies.get(proxy).counts()));
    }

    /**
     * Serves these proxies to clients of Toxiproxy, on loopback, until this is closed.
     *
     * @param port to listen on; 0 is a free one
     * @return where the API listens
     */
    public Endpoint serve(int port) {
        return ask(() -> ToxicApi.listen(vertx, proxies, ProxyPlan.LOOPBACK, port));
    }

    /** Closes all proxies and their connections and ends the event loop; does nothing the second time. */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            try {
                ask(proxies::close);
            } finally {
                vertx.close().await();
            }
        }
    }

    private void change(Runnable work) {
        ask(() -> {
            work.run();
            return Future.succeededFuture();
        });
    }

    private <T> T ask(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        context.runOnContext(
                now -> Future.succeededFuture().compose(start -> work.get()).onComplete(done));
        try {
            return done.future().await(DONE_WITHIN.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException("the proxy did not do it within " + DONE_WITHIN, late);
        }
    }
}
