package io.seqsvr.storesvr;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.codec.SettingsCodec;
import io.seqsvr.proto.internal.v1.CreateCluster;
import io.seqsvr.proto.internal.v1.Joining;
import io.seqsvr.proto.internal.v1.PeerMark;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.disk.DataDirectory;
import io.seqsvr.storesvr.expiry.SessionExpiry;
import io.seqsvr.storesvr.grpc.Standing;
import io.seqsvr.storesvr.grpc.StoreService;
import io.seqsvr.storesvr.raft.EntryQueue;
import io.seqsvr.storesvr.raft.GroupName;
import io.seqsvr.storesvr.raft.LeaderWatch;
import io.seqsvr.storesvr.raft.RaftMember;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.StoreDatabase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One StoreSvr peer: wires data directory, Raft, replica, timers and the internal service, and takes them down again.
 */
public final class StoreSvr {
    private static final Logger LOG = LoggerFactory.getLogger(StoreSvr.class);

    private final DataDirectory directory;
    private final RaftMember member;
    private final EntryQueue queue;
    private final SessionExpiry expiry;
    private final NodeServer port;
    private final LeaderWatch watch;

    private StoreSvr(
            DataDirectory directory,
            RaftMember member,
            EntryQueue queue,
            SessionExpiry expiry,
            NodeServer port,
            LeaderWatch watch) {
        this.directory = directory;
        this.member = member;
        this.queue = queue;
        this.expiry = expiry;
        this.port = port;
        this.watch = watch;
    }

    /**
     * Formats a data directory for a peer of a cluster.
     *
     * @param clusterId a UUID; peers of one cluster bear the same
     */
    public static void format(Path data, String clusterId, String peerId, StoreSvrSettings.Bootstrap bootstrap)
            throws StartupException {
        var mark = PeerMark.newBuilder()
                .setFormat(DataDirectory.FORMAT)
                .setClusterId(clusterId)
                .setPeerId(peerId)
                .setFirstCommand(firstCommand(clusterId, bootstrap))
                .build();
        format(data, mark);
    }

    /**
     * Formats a data directory for a new peer of a living cluster. It asks for admission when it is started.
     *
     * @param incarnation which life of the cluster
     * @param store where peers of the cluster serve, at least one
     * @param replaces id of the member whose place it takes
     * @param peersSeen ids of all peers that were ever in the group, as far as anybody knows
     */
    public static void formatToJoin(
            Path data,
            String clusterId,
            int incarnation,
            String peerId,
            Collection<HostPort> store,
            Optional<String> replaces,
            Collection<String> peersSeen)
            throws StartupException {
        var joining = Joining.newBuilder().setReplaces(replaces.orElse(""));
        store.forEach(address -> joining.addStore(address.toString()));
        format(
                data,
                PeerMark.newBuilder()
                        .setFormat(DataDirectory.FORMAT)
                        .setClusterId(clusterId)
                        .setIncarnation(incarnation)
                        .setPeerId(peerId)
                        .setJoining(joining)
                        .addAllPeersSeen(peersSeen)
                        .build());
    }

    private static void format(Path data, PeerMark mark) throws StartupException {
        try (var directory = DataDirectory.format(data, mark)) {
            RaftMember.format(directory.raft(), GroupName.of(mark.getClusterId(), mark.getIncarnation()));
            directory.completeFormat();
        } catch (IOException unwritable) {
            throw new StartupException("data directory " + data + " cannot be formatted: " + unwritable.getMessage());
        }
        LOG.info("event=formatted data={} cluster={} peer={}", data, mark.getClusterId(), mark.getPeerId());
    }

    private static CreateCluster firstCommand(String clusterId, StoreSvrSettings.Bootstrap bootstrap) {
        var command = CreateCluster.newBuilder()
                .setClusterId(clusterId)
                .setLease(SettingsCodec.encode(bootstrap.lease()))
                .setDefaults(SettingsCodec.encode(bootstrap.defaults()));
        bootstrap.namespaces().forEach(namespace -> command.addNamespaces(SettingsCodec.encode(namespace)));
        return command.build();
    }

    /**
     * Starts a peer; blocks until it listens.
     *
     * @param fatal stops the process: called when an entry cannot be applied, or Raft cannot go on with its log
     */
    public static StoreSvr start(
            Vertx vertx, StoreSvrSettings settings, PrometheusMeterRegistry registry, Consumer<Throwable> fatal)
            throws StartupException {
        var directory = DataDirectory.open(settings.data());
        try {
            return start(vertx, settings, registry, fatal, directory);
        } catch (StartupException | RuntimeException failed) {
            directory.close();
            throw failed;
        }
    }

    private static StoreSvr start(
            Vertx vertx,
            StoreSvrSettings settings,
            PrometheusMeterRegistry registry,
            Consumer<Throwable> fatal,
            DataDirectory directory)
            throws StartupException {
        var mark = directory.mark();
        var peers = settings.peers();
        if (!mark.getPeerId().equals(peers.self())) {
            throw new StartupException("data directory " + settings.data() + " belongs to peer " + mark.getPeerId()
                    + ", not to " + peers.self() + "; correct 'peer' or 'data'");
        }
        if (settings.clusterId().isPresent() && !settings.clusterId().get().equals(mark.getClusterId())) {
            throw new StartupException("data directory " + settings.data() + " belongs to cluster "
                    + mark.getClusterId() + ", not to " + settings.clusterId().get()
                    + "; correct 'cluster_id' or 'data'");
        }
        RestoredPeer.refuseOthersAtFirst(mark, peers, settings.data());
        try {
            StoreDatabase.loadLibrary(directory.nativeLibraries());
        } catch (IOException unusable) {
            throw new StartupException(unusable.getMessage() + ", then start it again");
        }
        var replica = new Replica();
        var expiry = new SessionExpiry(replica, mark.getFirstCommand());
        replica.listen(expiry);
        var group = GroupName.of(mark.getClusterId(), mark.getIncarnation());
        var standing = new Standing(directory, peers.own(), fatal);
        var member = RaftMember.start(
                group,
                peers,
                standing.beginning(),
                directory.raft(),
                directory.database(),
                settings.snapshotEntries(),
                replica,
                expiry,
                standing::applied,
                fatal);
        expiry.logBegan(member.lastIndex());
        var context = vertx.getOrCreateContext();
        var queue = new EntryQueue(
                member::submit,
                () -> replica.cluster().map(Cluster::watchVersion).orElse(0L),
                told -> context.runOnContext(now -> told.run()));
        try {
            RestoredPeer.refuseOtherLife(mark, replica, settings.data());
            standing.check(member.group());
            meters(registry, member, queue, replica);
            var port = listen(
                    vertx, context, settings, registry, mark.getClusterId(), standing, member, queue, replica, expiry);
            expiry.start(command -> queue.offer(command)
                    .orElseGet(() -> CompletableFuture.failedFuture(
                            new IOException("too many commands wait for the log of this peer"))));
            LOG.info(
                    "event=started tier=storesvr peer={} cluster={} listen={}",
                    peers.self(),
                    mark.getClusterId(),
                    port.address());
            var watch =
                    LeaderWatch.start(member.group(), () -> replica.cluster().map(Cluster::lease));
            return new StoreSvr(directory, member, queue, expiry, port, watch);
        } catch (StartupException | RuntimeException failed) {
            queue.close();
            close(member);
            throw failed;
        }
    }

    private static NodeServer listen(
            Vertx vertx,
            Context context,
            StoreSvrSettings settings,
            PrometheusMeterRegistry registry,
            String clusterId,
            Standing standing,
            RaftMember member,
            EntryQueue queue,
            Replica replica,
            SessionExpiry expiry)
            throws StartupException {
        var address = settings.listen();
        var listening = NodeServer.onContext(context, () -> {
            var port = new NodeServer.Builder(vertx, registry, "storesvr");
            new StoreService(
                            vertx,
                            context,
                            clusterId,
                            settings.peers(),
                            standing,
                            member,
                            queue,
                            replica,
                            expiry,
                            registry)
                    .bind(port);
            standing.watch(vertx, member.group());
            return port.listen(
                    address,
                    () -> Future.succeededFuture(standing.isSettled()
                            && (expiry.isLeading() || member.group().leader().isPresent())));
        });
        return NodeServer.await(listening, address);
    }

    private static void meters(PrometheusMeterRegistry registry, RaftMember member, EntryQueue queue, Replica replica) {
        for (var lane : EntryQueue.Lane.values()) {
            Gauge.builder("seqsvr.store.waiting", queue, one -> one.waiting(lane))
                    .description("Commands that wait for an entry of the log, by queue")
                    .tags("tier", "storesvr", "queue", lane.name().toLowerCase(Locale.ROOT))
                    .register(registry);
            FunctionCounter.builder("seqsvr.store.refused", queue, one -> one.refusals(lane))
                    .description("Commands refused because their queue was full, by queue")
                    .tags("tier", "storesvr", "queue", lane.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        Gauge.builder("seqsvr.raft.leader", member, one -> one.isLeader() ? 1 : 0)
                .description("1 while this peer leads the Raft group")
                .tag("tier", "storesvr")
                .register(registry);
        Gauge.builder("seqsvr.raft.term", member, RaftMember::term)
                .description("Raft term of this peer")
                .tag("tier", "storesvr")
                .register(registry);
        Gauge.builder("seqsvr.store.segments", replica, Replica::segments)
                .description("Segments that were assigned at least once, or got a floor")
                .tag("tier", "storesvr")
                .register(registry);
    }

    /** Where it listens. */
    public HostPort address() {
        return port.address();
    }

    /** Stops: first another peer leads, then the port goes, then Raft, then the lock of the directory. Blocks. */
    public void close() {
        watch.close();
        member.giveUpLeadership();
        port.close().await();
        expiry.close();
        queue.close();
        close(member);
        directory.close();
        LOG.info("event=stopped tier=storesvr");
    }

    private static void close(RaftMember member) {
        try {
            member.close();
        } catch (IOException failed) {
            LOG.warn("event=close_failed tier=storesvr error=\"{}\"", failed.getMessage());
        }
    }
}
