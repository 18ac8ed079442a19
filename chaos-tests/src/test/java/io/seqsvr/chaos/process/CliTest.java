package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CliTest {
    private static final Duration WITHIN = Duration.ofSeconds(20);

    @TempDir
    private Path home;

    @Test
    void whatACommandWroteAndItsExitCodeComeBack() throws IOException {
        var launcher = FakeTree.whoseLauncherDoes(home, "echo out", "echo err >&2", "exit 4");
        assertEquals(new Finished(4, "out\n", "err\n"), new Cli(launcher, WITHIN).run());
    }

    @Test
    void aCommandThatWritesMuchIsNotHeldUp() throws IOException {
        var launcher = FakeTree.whoseLauncherDoes(home, "yes 12345678 | head -n 200000 >&2", "echo done");
        var finished = new Cli(launcher, WITHIN).run();
        assertEquals(200_000 * 9, finished.stderr().length());
        assertEquals("done\n", finished.stdout());
    }

    @Test
    void aCommandThatReadsMeetsTheEndOfItsInput() throws IOException {
        var launcher = FakeTree.whoseLauncherDoes(home, "cat", "echo read");
        assertEquals("read\n", new Cli(launcher, WITHIN).run().stdout());
    }

    @Test
    void aCommandThatHangsIsKilledWithAllThatItStarted() throws IOException {
        var launcher = FakeTree.whoseLauncherDoes(home, "sleep 1000 &", "echo waiting for $!", "wait");
        var failure =
                assertThrows(IllegalStateException.class, () -> new Cli(launcher, Duration.ofSeconds(3)).run("next"));
        var message = String.valueOf(failure.getMessage());
        assertTrue(message.contains("seqsvr next did not end within PT3S"), message);
        long pid = Long.parseLong(message.replaceFirst("(?s).*waiting for (\\d+).*", "$1"));
        ProcessHandle.of(pid).ifPresent(child -> child.onExit().join());
    }
}
