package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The peers of one StoreSvr cluster, each a process with settings and a directory of its own. */
final class StorePeers implements AutoCloseable {
    private static final int LAST_LINES = 40;

    private record Peer(String id, int listen, int raft, Path directory) {
        Path config() {
            return directory.resolve("storesvr.yaml");
        }

        Path data() {
            return directory.resolve("data");
        }

        Endpoint endpoint() {
            return new Endpoint("127.0.0.1", listen);
        }
    }

    private final Path directory;
    private final List<Peer> peers;
    private final List<TierProcess> processes = new ArrayList<>();

    /** Writes settings, formats the directories and starts every peer. */
    StorePeers(int count, Path directory) throws IOException {
        var ports = new ArrayList<Integer>();
        while (ports.size() < 2 * count) {
            ports.add(FreePorts.other(ports));
        }
        this.directory = directory;
        peers = IntStream.range(0, count)
                .mapToObj(i ->
                        new Peer("n" + (i + 1), ports.get(2 * i), ports.get(2 * i + 1), directory.resolve("n" + i)))
                .collect(Collectors.toCollection(ArrayList::new));
        for (var peer : peers) {
            Files.createDirectories(peer.directory());
            Files.writeString(peer.config(), settings(peer, peers));
        }
        bootstrap();
        peers.forEach(peer -> processes.add(start(peer)));
    }

    private static TierProcess start(Peer peer) {
        var log = peer.directory().resolve("storesvr.log");
        return TierProcess.start("storesvr", peer.config(), peer.endpoint(), log);
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

    /** Data directory of a peer. */
    Path data(int peer) {
        return peers.get(peer).data();
    }

    /** Starts the newest peer for the first time. */
    TierProcess startNewest() {
        var process = start(peers.get(peers.size() - 1));
        processes.add(process);
        return process;
    }

    private static String settings(Peer peer, List<Peer> group) {
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
                %sbootstrap:
                  ttl: 60s
                  namespaces:
                    - {name: default, capacity: 1000, segment_size: 100}
                """.formatted(
                peer.data(), peer.id(), peer.listen(), peer.raft(), others.isEmpty() ? "" : "other_peers:\n" + others);
    }

    private void bootstrap() {
        var cli = Cli.find();
        var first =
                cli.run("store", "bootstrap", "--config", peers.get(0).config().toString());
        assertEquals(0, first.exitCode(), first::toString);
        for (var peer : peers.subList(1, peers.size())) {
            var further = cli.run(
                    "store",
                    "bootstrap",
                    "--config",
                    peer.config().toString(),
                    "--cluster-id",
                    first.stdout().strip());
            assertEquals(0, further.exitCode(), further::toString);
        }
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
            var lines = Files.readAllLines(peer.directory().resolve("storesvr.log"));
            return peer.id() + " wrote:\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException unreadable) {
            return peer.id() + " wrote nothing that can be read: " + unreadable.getMessage();
        }
    }

    TierProcess process(int peer) {
        return processes.get(peer);
    }

    @Override
    public void close() {
        processes.forEach(TierProcess::close);
    }
}
