package io.seqsvr.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Finished;
import io.seqsvr.chaos.process.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code ./seqsvr} in a checkout that is built, with a Java that tells what is asked of it. */
@Timeout(60)
final class LauncherScriptTest {
    /** A rehearsal writes an archive, as the Java of the same version does. */
    private static final String REHEARSES = """
            case "$* " in
              *' rehearse '*) ;;
              *-Xshare:dump*) echo classes >"${archive:?}" ;;
              *) echo "ran ${*: -1}" ;;
            esac
            """;
    /** A rehearsal ends by a signal alone, and has started another process that heeds none. */
    private static final String REHEARSES_FOR_EVER = """
            case "$* " in
              *' rehearse '*)
                trap 'exit 130' INT
                exec 3<>"$root/never"
                { trap '' INT TERM; read -r line <&3; } &
                echo "$$" >"$root/begun"
                while :; do read -r line <&3; done
                ;;
              *) echo "ran ${*: -1}" ;;
            esac
            """;

    @TempDir
    private Path parent = Path.of("");

    private Path root = Path.of("");

    @BeforeEach
    void build() throws IOException {
        // Whoever forgets a quote is to see it.
        root = Files.createDirectories(parent.resolve("a checkout"));
        var script = Files.copy(Launcher.find().home().resolve("seqsvr"), root.resolve("seqsvr"));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        var before = FileTime.from(Instant.now().minusSeconds(60));
        for (var file : List.of("pom.xml", "cli/target/seqsvr-cli-1.jar", "cli/target/lib/core.jar")) {
            Files.setLastModifiedTime(write(file, ""), before);
        }
        write("cli/target/seqsvr.built", "");
        write("java/release", "JAVA_VERSION=\"17.0.1\"\n");
    }

    private Path write(String file, String text) throws IOException {
        var path = root.resolve(file);
        Files.createDirectories(path.resolveSibling(""));
        return Files.writeString(path, text);
    }

    private ProcessBuilder command(String java, String... arguments) throws IOException {
        var prologue = """
                #!/usr/bin/env bash
                root=${0%/java/bin/java}
                archive=$root/cli/target/seqsvr-17000001.jsa.new
                touch "$root/cli/target/seqsvr-17000001.jsa.list"
                """;
        Files.setPosixFilePermissions(
                write("java/bin/java", prologue + java), PosixFilePermissions.fromString("rwxr-xr-x"));
        var command = new ProcessBuilder(root.resolve("seqsvr").toString());
        command.command().addAll(List.of(arguments));
        command.environment().keySet().removeIf(name -> name.startsWith("SEQSVR_") || name.startsWith("LC_"));
        command.environment().put("SEQSVR_JAVA_HOME", root.resolve("java").toString());
        return command;
    }

    private Finished run(String java, String... arguments) throws IOException {
        return Finished.run(command(java, arguments), Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @CsvSource({"LC_ALL, C.UTF-8|", "LC_CTYPE, C.UTF-8|", "LC_MESSAGES, |"})
    void javaHearsOfErrorsInEnglishWhateverTheLanguageIs(String variable, String kept) throws IOException {
        var command = command("echo \"$LC_CTYPE|${LC_ALL-}${LC_MESSAGES}\"", "next", "42");
        command.environment().putAll(Map.of("LANG", "C.UTF-8", "LANGUAGE", "de", variable, "C.UTF-8"));
        var ended = Finished.run(command, Duration.ofSeconds(30));
        assertEquals(new Finished(0, kept + "C\n", ""), ended);
    }

    @Test
    void whatNeedsAnArchiveMakesOneAndThenRuns() throws IOException {
        var first = run(REHEARSES, "demo");
        assertEquals("ran demo\n", first.stdout(), first::toString);
        assertTrue(first.stderr().contains("rehearsing"), first::toString);
        assertTrue(Files.exists(root.resolve("cli/target/seqsvr-17000001.jsa")));
        assertEquals(new Finished(0, "ran demo\n", ""), run(REHEARSES, "demo"));
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void whoInterruptsTheRehearsalInterruptsAll(String signal, int exitCode) throws Exception {
        shell("mkfifo begun never");
        var script =
                command(REHEARSES_FOR_EVER, "demo").redirectErrorStream(true).start();
        try {
            var rehearsal = Files.readString(root.resolve("begun")).strip();
            // To all of the terminal, as by Ctrl-C, and to the script alone, as by a supervisor.
            shell("kill -" + signal + " " + script.pid() + (signal.equals("INT") ? " " + rehearsal : ""));
            var said = new String(script.getInputStream().readAllBytes(), UTF_8);
            assertTrue(script.waitFor(30, TimeUnit.SECONDS));
            assertEquals(exitCode, script.exitValue(), said);
            assertTrue(said.endsWith("seqsvr: the rehearsal was interrupted\n"), said);
            assertFalse(said.contains("ran demo"), said);
            // Nor does what the rehearsal had started go on, and keep others from building.
            shell("! command -v flock || flock -w 10 .seqsvr-build.lock true");
        } finally {
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            script.destroyForcibly();
        }
    }

    private void shell(String line) {
        var command = new ProcessBuilder("bash", "-c", line).directory(root.toFile());
        var ended = Finished.run(command, Duration.ofSeconds(30));
        assertEquals(0, ended.exitCode(), ended::toString);
    }

    @Test
    void whereNobodyMayRehearseTheCommandRunsAllTheSame() throws IOException {
        // Root may write anywhere but here.
        Files.createDirectory(root.resolve(".seqsvr-build.lock"));
        var ended = run(REHEARSES, "demo");
        assertEquals("ran demo\n", ended.stdout(), ended::toString);
        assertEquals(
                "seqsvr: cannot write " + root.toRealPath()
                        + "/.seqsvr-build.lock, so there is no rehearsal, and starts" + " stay slow\n",
                ended.stderr());
        assertEquals(0, ended.exitCode());
        assertEquals(1, run(REHEARSES, "rehearse").exitCode());
    }

    @Test
    void whereTheLogOfARehearsalCannotBeWrittenTheCommandRunsAllTheSame() throws IOException {
        Files.createDirectory(root.resolve("cli/target/rehearsal.log"));
        var ended = run(REHEARSES, "demo");
        assertEquals("ran demo\n", ended.stdout(), ended::toString);
        assertTrue(ended.stderr().contains("seqsvr: the rehearsal failed"), ended::toString);
    }

    @Test
    void whatAnInterruptedRehearsalLeftIsNoArchive() throws IOException {
        write("cli/target/seqsvr-17000001.jsa.new", "half");
        var ended = run("echo \"ran ${*: -1}\"", "demo");
        assertEquals("ran demo\n", ended.stdout(), ended::toString);
        assertTrue(ended.stderr().contains("seqsvr: the rehearsal failed"), ended::toString);
        assertFalse(Files.exists(root.resolve("cli/target/seqsvr-17000001.jsa")));
    }
}
