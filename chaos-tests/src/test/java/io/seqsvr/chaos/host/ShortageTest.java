package io.seqsvr.chaos.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process gets less of the machine, and then as much as before. */
@Timeout(60)
final class ShortageTest {
    private final List<Process> started = new ArrayList<>();

    private Process start(String... line) throws IOException {
        var process = new ProcessBuilder(line).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void whoeverWantsMoreProcessorThanItMayHaveStandsStill() throws IOException {
        var missing = CpuQuota.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        var process = start("sh", "-c", "while :; do :; done");
        var group = Path.of("/sys/fs/cgroup/cpu/seqsvr-" + process.pid());
        try (var quota = CpuQuota.limit(process.pid(), 5)) {
            while (!quota.isFelt()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertTrue(Files.exists(group));
        }
        assertFalse(Files.exists(group));
        assertTrue(process.isAlive());
        assertThrows(IllegalArgumentException.class, () -> CpuQuota.limit(process.pid(), 0));
    }

    @Test
    void whoeverGetsOnWithLittleProcessorGetsLessUntilItStandsStill() throws IOException {
        var missing = CpuQuota.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        var process = start("sh", "-c", "while :; do sleep 0.02; done");
        try (var quota = CpuQuota.limit(process.pid(), 100)) {
            while (!quota.isFelt()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
        assertTrue(process.isAlive());
    }

    @Test
    void aProcessAtItsLimitOpensNothingMore() throws IOException {
        var missing = NativeCode.missing("prlimit", "util-linux");
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        var process = start("sh", "-c", "while read -r line; do (exec 9</dev/null) && echo open; done");
        var answers = process.inputReader(StandardCharsets.US_ASCII);
        assertEquals("open", ask(process, answers));
        try (var limit = FileLimit.atWhatIsOpen(process.pid())) {
            var answer = ask(process, answers);
            assertTrue(answer.contains("Too many open files"), answer);
            assertTrue(limit.isFelt());
        }
        assertEquals("open", ask(process, answers));
    }

    @Test
    void whatAProcessAtItsLimitHasClosedItDoesNotOpenAgain(@TempDir Path directory) throws Exception {
        var missing = NativeCode.missing("prlimit", "util-linux");
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        var pipe = directory.resolve("pipe");
        assertEquals(0, start("mkfifo", pipe.toString()).waitFor());
        var process = start("cat", pipe.toString(), "-");
        var read = Path.of("/proc", Long.toString(process.pid()), "fd", "3");
        // Opens when both have opened it.
        var written = Files.newOutputStream(pipe);
        try (var limit = FileLimit.atWhatIsOpen(process.pid())) {
            assertTrue(Files.exists(read, LinkOption.NOFOLLOW_LINKS));
            written.close();
            while (Files.exists(read, LinkOption.NOFOLLOW_LINKS)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertTrue(limit.isFelt());
        }
    }

    @Test
    void whoeverWantsMoreMemoryThanItHasIsKilled() throws Exception {
        var missing = MemoryLimit.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        var process = start("sh", "-c", "read -r line; x=1; while :; do x=$x$x; done");
        var group = Path.of("/sys/fs/cgroup/memory/seqsvr-" + process.pid());
        try (var limit = MemoryLimit.atWhatItHas(process.pid())) {
            assertFalse(limit.isFelt());
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            assertEquals(128 + 9, process.waitFor());
            assertTrue(limit.isFelt());
        }
        assertFalse(Files.exists(group));
    }

    @Test
    void whoeverIsFrozenDoesNothingNotEvenDie() throws Exception {
        var missing = Freezer.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        var process = start("sh", "-c", "while read -r line; do echo heard; done");
        var answers = process.inputReader(StandardCharsets.US_ASCII);
        assertEquals("heard", ask(process, answers));
        var group = Path.of("/sys/fs/cgroup/freezer/seqsvr-" + process.pid());
        try (var freezer = Freezer.freeze(process.pid())) {
            while (!freezer.isFrozen()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            assertTrue(process.toHandle().destroyForcibly());
            assertFalse(process.waitFor(200, TimeUnit.MILLISECONDS));
            assertFalse(answers.ready(), "it would have answered");
        }
        assertEquals(128 + 9, process.waitFor());
        assertFalse(Files.exists(group));
    }

    private static String ask(Process process, BufferedReader answers) throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return answers.readLine();
    }
}
