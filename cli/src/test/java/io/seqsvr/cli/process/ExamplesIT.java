package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Launcher;
import io.seqsvr.client.SequenceClient;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the documentation, run as a reader would run them, each for users of its own. */
@Timeout(600)
final class ExamplesIT {
    private static final Duration INSTALL = Duration.ofMinutes(5);
    private static final Duration RUN = Duration.ofMinutes(1);

    /** What a reader has around the lines that the README shows. */
    private static final String AROUND_THE_JAVA_EXAMPLE = """
            import io.seqsvr.client.SequenceClient;

            public class Example {
                static final java.util.concurrent.CompletableFuture<Void> delivered =
                        new java.util.concurrent.CompletableFuture<>();

                public static void main(String[] arguments) {
            %s
                    delivered.join();
                    client.close();
                }

                static void deliver(long first, long last) {
                    if (first < 2 || last - first != 2) {
                        throw new IllegalStateException(first + " to " + last);
                    }
                    delivered.complete(null);
                }
            }
            """;

    @TempDir
    private static Path data;

    private static DevCluster cluster;

    private final Path home = Launcher.find().home();

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        cluster = DevCluster.start(data, 0);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void theNodeExampleTakesSequences() throws IOException {
        assumeInstalled("node");
        assumeInstalled("npm");
        var example = directory.resolve("examples/node");
        copy(home.resolve("examples/node"), example);
        // The example reads the .proto files where the source tree has them.
        copy(home.resolve("proto/src/main/protobuf"), directory.resolve("proto/src/main/protobuf"));
        succeed(new ProcessBuilder("npm", "ci", "--no-audit", "--no-fund").directory(example.toFile()), INSTALL);
        var script =
                new ProcessBuilder("node", "sequences.mjs", cluster.endpoint().toString());
        succeed(script.directory(example.toFile()), RUN);
        assertTook(0, 100);
    }

    @Test
    void thePythonExampleTakesSequences() throws IOException {
        assumeInstalled("python3");
        var example = directory.resolve("examples/python");
        copy(home.resolve("examples/python"), example);
        copy(home.resolve("proto/src/main/protobuf"), directory.resolve("proto/src/main/protobuf"));
        assumeSucceeds(new ProcessBuilder("python3", "-m", "venv", ".venv").directory(example.toFile()), INSTALL);
        // Where the packages cannot be had a build goes on: of npm's and Maven's it is known that they can.
        var pip = new ProcessBuilder(".venv/bin/pip", "install", "--quiet", "--retries", "0", "-r", "requirements.txt");
        assumeSucceeds(pip.directory(example.toFile()), INSTALL);
        var script = new ProcessBuilder(
                ".venv/bin/python", "sequences.py", cluster.endpoint().toString(), "--uid-offset", "1000");
        succeed(script.directory(example.toFile()), RUN);
        assertTook(1000, 100);
    }

    @Test
    void theCurlExampleTakesSequences() {
        assumeInstalled("curl");
        var script = new ProcessBuilder(
                home.resolve("examples/curl/sequences.sh").toString(), "http://" + cluster.endpoint(), "77");
        succeed(script.directory(directory.toFile()), RUN);
        assertTook(77, 20);
    }

    @Test
    void theJavaExampleOfTheReadmeTakesSequences() throws IOException {
        var block = Pattern.compile("(?s)```java\n(.*?)```").matcher(Files.readString(home.resolve("README.md")));
        assertTrue(block.find(), "the README shows no Java");
        var shown = block.group(1).replace("127.0.0.1:7700", cluster.endpoint().toString());
        var program = directory.resolve("Example.java");
        Files.writeString(program, AROUND_THE_JAVA_EXAMPLE.formatted(shown));
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        // A single file is compiled and run.
        var path = System.getProperty("java.class.path");
        succeed(new ProcessBuilder(java, "-cp", path, program.toString()), RUN);
        assertTook(42, 4);
    }

    /** What a script says of itself is no proof: the server must know of it. */
    private static void assertTook(long uid, long atLeast) {
        try (var client = Crowd.clientOf(cluster)) {
            var current = SequenceClient.join(client.current(DevCluster.NAMESPACE, uid));
            assertTrue(current.seq() >= atLeast, () -> "fewer than " + atLeast + " sequences were taken: " + current);
        }
    }

    private static void succeed(ProcessBuilder command, Duration within) {
        var finished = Finished.run(command, within);
        assertEquals(0, finished.exitCode(), () -> command.command() + ": " + finished);
    }

    private static void assumeSucceeds(ProcessBuilder command, Duration within) {
        var finished = Finished.run(command, within);
        assumeTrue(finished.exitCode() == 0, () -> command.command() + ": " + finished);
    }

    private static void assumeInstalled(String program) {
        var path = String.valueOf(System.getenv("PATH"));
        assumeTrue(
                Stream.of(path.split(File.pathSeparator)).anyMatch(each -> Files.isExecutable(Path.of(each, program))),
                program + " is not installed: no directory of the PATH " + path + " holds it");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file :
                    files.filter(each -> isSource(from.relativize(each))).toList()) {
                var target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private static boolean isSource(Path file) {
        for (Path name : file) {
            if (Set.of("node_modules", ".venv").contains(name.toString())) {
                return false;
            }
        }
        return true;
    }
}
