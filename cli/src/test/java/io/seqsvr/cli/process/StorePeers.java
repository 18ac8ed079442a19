package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.node.StartupException;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.storesvr.StoreSvr;
import io.seqsvr.storesvr.StoreSvrSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The peers of one StoreSvr cluster, each a process with settings and a directory of its own. */
final class StorePeers implements AutoCloseable {
    private static final int LAST_LINES = 40;

    private record Peer(String id, int listen, int raft, Path directory) {
        Path config() {
            return directory.resolve("storesvr.yaml");
        }

        Path log() {
            return directory.resolve("storesvr.log");
        }

        Path data() {
            return directory.resolve("data");
        }

        Endpoint endpoint() {
            return new Endpoint("127.0.0.1", listen);
        }
    }

    /** Sessions of tests that look at something else must outlive a busy machine. */
    private static final String LONG_TTL = "60s";

    private static final String NAMESPACE = "{name: default, capacity: 1000, segment_size: 100}";

    private final String ttl;
    private final String namespace;
    /** Settings of every peer besides, or nothing. */
    private final String more;

    private final Path directory;
    private final List<Peer> peers;
    private final List<TierProcess> processes = new ArrayList<>();
    private final IntFunction<Map<String, String>> environments;
    private final String clusterId;

    /** Writes settings, formats the directories and starts every peer, of a cluster with one namespace. */
    StorePeers(int count, Path directory) throws IOException {
        this(count, directory, peer -> Map.of());
    }

    /**
     * The same with a ttl and a namespace of the test's own.
     *
     * @param ttl as settings spell it
     * @param namespace as settings spell it
     */
    StorePeers(int count, Path directory, String ttl, String namespace) throws IOException {
        this(count, directory, ttl, namespace, peer -> Map.of());
    }

    /**
     * The same, with something in the environment of each peer.
     *
     * @param environments by the peer's place, from 0 on
     */
    StorePeers(int count, Path directory, IntFunction<Map<String, String>> environments) throws IOException {
        this(count, directory, environments, "");
    }

    /** The same, with a line of settings besides. */
    StorePeers(int count, Path directory, IntFunction<Map<String, String>> environments, String more)
            throws IOException {
        this(count, directory, LONG_TTL, NAMESPACE, environments, more);
    }

    /** The same, with a ttl and a namespace of the test's own too. */
    StorePeers(int count, Path directory, String ttl, String namespace, IntFunction<Map<String, String>> environments)
            throws IOException {
        this(count, directory, ttl, namespace, environments, "");
    }

    private StorePeers(
            int count,
            Path directory,
            String ttl,
            String namespace,
            IntFunction<Map<String, String>> environments,
            String more)
            throws IOException {
        this.more = more;
        this.ttl = ttl;
        this.namespace = namespace;
        this.environments = environments;
        this.directory = directory;
        var ports = new ArrayList<Integer>();
        while (ports.size() < 2 * count) {
            ports.add(FreePorts.other(ports));
        }
        peers = IntStream.range(0, count)
                .mapToObj(i ->
                        new Peer("n" + (i + 1), ports.get(2 * i), ports.get(2 * i + 1), directory.resolve("n" + i)))
                .collect(Collectors.toCollection(CopyOnWriteArrayList::new));
        for (var peer : peers) {
            Files.createDirectories(peer.directory());
            Files.writeString(peer.config(), settings(peer, peers));
        }
        clusterId = format();
        for (int peer = 0; peer < count; peer++) {
            processes.add(launch(peer));
        }
        processes.forEach(TierProcess::awaitPort);
    }

    private TierProcess launch(int place) {
        var peer = peers.get(place);
        return TierProcess.launch("storesvr", peer.config(), peer.endpoint(), peer.log(), environments.apply(place));
    }

    /** Starts a peer again that has ended; it may refuse. */
    TierProcess restart(int peer) {
        processes.set(peer, launch(peer));
        return processes.get(peer);
    }

    /** What a peer wrote since its first start. */
    List<String> log(int peer) throws IOException {
        return Files.readAllLines(peers.get(peer).log());
    }

    /** Writes settings for one more peer, whose settings name no other one. */
    void settle() throws IOException {
        var ports = new ArrayList<Integer>();
        peers.forEach(peer -> ports.addAll(List.of(peer.listen(), peer.raft())));
        int listen = FreePorts.other(ports);
        ports.add(listen);
        var peer = new Peer(
                "n" + (peers.size() + 1), listen, FreePorts.other(ports), directory.resolve("n" + peers.size()));
        Files.createDirectories(peer.directory());
        Files.writeString(peer.config(), settings(peer, List.of()));
        peers.add(peer);
    }

    /** Settings file of a peer. */
    Path config(int peer) {
        return peers.get(peer).config();
    }

    /** Where a peer will have its data; {@code directory} is the one that all of them are given. */
    static Path dataIn(Path directory, int peer) {
        return directory.resolve("n" + peer).resolve("data");
    }

    /** Term and vote in a data directory, as lines, without the time at which they were written. */
    static List<String> vote(Path data) {
        try (var files = Files.walk(data.resolve("raft"))) {
            var meta = files.filter(file -> String.valueOf(file.getFileName()).equals("raft-meta"))
                    .findFirst()
                    .orElseThrow();
            return Files.readAllLines(meta).stream()
                    .filter(line -> !line.startsWith("#"))
                    .sorted()
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Data directory of a peer. */
    Path data(int peer) {
        return peers.get(peer).data();
    }

    /** Starts the newest peer for the first time. */
    TierProcess startNewest() {
        var process = launch(peers.size() - 1);
        processes.add(process);
        return process;
    }

    private String settings(Peer peer, List<Peer> group) {
        var others = group.stream()
                .filter(other -> !other.equals(peer))
                .map(other -> "  - {peer: %s, raft: 127.0.0.1:%d, listen: 127.0.0.1:%d}\n"
                        .formatted(other.id(), other.raft(), other.listen()))
                .collect(Collectors.joining());
        return """
                data: %s
                peer: %s
                listen: 127.0.0.1:%d
                raft: 127.0.0.1:%d
                %s%sbootstrap:
                  ttl: %s
                  namespaces:
                    - %s
                """.formatted(
                        peer.data(),
                        peer.id(),
                        peer.listen(),
                        peer.raft(),
                        others.isEmpty() ? "" : "other_peers:\n" + others,
                        more,
                        ttl,
                        namespace);
    }

    String clusterId() {
        return clusterId;
    }

    /** As {@code store bootstrap} formats them, which other tests run: three starts of Java are saved so. */
    private String format() throws IOException {
        var id = UUID.randomUUID().toString();
        for (var peer : peers) {
            try {
                var settings = StoreSvrSettings.read(SettingsReader.ofFile(peer.config()));
                StoreSvr.format(settings.data(), id, settings.peers().self(), settings.bootstrap());
            } catch (SettingsException | StartupException refused) {
                throw new IllegalStateException("the directory of " + peer.id() + " cannot be formatted", refused);
            }
        }
        return id;
    }

    /** Where each peer serves. */
    List<Endpoint> endpoints() {
        return peers.stream().map(Peer::endpoint).toList();
    }

    /** The end of what each peer wrote, for an error message. */
    String lastWords() {
        return peers.stream().map(StorePeers::lastWords).collect(Collectors.joining("\n"));
    }

    private static String lastWords(Peer peer) {
        try {
            var lines = Files.readAllLines(peer.log());
            return peer.id() + " wrote:\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException unreadable) {
            return peer.id() + " wrote nothing that can be read: " + unreadable.getMessage();
        }
    }

    /** The place of a peer among all. */
    int indexOf(String id) {
        return peers.stream().map(Peer::id).toList().indexOf(id);
    }

    TierProcess process(int peer) {
        return processes.get(peer);
    }

    @Override
    public void close() {
        processes.forEach(TierProcess::close);
    }
}
