package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One StoreSvr peer, and some AllocSvr and routers, each a process; of one namespace, {@link #NAMESPACE}, with leases
 * of the default ttl.
 */
final class SmallCluster implements AutoCloseable {
    static final String NAMESPACE = "default";
    static final int SEGMENTS = 12;
    static final int USERS_IN_SEGMENT = 1_000;
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final Path directory;
    private final StorePeers store;
    private final List<Server> allocators = new ArrayList<>();
    private final List<Server> routers = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    /** A place at which a process serves, and may be started again. */
    final class Server {
        private final String tier;
        private final String name;
        private final Endpoint endpoint;
        private TierProcess process;

        private Server(String tier, String name) {
            this.tier = tier;
            this.name = name;
            ports.add(FreePorts.other(ports));
            this.endpoint = new Endpoint("127.0.0.1", ports.get(ports.size() - 1));
            this.process = launch();
        }

        private TierProcess launch() {
            var config = directory.resolve(name + ".yaml");
            var settings = "name: " + name + "\nlisten: " + endpoint + "\nstore: [" + storeEndpoint() + "]\n";
            try {
                Files.writeString(config, settings);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            return TierProcess.start(tier, config, endpoint, directory.resolve(name + ".log"));
        }

        Endpoint endpoint() {
            return endpoint;
        }

        TierProcess process() {
            return process;
        }

        /** Starts it again, and waits until it is healthy, as which an allocator owns something. */
        void startAgain() {
            process = launch();
            process.awaitHealth(TierProcess.HEALTHY, READY_WITHIN);
        }
    }

    /** Starts everything, and waits until all of it is healthy. */
    SmallCluster(Path directory, int allocators, int routers) throws IOException {
        this.directory = directory;
        this.store = new StorePeers(
                1,
                directory,
                "3s",
                "{name: " + NAMESPACE + ", capacity: " + SEGMENTS * USERS_IN_SEGMENT + ", segment_size: "
                        + USERS_IN_SEGMENT + "}");
        try {
            start(allocators, routers);
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private void start(int ofAllocators, int ofRouters) {
        for (int i = 0; i < ofAllocators; i++) {
            allocators.add(new Server("allocsvr", "a" + i));
        }
        for (int i = 0; i < ofRouters; i++) {
            routers.add(new Server("router", "r" + i));
        }
        for (var servers : List.of(routers, allocators)) {
            servers.forEach(server -> server.process().awaitHealth(TierProcess.HEALTHY, READY_WITHIN));
        }
    }

    Server allocator(int place) {
        return allocators.get(place);
    }

    Server router(int place) {
        return routers.get(place);
    }

    Endpoint storeEndpoint() {
        return store.endpoints().get(0);
    }

    /** A user of a segment. */
    static long user(int segment) {
        return (long) segment * USERS_IN_SEGMENT + 7;
    }

    @Override
    public void close() {
        routers.forEach(router -> router.process().close());
        allocators.forEach(allocator -> allocator.process().close());
        store.close();
    }
}
