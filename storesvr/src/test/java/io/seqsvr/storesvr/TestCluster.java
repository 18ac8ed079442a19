package io.seqsvr.storesvr;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.seqsvr.storesvr.raft.SnapshotTrigger;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The peers of one cluster in this process, as {@link StoreSvr#start} makes them: each with its own data directory,
 * ports on loopback, and event loop.
 */
public final class TestCluster implements AutoCloseable {
    /** 10 segments of 10 users, 100 sequences a step. */
    public static final Namespace MESSAGES = new Namespace(1, "messages", 100, 10, 100, 10, Long.MAX_VALUE);

    /** 2,400 segments: more than one command may name. */
    public static final Namespace MOMENTS = new Namespace(2, "moments", 2_400, 1, 100, 10, Long.MAX_VALUE);

    /** Never given again: the clusters of other classes, which run beside this one, may have yet to bind theirs. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private final String id;
    private final StoreSvrSettings.Bootstrap bootstrap;
    private final List<Path> data;
    private final Map<Integer, Running> running = new TreeMap<>();
    private final CompletableFuture<Throwable> fatal = new CompletableFuture<>();
    private List<RaftPeers.Peer> peers;
    private final Set<Integer> joined = new HashSet<>();
    private boolean fatalExpected;

    private record Running(StoreSvr store, Vertx loop) {}

    private TestCluster(String id, List<Path> data, StoreSvrSettings.Bootstrap bootstrap) {
        this.id = id;
        this.data = data;
        this.bootstrap = bootstrap;
        this.peers = freshPeers(data.size());
    }

    /** Formats a cluster whose leases nobody outwaits by chance. */
    public static TestCluster format(Path root, int size) throws StartupException {
        return format(root, size, Duration.ofSeconds(60));
    }

    /** Formats a cluster. */
    public static TestCluster format(Path root, int size, Duration ttl) throws StartupException {
        var data = new ArrayList<Path>();
        for (int peer = 0; peer < size; peer++) {
            data.add(root.resolve(idOf(peer)));
        }
        var bootstrap = new StoreSvrSettings.Bootstrap(
                new LeaseTerms(ttl.toNanos(), LeaseTerms.DEFAULT_DRIFT_PERMILLE), List.of(MESSAGES, MOMENTS));
        var cluster = new TestCluster(UUID.randomUUID().toString(), data, bootstrap);
        for (int peer = 0; peer < size; peer++) {
            StoreSvr.format(data.get(peer), cluster.id, idOf(peer), bootstrap);
        }
        return cluster;
    }

    /** The same cluster, not running, with a peer of one from a copy of its data directory. */
    public TestCluster ofCopy(Path copy) {
        return new TestCluster(id, List.of(copy), bootstrap);
    }

    /** Id of a peer. */
    public static String idOf(int peer) {
        return "peer-" + (peer + 1);
    }

    /**
     * Formats one more peer, which is to join, or to take the place of another; it knows only where one peer serves.
     *
     * @return its number
     */
    public int formatToJoin(Path root, int asks, Optional<Integer> replaces) throws StartupException {
        return formatToJoin(root, asks, 0, replaces);
    }

    /**
     * The same in a later life of the cluster.
     *
     * @param incarnation which life, 0 the first
     */
    public int formatToJoin(Path root, int asks, int incarnation, Optional<Integer> replaces) throws StartupException {
        int peer = data.size();
        var path = root.resolve(idOf(peer));
        StoreSvr.formatToJoin(
                path, id, incarnation, idOf(peer), List.of(address(asks)), replaces.map(TestCluster::idOf), List.of());
        data.add(path);
        peers.add(new RaftPeers.Peer(idOf(peer), freeAddress(), freeAddress()));
        joined.add(peer);
        return peer;
    }

    /** Starts every peer that does not run. */
    public void start() throws StartupException {
        for (int peer = 0; peer < data.size(); peer++) {
            if (!running.containsKey(peer)) {
                start(peer);
            }
        }
    }

    /** Starts one peer. */
    public StoreSvr start(int peer) throws StartupException {
        return start(peer, settings(peer));
    }

    /** Starts one peer with settings that the test made. */
    public StoreSvr start(int peer, StoreSvrSettings settings) throws StartupException {
        var loop = NodeServer.newVertx();
        try {
            var store = StoreSvr.start(
                    loop, settings, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), fatal::complete);
            running.put(peer, new Running(store, loop));
            return store;
        } catch (StartupException | RuntimeException failed) {
            Deadline.await(loop.close());
            throw failed;
        }
    }

    /** Settings of one peer. */
    public StoreSvrSettings settings(int peer) {
        if (joined.contains(peer)) {
            return new StoreSvrSettings(
                    data.get(peer), Optional.of(id), new RaftPeers(idOf(peer), List.of(peers.get(peer))), bootstrap);
        }
        int founders = data.size() - joined.size();
        return new StoreSvrSettings(
                data.get(peer), Optional.of(id), new RaftPeers(idOf(peer), peers.subList(0, founders)), bootstrap);
    }

    /** Stops one peer. */
    public void stop(int peer) {
        var stopped = running.remove(peer);
        if (stopped == null) {
            throw new AssertionError(idOf(peer) + " does not run");
        }
        stop(stopped);
    }

    private static void stop(Running peer) {
        peer.store().close();
        Deadline.await(peer.loop().close());
    }

    /** Stops every peer that runs. */
    public void stop() {
        // At once: each waits a second for threads of Ratis.
        var stopping = running.values().stream()
                .map(peer -> CompletableFuture.runAsync(() -> stop(peer)))
                .toArray(CompletableFuture<?>[]::new);
        running.clear();
        Deadline.await(CompletableFuture.allOf(stopping));
    }

    /** Which peer leads; on a busy machine an election may come in between. */
    public int leader(TestClient client) {
        var renew =
                Command.newBuilder().setRenew(Renew.newBuilder().setSession(-1)).build();
        long start = System.nanoTime();
        while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(Deadline.SECONDS)) {
            for (int peer : running.keySet()) {
                if (client.isAnsweredBy(address(peer), id, renew)) {
                    return peer;
                }
            }
        }
        throw new AssertionError("no peer of " + running.keySet() + " leads");
    }

    /**
     * All rows of a running peer, by way of a snapshot.
     *
     * @param copy where the snapshot is opened, as opening changes it
     */
    public Rows rows(int peer, Path copy) throws IOException {
        var snapshot = SnapshotTrigger.take(id, peers.get(peer), data.get(peer));
        return Rows.inCheckpoint(DirectoryCopy.of(snapshot, copy)).rows();
    }

    /** Why a peer would have stopped its process; without this call that fails the test. */
    public CompletableFuture<Throwable> fatal() {
        fatalExpected = true;
        return fatal;
    }

    /** From the next start on each peer listens on other ports, for Raft and for its service. */
    public void moveToOtherPorts() {
        peers = freshPeers(data.size());
    }

    /** Id of the cluster. */
    public String id() {
        return id;
    }

    /** Data directory of a peer. */
    public Path data(int peer) {
        return data.get(peer);
    }

    /** Ids and addresses of the peers. */
    public List<RaftPeers.Peer> peers() {
        return peers;
    }

    /** Where a peer serves. */
    public HostPort address(int peer) {
        return peers.get(peer).service();
    }

    /** Where the peers serve. */
    public List<HostPort> addresses() {
        return peers.stream().map(RaftPeers.Peer::service).toList();
    }

    private static List<RaftPeers.Peer> freshPeers(int size) {
        var peers = new ArrayList<RaftPeers.Peer>();
        for (int peer = 0; peer < size; peer++) {
            peers.add(new RaftPeers.Peer(idOf(peer), freeAddress(), freeAddress()));
        }
        return peers;
    }

    /** Below the range from which the system gives ports to connections, so that none of those takes it meanwhile. */
    public static HostPort freeAddress() {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
            if (!GIVEN.add(port)) {
                continue;
            }
            try (var probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return new HostPort("127.0.0.1", probe.getLocalPort());
            } catch (IOException taken) {
                // Another one then.
            }
        }
        throw new AssertionError("no free port on loopback");
    }

    @Override
    public void close() {
        stop();
        if (fatal.isDone() && !fatalExpected) {
            throw new AssertionError("a peer would have stopped its process", fatal.join());
        }
    }
}
