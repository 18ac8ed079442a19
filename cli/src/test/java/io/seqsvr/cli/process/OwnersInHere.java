package io.seqsvr.cli.process;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.allocsvr.AllocSvr;
import io.seqsvr.allocsvr.AllocSvrSettings;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.router.Router;
import io.seqsvr.router.RouterSettings;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Two allocators and a router within the test, on real ports, for tests of StoreSvr processes: what is killed there
 * must not be noticed here.
 */
final class OwnersInHere implements AutoCloseable {
    private static final HostPort ANYWHERE = new HostPort("127.0.0.1", 0);
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_WAITING = 10_000;

    private final Queue<Throwable> defects = new ConcurrentLinkedQueue<>();
    private final List<Vertx> loops = List.of(loop(), loop(), loop());
    private final List<AllocSvr> allocators;
    private final Router router;

    OwnersInHere(List<Endpoint> peers) throws StartupException {
        var store = peers.stream()
                .map(peer -> new HostPort(peer.host(), peer.port()))
                .toList();
        allocators = List.of(allocator(loops.get(0), "alloc-1", store), allocator(loops.get(1), "alloc-2", store));
        router = Router.start(
                loops.get(2),
                new RouterSettings(Optional.of("router-1"), ANYWHERE, Optional.empty(), store, STORE_TIMEOUT),
                registry());
    }

    private AllocSvr allocator(Vertx loop, String name, List<HostPort> store) throws StartupException {
        var settings = new AllocSvrSettings(
                name, ANYWHERE, Optional.empty(), store, STORE_TIMEOUT, MAX_WAITING, Long.MAX_VALUE);
        return AllocSvr.start(loop, settings, registry(), defects::add);
    }

    private Vertx loop() {
        var loop = NodeServer.newVertx();
        loop.exceptionHandler(defects::add);
        return loop;
    }

    private static PrometheusMeterRegistry registry() {
        return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    }

    /** Where the router serves. */
    Endpoint endpoint() {
        return new Endpoint(router.address().host(), router.address().port());
    }

    /** Whether every segment has an owner that serves, and every allocator its share: then nothing moves any more. */
    boolean healthy() {
        return router.healthy().await()
                && allocators.stream().allMatch(allocator -> allocator.ready().await());
    }

    /** Exceptions that nothing caught, and broken invariants. */
    List<Throwable> defects() {
        return List.copyOf(defects);
    }

    @Override
    public void close() {
        router.close();
        allocators.forEach(AllocSvr::close);
        loops.forEach(loop -> loop.close().await());
    }
}
