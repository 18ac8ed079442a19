package io.seqsvr.chaos.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class DevClusterTest {
    private static final Duration WITHIN = Duration.ofSeconds(20);
    private static final String READY = "echo 'seqsvr dev is ready on 127.0.0.1:4711 (namespace default)'";
    private static final String SERVES = "exec sleep 1000";

    @TempDir
    private Path home;

    @Test
    void theEndpointIsWhatTheReadyLineSays() throws IOException {
        try (var cluster = start("echo starting", READY, SERVES)) {
            assertEquals(new Endpoint("127.0.0.1", 4711), cluster.endpoint());
        }
    }

    @Test
    void dataAndPortAreHandedOverAsArguments() throws IOException {
        var failure = assertThrows(
                IllegalStateException.class,
                () -> start("echo \"$@\"", "exit 3").close());
        assertSays(failure, "dev --data " + home.resolve("data") + " --port 0 --verbose");
    }

    @Test
    void aClusterThatEndsBeforeItIsReadyIsShownWithItsLastWords() {
        var failure = assertThrows(
                IllegalStateException.class,
                () -> start("echo 'port 4711 is taken' >&2", "exit 1").close());
        assertSays(failure, "ended before it was ready: exit code 1");
        assertSays(failure, "port 4711 is taken");
    }

    @Test
    void aClusterThatNeverBecomesReadyIsKilled() {
        var failure = assertThrows(
                IllegalStateException.class,
                () -> DevCluster.start(
                                FakeTree.whoseLauncherDoes(home, "echo starting as $$", SERVES),
                                Duration.ofSeconds(3),
                                home,
                                0)
                        .close());
        assertSays(failure, "was not ready within PT3S");
        assertFalse(isAlive(
                Long.parseLong(String.valueOf(failure.getMessage()).replaceFirst("(?s).*starting as (\\d+).*", "$1"))));
    }

    @Test
    void aKilledClusterIsGone() throws IOException {
        try (var cluster = start(READY, SERVES)) {
            cluster.kill9();
            assertFalse(isAlive(cluster.pid()));
        }
    }

    @Test
    void aClusterThatHadEndedByItselfWasNotKilled() throws IOException {
        try (var cluster = start(READY, SERVES)) {
            cluster.terminate(WITHIN);
            assertSays(assertThrows(IllegalStateException.class, cluster::kill9), "had ended by itself: exit code 143");
        }
    }

    @Test
    void terminateTellsTheExitCode() throws IOException {
        try (var cluster = start(READY, SERVES)) {
            assertEquals(143, cluster.terminate(WITHIN));
        }
    }

    @Test
    void aClusterThatDoesNotHeedSigtermIsKilledInTheEnd() throws IOException {
        try (var cluster = start("trap '' TERM", READY, SERVES)) {
            assertSays(
                    assertThrows(IllegalStateException.class, () -> cluster.terminate(Duration.ofMillis(300))),
                    "still ran PT0.3S after SIGTERM");
            assertFalse(isAlive(cluster.pid()));
        }
    }

    private DevCluster start(String... lines) throws IOException {
        return DevCluster.start(FakeTree.whoseLauncherDoes(home, lines), WITHIN, home.resolve("data"), 0, "--verbose");
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static void assertSays(Throwable failure, String words) {
        var message = String.valueOf(failure.getMessage());
        assertTrue(message.contains(words), message);
    }
}
