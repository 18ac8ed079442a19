package io.seqsvr.chaos.lab;

import io.seqsvr.chaos.clock.ClockFault;
import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.disk.LoopDisk;
import io.seqsvr.chaos.network.Links;
import io.seqsvr.chaos.network.SwitchLinks;
import io.seqsvr.chaos.network.VirtualNetwork;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.Loopback;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.Site;
import io.seqsvr.chaos.report.Network;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A place for nodes in which more can go wrong than their processes: a network between them, clocks, syncs and disks of
 * their own, as far as they are needed. Without a network of their own they are on loopback, behind proxies if need be.
 */
public final class Lab implements Site {
    private static final int FIRST_PORT = 7711;
    private static final int DISK_MEGABYTES = 256;
    /** As many entries between two snapshots as a peer allows: some every ten or twenty seconds. */
    public static final int SNAPSHOT_EVERY = 100;

    /** As disks have it that nobody has tuned. */
    private static final int JOURNAL_SECONDS = 5;

    private static final String PRELOAD = "LD_PRELOAD";

    private final Path directory;
    private final Loopback loopback = new Loopback();
    private final List<String> libraries = new ArrayList<>();
    private final Map<String, ClockFault> clocks = new HashMap<>();
    private final Map<String, DiskFault> syncs = new HashMap<>();
    private final Map<String, LoopDisk> disks = new HashMap<>();
    /** The next free port of a host. */
    private final Map<String, Integer> ports = new HashMap<>();

    private @Nullable VirtualNetwork network;
    private @Nullable Links links;
    private @Nullable ProxyLinks proxies;

    private Lab(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes what is needed.
     *
     * @param needs what nothing may be missing for on this machine
     * @param directory what it is made in
     * @param nodes names of all nodes
     * @param keepers those of them that keep data
     * @param seed of what the network draws
     */
    public static Lab open(Path directory, Set<Need> needs, List<String> nodes, List<String> keepers, long seed) {
        var lab = new Lab(directory.resolve("lab"));
        try {
            Files.createDirectory(lab.directory);
            lab.build(needs, nodes, keepers, seed);
            return lab;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (RuntimeException failed) {
            lab.close();
            throw failed;
        }
    }

    private void build(Set<Need> needs, List<String> nodes, List<String> keepers, long seed) throws IOException {
        if (needs.contains(Need.NETWORK)) {
            network = VirtualNetwork.open(directory, nodes, seed);
            links = new SwitchLinks(network);
        } else if (needs.contains(Need.PROXIES)) {
            proxies = new ProxyLinks(nodes, loopback, seed);
            links = proxies;
        }
        if (needs.contains(Need.CLOCKS)) {
            libraries.add(ClockFault.library(directory).toString());
            nodes.forEach(node -> clocks.put(node, ClockFault.at(directory.resolve(node + "-clock"))));
        }
        if (needs.contains(Need.DISK_CALLS)) {
            for (var keeper : keepers) {
                var own = Files.createDirectory(directory.resolve(keeper));
                syncs.put(keeper, DiskFault.in(own));
            }
        }
        if (needs.contains(Need.DISKS)) {
            for (var keeper : keepers) {
                var image = directory.resolve(keeper + "-image");
                disks.put(
                        keeper,
                        LoopDisk.create(image, directory.resolve(keeper + "-disk"), DISK_MEGABYTES, JOURNAL_SECONDS));
            }
        }
    }

    /** What lies between the nodes. */
    public Network network() {
        if (network != null) {
            return Network.NAMESPACES;
        }
        return proxies == null ? Network.LOOPBACK : Network.PROXY;
    }

    /** The links between all nodes, and to this JVM. */
    public Links links() {
        return require(links, Need.NETWORK);
    }

    /** The clocks of a node's process. */
    public ClockFault clock(String node) {
        return require(clocks.get(node), Need.CLOCKS);
    }

    /** The syncs and writes of a node's process. */
    public DiskFault syncs(String node) {
        return require(syncs.get(node), Need.DISK_CALLS);
    }

    /** The disk of a node. */
    public LoopDisk disk(String node) {
        return require(disks.get(node), Need.DISKS);
    }

    /** Where programs that cut power are made. */
    public Path directory() {
        return directory;
    }

    private <T> T require(@Nullable T thing, Need need) {
        if (thing == null) {
            throw new NodeFailure("this lab was made without " + need + " for such a node");
        }
        return thing;
    }

    @Override
    public synchronized Endpoint freeEndpoint(String node) {
        return proxies == null ? innerEndpoint(node) : proxies.open(node);
    }

    /** Peers of StoreSvr tell each other where they are by their log, so that no proxy could stand between them. */
    @Override
    public synchronized Endpoint innerEndpoint(String node) {
        if (network == null) {
            return loopback.freeEndpoint(node);
        }
        return new Endpoint(network.address(node), ports.merge(node, FIRST_PORT, (next, first) -> next + 1));
    }

    /** On a network of our own every port is free; nobody outside looks there. */
    @Override
    public Endpoint endpointAt(String node, int wanted) {
        return network == null ? freeEndpoint(node) : new Endpoint(network.address(node), wanted);
    }

    @Override
    public Endpoint listen(Endpoint endpoint) {
        return proxies == null ? endpoint : proxies.behind(endpoint);
    }

    @Override
    public void started(String node, long pid) {
        if (proxies != null) {
            proxies.started(node, pid);
        }
    }

    /** Where disks are to be struck there is to be something on them that counts. */
    @Override
    public OptionalInt snapshotEntries() {
        return disks.isEmpty() ? OptionalInt.empty() : OptionalInt.of(SNAPSHOT_EVERY);
    }

    @Override
    public Path data(String node, Path own) {
        return Optional.ofNullable(disks.get(node))
                .map(LoopDisk::directory)
                .orElse(own)
                .resolve("data");
    }

    /** A new process begins with clocks that are true. */
    @Override
    public ProcessBuilder on(String node, ProcessBuilder command) {
        var environment = command.environment();
        var preloaded = new ArrayList<>(libraries);
        Optional.ofNullable(clocks.get(node)).ifPresent(clock -> {
            clock.forget();
            environment.putAll(clock.environment());
        });
        Optional.ofNullable(syncs.get(node)).ifPresent(calls -> {
            var own = new HashMap<>(calls.environment());
            preloaded.add(own.remove(PRELOAD));
            environment.putAll(own);
        });
        if (!preloaded.isEmpty()) {
            environment.put(
                    PRELOAD,
                    Stream.concat(preloaded.stream(), Stream.ofNullable(environment.get(PRELOAD)))
                            .collect(Collectors.joining(":")));
        }
        return network == null ? command : network.on(node, command);
    }

    @Override
    public void close() {
        disks.values().forEach(LoopDisk::close);
        if (network != null) {
            network.close();
        }
        if (proxies != null) {
            proxies.close();
        }
    }
}
