package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Cli;
import io.seqsvr.chaos.process.DevCluster;
import io.seqsvr.chaos.process.Finished;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands as people and scripts meet them: output, exit codes, and what a mistake costs. */
@Timeout(300)
final class CliIT {
    private static final Cli CLI = Cli.find();

    @TempDir
    private static Path directory;

    private static DevCluster cluster;

    @TempDir
    private Path scratch;

    @BeforeAll
    static void start() {
        cluster = DevCluster.startUnhurried(directory.resolve("data"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void nextCountsFromOneAndCurrentTellsTheLast() {
        ask("current", "42").says("0 EXACT");
        ask("next", "42").says("1");
        ask("next", "42").says("2");
        ask("next", "42").says("3");
        ask("current", "42").says("3 EXACT");
        ask("next", "42", "--count", "5").says("4 8");
        ask("current", "42").says("8 EXACT");
    }

    @Test
    void nextMayBeBoundedFromBelow() {
        ask("next", "47", "--at-least", "5000").says("5000");
        ask("next", "47", "--at-least", "5000", "--count", "2").says("5001 5002");
        ask("next", "47", "--at-least", "18446744073709551615").failsNaming(1, "max_jump 1000000");
        ask("next", "47", "--min-epoch", "18446744073709551615", "--timeout", "1s")
                .failsNaming(4, "18446744073709551615");
        // A call that knows a newer epoch than there is was never sent.
        ask("next", "47").says("5003");
    }

    @Test
    void aRaisedFloorIsBelowWhatComes() {
        ask("raise-floor", "48", "700").says("700");
        ask("current", "48").says("700 UPPER_BOUND");
        ask("next", "48").says("701");
        ask("raise-floor", "48", "700").says("701");
        var json = ask("raise-floor", "48", "900", "-o", "json").answer();
        assertEquals("900", stringIn(json, "seq"));
        ask("raise-floor", "48", "18446744073709551615").failsNaming(1, "floor is 18446744073709551615");
    }

    @Test
    void severalUsersAreALineEach() {
        ask("next", "49", "--count", "3").says("1 3");
        var both =
                CLI.run("current", "49", "50", "--endpoint", cluster.endpoint().toString());
        assertEquals(new Finished(0, "49 3 EXACT\n50 0 EXACT\n", ""), both);
        var json = ask("current", "49", "50", "-o", "json").answer();
        assertTrue(json.startsWith("{\"users\":[{\"uid\":\"49\",\"seq\":\"3\""), json);
        var partly = CLI.run(
                "current",
                "49",
                "18446744073709551615",
                "--endpoint",
                cluster.endpoint().toString());
        assertEquals(1, partly.exitCode(), partly::toString);
        assertEquals("49 3 EXACT\n", partly.stdout());
        assertTrue(partly.stderr().contains("uid is 18446744073709551615"), partly::toString);
    }

    @Test
    void jsonBearsEveryNumberAsAString() {
        ask("next", "43", "--count", "3").says("1 3");
        var json = ask("next", "43", "--count", "5", "-o", "json").answer();
        assertTrue(json.startsWith("{") && json.endsWith("}"), json);
        assertEquals("43", stringIn(json, "uid"));
        assertEquals("4", stringIn(json, "first"));
        assertEquals("8", stringIn(json, "last"));
        assertTrue(Long.parseLong(stringIn(json, "epoch")) > 0, json);
    }

    @Test
    void aUserWhoNeverHadASequenceIsExactlyAtZero() {
        ask("current", "77").says("0 EXACT");
        ask("current", "4000000077").says("0 EXACT");
    }

    @Test
    void theDefaultNamespaceCanBeNamed() {
        ask("next", "44", "--namespace", DevCluster.NAMESPACE).says("1");
        ask("next", "44").says("2");
    }

    @Test
    void anUnknownNamespaceIsNamed() {
        ask("next", "42", "--namespace", "nowhere").failsNaming(1, "nowhere");
        ask("current", "42", "--namespace", "nowhere").failsNaming(1, "nowhere");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"next", "next forty-two", "next 42 --count many", "next 42 --colour red", "current", "nect 42"})
    void aWrongCommandLineIsAUsageError(String line) {
        new Spoken(CLI.run(line.split(" "))).isUsageError();
    }

    @Test
    void withoutAServerTheCommandsAreUnavailable() throws IOException {
        int port = freePort();
        for (String command : List.of("next", "current")) {
            new Spoken(CLI.run(command, "42", "--endpoint", "127.0.0.1:" + port, "--timeout", "500ms"))
                    .failsNaming(4, ":" + port);
        }
    }

    @Test
    void aSecondDevOnTheSameDataFailsAndHarmsNothing() {
        ask("next", "45").says("1");
        var data = directory.resolve("data").toString();
        new Spoken(CLI.run("dev", "--data", data, "--port", "0")).failsNaming(1, data);
        ask("next", "45").says("2");
    }

    @Test
    void aSecondDevOnTheSamePortFailsAndHarmsNothing() {
        ask("next", "46").says("1");
        int port = cluster.endpoint().port();
        var data = scratch.resolve("data");
        new Spoken(CLI.run("dev", "--data", data.toString(), "--port", Integer.toString(port)))
                .failsNaming(1, Integer.toString(port));
        ask("next", "46").says("2");
        try (var later = DevCluster.start(data, 0)) {
            ask(later, "next", "46").says("1");
        }
    }

    @Test
    void devRefusesALeaseThatIsTooShortAndMakesNothing() throws IOException {
        var data = scratch.resolve("data");
        new Spoken(CLI.run("dev", "--data", data.toString(), "--port", "0", "--ttl", "1ms"))
                .failsNaming(1, "--ttl: ttl is 1 ms; it must be from 500 ms to 60 s");
        assertFalse(Files.exists(data));
    }

    @Test
    void devRefusesADirectoryOfForeignFilesAndLeavesItAsItWas() throws IOException {
        var letter = Files.writeString(scratch.resolve("letter.txt"), "Dear reader");
        new Spoken(CLI.run("dev", "--data", scratch.toString(), "--port", "0")).failsNaming(1, scratch.toString());
        assertEquals("Dear reader", Files.readString(letter));
        try (Stream<Path> files = Files.list(scratch)) {
            assertEquals(List.of(letter), files.toList());
        }
    }

    private static Spoken ask(String... line) {
        return ask(cluster, line);
    }

    private static Spoken ask(DevCluster server, String... line) {
        var arguments = Stream.concat(
                Stream.of(line), Stream.of("--endpoint", server.endpoint().toString()));
        return new Spoken(CLI.run(arguments.toArray(String[]::new)));
    }

    private static String stringIn(String json, String name) {
        var field = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
        assertTrue(field.find(), "no string \"" + name + "\" in " + json);
        return field.group(1);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
