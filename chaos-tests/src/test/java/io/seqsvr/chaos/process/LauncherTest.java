package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LauncherTest {
    @TempDir
    private Path home;

    @Test
    void theTreeIsFoundFromAModuleOfIt() throws IOException {
        var launcher = FakeTree.whoseLauncherDoes(home, "exit 0");
        var module = Files.createDirectories(home.resolve("cli/target"));
        Files.createFile(home.resolve("cli/pom.xml"));
        assertEquals(launcher, Launcher.above(module));
    }

    @Test
    void aDirectoryWithoutTheScriptIsNoTree() {
        var refusal = assertThrows(IllegalStateException.class, () -> Launcher.at(home));
        assertEquals("seqsvr.home is " + home + ", which does not hold both seqsvr and pom.xml", refusal.getMessage());
    }

    @Test
    void theScriptBuildsNothingAndRunsOnTheJavaOfTheTest() throws IOException {
        var launcher = FakeTree.whoseLauncherDoes(home, "echo $SEQSVR_NO_BUILD $SEQSVR_JAVA_HOME \"$@\"");
        var finished = new Cli(launcher, Duration.ofSeconds(20)).run("next", "42 43");
        assertEquals("1 " + System.getProperty("java.home") + " next 42 43\n", finished.stdout());
        assertEquals(
                List.of(home.resolve("seqsvr").toString()),
                launcher.command(List.of()).command());
    }
}
