package io.seqsvr.storesvr.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.node.StartupException;
import io.seqsvr.proto.internal.v1.PeerMark;
import io.seqsvr.storesvr.disk.DataDirectory.Content;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One process at a time has a data directory, whatever it does with it. */
class DataDirectoryLockTest {
    private static final PeerMark MARK = PeerMark.newBuilder()
            .setFormat(DataDirectory.FORMAT)
            .setPeerId("peer-1")
            .build();

    @TempDir
    private Path root = Path.of("");

    private Path data = Path.of("");

    @BeforeEach
    void chooseDirectory() {
        data = root.resolve("data");
    }

    private void formatCompletely() throws StartupException {
        try (var directory = DataDirectory.format(data, MARK)) {
            directory.completeFormat();
        }
    }

    private void assertInUse() {
        var refused = assertThrows(StartupException.class, () -> DataDirectory.open(data));
        assertEquals(
                "data directory " + data + " is in use by another process; stop it or give another directory",
                refused.getMessage());
    }

    @Test
    void whileItIsFormattedNobodyElseFormatsOrOpensIt() throws StartupException {
        try (var directory = DataDirectory.format(data, MARK)) {
            assertEquals(Content.HALF_FORMATTED, DataDirectory.inspect(data));
            assertThrows(StartupException.class, () -> DataDirectory.format(data, MARK));
            assertThrows(StartupException.class, () -> DataDirectory.open(data));
            directory.completeFormat();
            assertInUse();
        }
        DataDirectory.open(data).close();
    }

    @Test
    void ofManyWhoFormatAtOnceOneSucceeds() throws Exception {
        int formatters = 6;
        var pool = Executors.newFixedThreadPool(formatters);
        try {
            for (int round = 0; round < 20; round++) {
                data = root.resolve("data-" + round);
                var start = new CyclicBarrier(formatters);
                var outcomes = new ArrayList<Future<Boolean>>();
                for (int i = 0; i < formatters; i++) {
                    outcomes.add(pool.submit(() -> {
                        start.await(10, TimeUnit.SECONDS);
                        return formats();
                    }));
                }
                int succeeded = 0;
                for (var outcome : outcomes) {
                    succeeded += outcome.get(10, TimeUnit.SECONDS) ? 1 : 0;
                }
                assertEquals(1, succeeded, "in round " + round);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private boolean formats() {
        try {
            formatCompletely();
            return true;
        } catch (StartupException refused) {
            return false;
        }
    }

    @Test
    void thisProcessOpensItOnce() throws StartupException {
        formatCompletely();
        var first = DataDirectory.open(data);
        assertInUse();
        first.close();
        DataDirectory.open(data).close();
    }

    @Test
    @Timeout(30)
    void twoProcessesNeverOpenItAtOnce() throws IOException, InterruptedException, StartupException {
        formatCompletely();
        var holder = LockHolder.start(data);
        try (var output = new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            assertEquals("holding peer-1", output.readLine());
            assertInUse();
        } finally {
            holder.destroyForcibly();
        }
        assertTrue(holder.waitFor(10, TimeUnit.SECONDS));
        // Killed, it left the lock file but not the lock.
        DataDirectory.open(data).close();
    }

    @Test
    @Timeout(30)
    void aSecondProcessFindsItInUse() throws IOException, InterruptedException, StartupException {
        formatCompletely();
        try (var held = DataDirectory.open(data)) {
            // POSIX drops a process's lock when it closes the file anywhere, in a refused attempt too.
            assertInUse();
            var second = LockHolder.start(data);
            second.getOutputStream().close();
            assertEquals("", new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            assertTrue(second.waitFor(10, TimeUnit.SECONDS));
            assertEquals(1, second.exitValue());
            assertEquals("peer-1", held.mark().getPeerId());
        }
    }
}
