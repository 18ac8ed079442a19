package io.seqsvr.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line as it is read: help, and what is said to a mistake. */
final class CommandLineTest {
    private static final Pattern HINT = Pattern.compile("Try '(seqsvr.*) --help'\\.");
    private static final Pattern GUESS = Pattern.compile("(?:Did you mean|Possible solutions): .*");
    private static final Pattern TRACE = Pattern.compile("(?m)^\\s*at [\\w.$]+\\(|Exception|^Caused by");

    /** What a command left behind. */
    private record Said(int exitCode, String out, String err) {
        private Said {
            assertFalse(TRACE.matcher(out).find(), out);
            assertFalse(TRACE.matcher(err).find(), err);
        }

        private List<String> errLines() {
            return err.lines().toList();
        }
    }

    private static Said run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = Main.commandLine(arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Said(exitCode, out.toString(), err.toString());
    }

    private static String[] words(String line) {
        return line.isEmpty() ? new String[0] : line.split(" ", -1);
    }

    private static List<CommandLine> withAllBelow(CommandLine command) {
        var all = new ArrayList<CommandLine>();
        all.add(command);
        command.getSubcommands().values().forEach(below -> all.addAll(withAllBelow(below)));
        return all;
    }

    private static String nameBelowTheTop(CommandLine command) {
        return command.getCommandSpec().qualifiedName().replaceFirst("^seqsvr ?", "");
    }

    /** People try it with every program. */
    @Test
    void helpWithACommandTellsWhatThatCommandTells() {
        var asked = run("help", "move");
        assertEquals(ExitCode.OK, asked.exitCode());
        assertEquals(run("move", "--help").out(), asked.out());
        assertEquals(run("--help").out(), run("help").out());
        assertEquals(
                run("store", "backup", "--help").out(),
                run("store", "help", "backup").out());
        assertEquals(ExitCode.USAGE, run("help", "mov").exitCode());
    }

    @Test
    void everyCommandIsThere() {
        var names = withAllBelow(Main.commandLine()).stream()
                .map(CommandLineTest::nameBelowTheTop)
                .toList();
        for (String name : List.of(
                "",
                "dev",
                "next",
                "current",
                "raise-floor",
                "storesvr",
                "allocsvr",
                "router",
                "store",
                "store bootstrap",
                "store status",
                "store join",
                "store replace",
                "store remove",
                "store transfer-leader",
                "store backup",
                "store restore",
                "store settings",
                "namespace create",
                "namespace alter",
                "namespace list",
                "status",
                "nodes",
                "describe",
                "move",
                "drain",
                "routes",
                "watch",
                "demo",
                "chaos",
                "chaos list",
                "chaos run",
                "chaos report",
                "sim",
                "bench",
                "bench store",
                "bench alloc",
                "bench failover")) {
            assertTrue(names.contains(name), name);
        }
    }

    /** As on a disk that is full. */
    private static final class Refusing extends Writer {
        @Override
        public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @CsvSource({
        "chaos list, 1",
        "chaos list -o json, 1",
        "--version, 1",
        "help next, 1",
        "sim --hours 0.0001 --seed 2 --seeds 1, 12",
        "sim --hours 0.0001 --seed 2 --trace, 12",
        "nect, 2"
    })
    void aResultThatCannotBeWrittenIsNoSuccessAndHidesNothingWorse(String line, int exitCode) {
        var err = new StringWriter();
        int ended = Main.commandLine(words(line))
                .setOut(new PrintWriter(new Refusing(), true))
                .setErr(new PrintWriter(err, true))
                .execute(words(line));
        assertEquals(exitCode, ended, err::toString);
        assertEquals(
                exitCode == 1, err.toString().startsWith("seqsvr: the result could not be written: "), err::toString);
    }

    @TestFactory
    Stream<DynamicTest> helpTellsOfEveryOption() {
        return withAllBelow(Main.commandLine()).stream()
                .map(command -> DynamicTest.dynamicTest(command.getCommandSpec().qualifiedName(), () -> {
                    var said = run(words((nameBelowTheTop(command) + " --help").strip()));
                    assertEquals(new Said(ExitCode.OK, said.out, ""), said);
                    for (var option : command.getCommandSpec().options()) {
                        assertTrue(said.out.contains(option.longestName()), option::toString);
                        assertNotEquals(0, option.description().length, option::toString);
                    }
                    for (var parameter : command.getCommandSpec().positionalParameters()) {
                        assertTrue(said.out.contains(parameter.paramLabel()), parameter::toString);
                        assertNotEquals(0, parameter.description().length, parameter::toString);
                    }
                    for (var below : command.getSubcommands().keySet()) {
                        assertTrue(said.out.contains(below), below);
                    }
                    assertNotEquals(0, command.getCommandSpec().usageMessage().description().length, "no description");
                }));
    }

    @Test
    void theTopTellsTheExitCodes() {
        var help = run("--help").out;
        for (int code :
                new int[] {ExitCode.OK, ExitCode.FAILED, ExitCode.USAGE, ExitCode.UNHEALTHY, ExitCode.UNAVAILABLE}) {
            assertTrue(Pattern.compile("(?m)^ +" + code + " ").matcher(help).find(), help);
        }
    }

    @Test
    void theVersionIsToldAlone() {
        var said = run("--version");
        assertEquals(new Said(ExitCode.OK, said.out, ""), said);
        assertTrue(said.out.matches("seqsvr \\d+\\.\\d+\\.\\d+\\S* \\(([0-9a-f]{8}\\+?|unknown)\\)\\R"), said.out);
    }

    @ParameterizedTest
    @CsvSource({
        "'', a command is missing",
        "nect 42, nect",
        "--colour, --colour",
        "next, UID",
        "next forty-two, forty-two",
        "next -1, -1",
        "next 18446744073709551616, 18446744073709551616",
        "next 42 43, 43",
        "next 42 --count many, many",
        "next 42 --count, --count",
        "next 42 --colour red, --colour",
        "next 42 --endpoint nowhere, nowhere",
        "next 42 --endpoint nowhere:99999, 99999",
        "next 42 -o xml, xml",
        "routes --via-router, --via-router",
        "current, UID",
        "current 42 --count 3, --count",
        "current 42 forty-three, forty-three",
        "next 42 --at-least -1, -1",
        "next 42 --at-least 18446744073709551616, 18446744073709551616",
        "next 42 --min-epoch new, new",
        "raise-floor, UID",
        "raise-floor 42, FLOOR",
        "raise-floor 42 high, high",
        "raise-floor 42 -1, -1",
        "storesvr, --config",
        "allocsvr, --config",
        "router --config, --config",
        "router --config a.yaml --config b.yaml, --config",
        "store, a command is missing",
        "store bootstrapp, bootstrapp",
        "store bootstrap, --config",
        "store bootstrap --config a.yaml --cluster-id nonsense, nonsense",
        "store status, --store",
        "store join --store a:1, --config",
        "store join --config a.yaml, --store",
        "store replace --config a.yaml --store a:1, --old",
        "store remove --store a:1, --peer",
        "store remove --peer n1, --store",
        "store transfer-leader, --store",
        "store status --store nowhere, nowhere",
        "store status --store a:1 --timeout 0s, 0s",
        "store status --store a:1 --timeout 2m, 2m",
        "store status --store a:1 --timeout soon, soon",
        "store settings, --store",
        "store settings --store a:1 --ttl 2m, 2m",
        "store settings --store a:1 --drift 0.0001, 0.0001",
        "store settings --store a:1 --drift much, much",
        "store settings --store a:1 --step x, x",
        "namespace, a command is missing",
        "namespace create --store a:1, NAME",
        "namespace create chat, --store",
        "namespace create chat --store a:1 --step 0, --step is 0",
        "namespace create chat --store a:1 --segment-size 0, --segment-size is 0",
        "namespace create chat --store a:1 --keying md5, md5",
        "namespace create chat --store a:1 --capacity many, many",
        "namespace alter chat --store a:1, nothing is to be altered",
        "namespace list, --store",
        "sim --seeds 0, --seeds is 0",
        "sim --seeds many, many",
        "sim --threads 0, --threads 0",
        "sim --hours 0, --hours is 0",
        "sim --hours -1, --hours is -1",
        "sim --hours NaN, --hours is NaN",
        "sim --mutant nonsense, nonsense",
        "sim --without LEASE_IS_CHECKED, --mutant",
        "sim --aimed, --mutant",
        "chaos report here there, there",
        "chaos report --pdf a.pdf, --pdf",
        "bench, a command is missing",
        "bench stor, stor",
        "bench store --scenario speed, speed",
        "bench store --scenario leader-change --peers 1, --peers is 1",
        "bench alloc --mode fast, fast",
        "bench alloc --skew steep, steep",
        "bench alloc --users 0, --users is 0",
        "bench alloc --mode unary --batch 7, --batch is 7",
        "bench store --peers 0, --peers is 0",
        "bench store --concurrency 0, --concurrency is 0",
        "bench store --concurrency many, many",
        "bench store --batch 2001, --batch is 2001",
        "bench store --concurrency 256 --batch 1000, 256000 segments",
        "bench store --seconds 0, --seconds is 0",
        "bench store --rounds 0, --rounds is 0",
        "bench store --dir nowhere, nowhere",
        "bench failover --change nothing, nothing",
        "bench failover --change kill-leader --store 1, --store is 1",
        "bench failover --rate 0, --rate is 0",
        "bench failover --ttl 699ms, --ttl is 699ms",
        "bench failover --dir nowhere, --dir is nowhere",
        "dev --port x, x",
        "dev 42, 42"
    })
    void aMistakeIsOneLineWithAHint(String line, String named) {
        var said = run(words(line));
        assertEquals(ExitCode.USAGE, said.exitCode, said::toString);
        assertEquals("", said.out);
        var lines = said.errLines();
        assertTrue(lines.get(0).startsWith("seqsvr: "), said.err);
        assertTrue(lines.get(0).contains(named), said.err);
        var hint = HINT.matcher(lines.get(lines.size() - 1));
        assertTrue(hint.matches(), said.err);
        assertEquals(
                ExitCode.OK,
                run(words(hint.group(1).substring("seqsvr".length()).strip() + " --help")).exitCode);
        // Between the two there may be what was perhaps meant.
        assertTrue(lines.subList(1, lines.size() - 1).stream().allMatch(GUESS.asMatchPredicate()), said.err);
    }

    @Test
    void aMisspelledCommandIsGuessed() {
        assertTrue(run("nect", "42").err.contains("Did you mean: seqsvr next"), run("nect", "42")::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"storesvr", "allocsvr", "router", "store bootstrap"})
    void settingsThatAreNotThereAreNamed(String command) {
        var said = run(words(command + " --config nowhere.yaml"));
        assertEquals(new Said(ExitCode.FAILED, "", said.err), said);
        assertEquals(1, said.errLines().size(), said.err);
        assertTrue(said.err.startsWith("seqsvr: ") && said.err.contains("nowhere.yaml"), said.err);
    }

    @ParameterizedTest
    @CsvSource({
        "storesvr, data is missing, peer is missing, listen is 'x'",
        "store bootstrap, data is missing, peer is missing, listen is 'x'",
        "allocsvr, name is missing, store is missing, listen is 'x'",
        "router, colour is no setting, store is missing, listen is 'x'"
    })
    void everyProblemOfTheSettingsIsALine(
            String command, String first, String second, String third, @TempDir Path directory) throws IOException {
        var file = Files.writeString(directory.resolve("wrong.yaml"), "listen: x\ncolour: red\n");
        var said = run(words(command + " --config " + file));
        assertEquals(new Said(ExitCode.FAILED, "", said.err), said);
        for (String problem : List.of(first, second, third, "colour is no setting")) {
            assertEquals(
                    1,
                    said.errLines().stream()
                            .filter(line -> line.contains(problem))
                            .count(),
                    said.err);
        }
        assertTrue(said.errLines().stream().allMatch(line -> line.startsWith("seqsvr: ")), said.err);
    }
}
