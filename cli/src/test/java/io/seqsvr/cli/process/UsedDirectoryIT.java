package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A directory in which there is something already: whatever an operator asks for, it is refused and left as it is. */
@Timeout(300)
final class UsedDirectoryIT {
    private static final Map<String, String> OF_OTHERS = Map.of("holiday.jpg", "sun", "raft", "of wood");
    private static final Map<String, String> HALF_FORMATTED = Map.of("seqsvr-peer.json.next", "{\"format\": 1, \"clus");

    @TempDir
    private Path directory;

    private static Finished run(List<String> line) {
        return Cli.find().run(line.toArray(String[]::new));
    }

    @Test
    void noCommandFormatsOrStartsFromADirectoryOfOthersOrAHalfFormattedOne() throws IOException {
        try (var peers = new StorePeers(3, directory);
                var seen = new PeersSeen(peers.endpoints())) {
            seen.awaitWell();
            var store = peers.endpoints().get(0).toString();
            var backup = directory.resolve("backup").toString();
            var made = run(List.of("store", "backup", backup, "--store", store));
            assertEquals(0, made.exitCode(), made::toString);
            peers.settle();
            var config = peers.config(3).toString();
            var formats = List.of(
                    List.of("store", "bootstrap", "--config", config),
                    List.of("store", "join", "--config", config, "--store", store),
                    List.of("store", "replace", "--config", config, "--store", store, "--old", "n3"),
                    List.of("store", "restore", backup, "--config", config, "--advance", "1000"));
            for (var line : formats) {
                refuses(line, peers.data(3), OF_OTHERS, "it holds files that are not seqsvr's");
                refuses(
                        line,
                        peers.data(3),
                        HALF_FORMATTED,
                        "a formatting did not come to its end; remove the directory");
            }
            var start = List.of("storesvr", "--config", config);
            refuses(start, peers.data(3), OF_OTHERS, "files that are not seqsvr's");
            refuses(start, peers.data(3), HALF_FORMATTED, "was not formatted completely and was never used; remove it");
            seen.awaitWell();
            assertEquals(3, seen.answers().get(0).members().size(), "nobody joined");
        }
    }

    private static void refuses(List<String> line, Path data, Map<String, String> content, String why)
            throws IOException {
        Files.createDirectories(data);
        for (var file : content.entrySet()) {
            Files.writeString(data.resolve(file.getKey()), file.getValue());
        }
        new Spoken(run(line)).failsNaming(1, why);
        assertEquals(new TreeMap<>(content), files(data), line::toString);
        for (var name : content.keySet()) {
            Files.delete(data.resolve(name));
        }
    }

    private static Map<String, String> files(Path data) throws IOException {
        var found = new TreeMap<String, String>();
        var paths = new ArrayList<Path>();
        try (Stream<Path> all = Files.list(data)) {
            all.forEach(paths::add);
        }
        for (var path : paths) {
            found.put(String.valueOf(path.getFileName()), Files.readString(path));
        }
        return found;
    }
}
