package io.seqsvr.storesvr;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.NamespaceDefaults;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.seqsvr.storesvr.raft.RaftSettings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Settings of one StoreSvr peer.
 *
 * @param data its data directory
 * @param clusterId the cluster that it must belong to, where the settings name one
 * @param peers the members of the group, itself among them, each where others reach it
 * @param listen where it listens for callers: where others reach it, unless the settings say {@code advertise}
 * @param bootstrap what a new cluster begins with; read by {@code store bootstrap} only
 * @param snapshotEntries entries of the log between two snapshots: a restart applies about as many at most
 */
public record StoreSvrSettings(
        Path data,
        Optional<String> clusterId,
        RaftPeers peers,
        HostPort listen,
        Bootstrap bootstrap,
        int snapshotEntries) {
    /** Entries between two snapshots, unless the settings say otherwise. */
    public static final int DEFAULT_SNAPSHOT_ENTRIES = 20_000;

    /** With snapshots as often as by default. */
    public StoreSvrSettings(Path data, Optional<String> clusterId, RaftPeers peers, Bootstrap bootstrap) {
        this(data, clusterId, peers, bootstrap, DEFAULT_SNAPSHOT_ENTRIES);
    }

    /** Of a peer that listens where others reach it. */
    public StoreSvrSettings(
            Path data, Optional<String> clusterId, RaftPeers peers, Bootstrap bootstrap, int snapshotEntries) {
        this(data, clusterId, peers, peers.own().service(), bootstrap, snapshotEntries);
    }

    /**
     * What a new cluster begins with.
     *
     * @param lease terms of every lease
     * @param defaults what namespaces get that do not name it
     * @param namespaces first namespaces, at least one
     */
    public record Bootstrap(LeaseTerms lease, NamespaceDefaults defaults, List<Namespace> namespaces) {
        /** Keeps a copy. */
        public Bootstrap {
            namespaces = List.copyOf(namespaces);
        }

        /** With the defaults of a cluster that sets none. */
        public Bootstrap(LeaseTerms lease, List<Namespace> namespaces) {
            this(lease, NamespaceDefaults.INITIAL, namespaces);
        }
    }

    /**
     * Reads the settings.
     *
     * @throws SettingsException with every problem at once
     */
    public static StoreSvrSettings read(SettingsReader file) throws SettingsException {
        var data = file.text("data");
        var clusterId = file.optionalText("cluster_id");
        var self = file.text("peer");
        var listen = file.address("listen", new HostPort("127.0.0.1", 7711));
        var service = file.advertise(listen).orElse(listen);
        var raft = file.addressForOthers("raft", new HostPort("127.0.0.1", 7712));
        int snapshotEntries = (int) file.number("snapshot_entries", DEFAULT_SNAPSHOT_ENTRIES, 100, 1_000_000);
        var others = otherPeers(file, self);
        if (!others.isEmpty()) {
            refusePortZero(file, "raft", raft);
            refusePortZero(file, "listen", service);
        }
        var bootstrap = bootstrap(file.section("bootstrap"));
        RaftSettings.ttlProblem(bootstrap.lease().ttlNanos(), 1 + others.size())
                .ifPresent(problem -> file.problem("bootstrap." + problem));
        file.finish();
        var all = new ArrayList<RaftPeers.Peer>();
        all.add(new RaftPeers.Peer(self, raft, service));
        all.addAll(others);
        return new StoreSvrSettings(
                Path.of(data), clusterId, new RaftPeers(self, all), listen, bootstrap, snapshotEntries);
    }

    private static List<RaftPeers.Peer> otherPeers(SettingsReader file, String self) {
        var peers = new ArrayList<RaftPeers.Peer>();
        var ids = new HashSet<String>();
        ids.add(self);
        for (var section : file.sections("other_peers")) {
            var peer = new RaftPeers.Peer(
                    section.text("peer"), section.addressForOthers("raft"), section.addressForOthers("listen"));
            if (!ids.add(peer.id())) {
                section.problem("peer is '" + peer.id() + "'; each peer's id must be its own");
            }
            refusePortZero(section, "raft", peer.raft());
            refusePortZero(section, "listen", peer.service());
            peers.add(peer);
        }
        return peers;
    }

    private static void refusePortZero(SettingsReader section, String key, HostPort address) {
        if (address.port() == 0) {
            section.problem(key + " is " + address + "; peers call each other there, at a port from 1 to 65535");
        }
    }

    private static Bootstrap bootstrap(SettingsReader section) {
        long ttl = nanos(section.duration("ttl", Duration.ofNanos(LeaseTerms.DEFAULT_TTL_NANOS)));
        double drift = section.decimal("drift", LeaseTerms.DEFAULT_DRIFT_PERMILLE / 1000.0);
        // Bounded first: a huge number must not wrap around into the allowed ones.
        double bounded = Math.max(-1_000_000, Math.min(drift, 1_000_000));
        var permille = BigDecimal.valueOf(Double.isNaN(bounded) ? 0 : bounded).movePointRight(3);
        int driftPermille = permille.intValue();
        if (permille.compareTo(BigDecimal.valueOf(driftPermille)) != 0) {
            // Half a permille less than the clocks drift is a promise broken, so nothing is rounded.
            section.problem(
                    "drift is " + permille.movePointLeft(3).stripTrailingZeros().toPlainString()
                            + "; it must be from 0.001 to 1, with three decimals at most");
            driftPermille = LeaseTerms.DEFAULT_DRIFT_PERMILLE;
        }
        var problems = LeaseTerms.problems(ttl, driftPermille);
        problems.forEach(section::problem);
        var defaults = new NamespaceDefaults(
                segmentSize(section, Namespace.DEFAULT_SEGMENT_SIZE), step(section, Namespace.DEFAULT_STEP));
        var namespaces = new ArrayList<Namespace>();
        var names = new HashSet<String>();
        for (var one : section.sections("namespaces")) {
            var before = namespaces.size();
            namespace(one, before + 1, defaults, namespaces);
            if (namespaces.size() > before && !names.add(namespaces.get(before).name())) {
                one.problem("name is '" + namespaces.get(before).name() + "'; each namespace needs its own");
            }
        }
        if (namespaces.size() > StoreCommand.MAX_NAMESPACES) {
            section.problem(
                    "namespaces are " + namespaces.size() + "; a cluster has at most " + StoreCommand.MAX_NAMESPACES);
        }
        long segments = namespaces.stream().mapToLong(Namespace::segmentCount).sum();
        if (segments > Namespace.MAX_SEGMENTS) {
            section.problem("namespaces have " + segments + " segments together; a cluster has at most "
                    + Namespace.MAX_SEGMENTS + ": take a greater segment_size or a smaller capacity");
        }
        if (namespaces.isEmpty()) {
            namespaces.addAll(theDefaultOne(section, defaults));
        }
        var terms = problems.isEmpty()
                ? new LeaseTerms(ttl, driftPermille)
                : new LeaseTerms(LeaseTerms.DEFAULT_TTL_NANOS, LeaseTerms.DEFAULT_DRIFT_PERMILLE);
        return new Bootstrap(terms, defaults, namespaces);
    }

    /** A time of centuries counts as 292 years, the longest that nanoseconds hold: no rule allows either. */
    private static long nanos(Duration time) {
        var longest = Duration.ofNanos(Long.MAX_VALUE);
        return time.compareTo(longest) > 0 ? Long.MAX_VALUE : time.toNanos();
    }

    /** The namespace of a cluster for which none is named. */
    private static List<Namespace> theDefaultOne(SettingsReader section, NamespaceDefaults defaults) {
        var plain = Namespace.ofDefaults(1, "default");
        var problems = Namespace.problems(
                plain.name(),
                plain.capacity(),
                defaults.segmentSize(),
                defaults.step(),
                plain.maxCount(),
                plain.maxSequence());
        problems.forEach(problem ->
                section.problem(problem + ", in the namespace 'default', made where 'namespaces' names none"));
        return problems.isEmpty()
                ? List.of(new Namespace(
                        1,
                        plain.name(),
                        plain.capacity(),
                        defaults.segmentSize(),
                        defaults.step(),
                        plain.maxCount(),
                        plain.maxSequence()))
                : List.of();
    }

    private static int segmentSize(SettingsReader section, int absent) {
        return (int) section.number("segment_size", absent, 1, Namespace.MAX_SEGMENT_SIZE);
    }

    private static long step(SettingsReader section, long absent) {
        return section.number("step", absent, 1, Long.MAX_VALUE);
    }

    private static void namespace(
            SettingsReader section, int id, NamespaceDefaults defaults, List<Namespace> namespaces) {
        var name = section.text("name");
        long capacity = section.number("capacity", Namespace.DEFAULT_CAPACITY, 1, Long.MAX_VALUE);
        int segmentSize = segmentSize(section, defaults.segmentSize());
        var keying = section.choice("keying", Keying.DIRECT);
        var order = section.choice("order", Order.LEASE);
        long step = step(section, defaults.step());
        int maxCount = (int) section.number("max_count", Namespace.DEFAULT_MAX_COUNT, 1, Integer.MAX_VALUE);
        long maxJump = section.number("max_jump", Namespace.DEFAULT_MAX_JUMP, 0, Long.MAX_VALUE);
        long maxSequence = section.number("max_sequence", Long.MAX_VALUE, 1, Long.MAX_VALUE);
        var problems = Namespace.problems(name, capacity, segmentSize, step, maxCount, maxSequence);
        problems.forEach(section::problem);
        if (problems.isEmpty()) {
            namespaces.add(new Namespace(
                    id, name, capacity, segmentSize, keying, order, step, maxCount, maxJump, maxSequence));
        }
    }
}
