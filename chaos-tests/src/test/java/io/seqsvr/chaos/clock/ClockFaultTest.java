package io.seqsvr.chaos.clock;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a process takes for the time, against what we do: we read our own clocks before and after it has told. */
@Timeout(60)
final class ClockFaultTest {
    private static final long SLACK_NANOS = Duration.ofMillis(2).toNanos();

    @TempDir
    private Path directory;

    private ClockFault clock;
    private Process process;
    private BufferedReader answers;

    /** By how much the process's clocks differ from ours: within these bounds. */
    private record Skew(long leastNanos, long mostNanos, long leastWallNanos, long mostWallNanos) {
        private void requireMonotonic(Duration by) {
            assertTrue(leastNanos <= by.toNanos() && by.toNanos() <= mostNanos, this + " against " + by);
        }

        private void requireWall(Duration by) {
            assertTrue(leastWallNanos <= by.toNanos() && by.toNanos() <= mostWallNanos, this + " against " + by);
        }
    }

    @BeforeEach
    void start() throws IOException {
        var missing = ClockFault.missing();
        assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
        clock = ClockFault.at(directory.resolve("control"));
        var line = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ClockProgram.class.getName());
        var command = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT);
        command.environment().put("LD_PRELOAD", ClockFault.library(directory).toString());
        command.environment().putAll(clock.environment());
        process = command.start();
        answers = process.inputReader(StandardCharsets.US_ASCII);
        // Its first answer is late, as it starts.
        var unused = ask("");
    }

    @AfterEach
    void stop() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private Skew ask(String line) throws IOException {
        long wallBefore = System.currentTimeMillis();
        long before = System.nanoTime();
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        var told = answers.readLine().split(" ", -1);
        long after = System.nanoTime();
        long wallAfter = System.currentTimeMillis();
        long nanos = Long.parseLong(told[0]);
        long wall = Long.parseLong(told[1]);
        return new Skew(
                nanos - after - SLACK_NANOS,
                nanos - before + SLACK_NANOS,
                Duration.ofMillis(wall - wallAfter).toNanos() - SLACK_NANOS,
                Duration.ofMillis(wall - wallBefore).toNanos() + SLACK_NANOS);
    }

    @Test
    void clocksAreTrueUntilTheyAreSet() throws IOException {
        var skew = ask("");
        skew.requireMonotonic(Duration.ZERO);
        skew.requireWall(Duration.ZERO);
        assertFalse(clock.wallIsSeen());
        assertFalse(clock.monotonicIsSeen());
    }

    @Test
    void theWallClockIsSetAndTheMonotonicOneIsNot() throws IOException {
        clock.setWall(Duration.ofHours(2));
        var ahead = ask("");
        ahead.requireWall(Duration.ofHours(2));
        ahead.requireMonotonic(Duration.ZERO);
        assertTrue(clock.wallIsSeen());
        assertFalse(clock.monotonicIsSeen(), "that one was true");
        clock.setWall(Duration.ofHours(-5));
        ask("").requireWall(Duration.ofHours(-3));
        clock.heal();
        ask("").requireWall(Duration.ZERO);
    }

    @Test
    void whatAFastMonotonicClockHasGainedItKeeps() throws IOException {
        clock.run(200_000);
        var before = ask("");
        while (ask("").leastNanos() < before.mostNanos() + SLACK_NANOS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        clock.heal();
        ask("").requireWall(Duration.ZERO);
        // An answer that comes late says less, and an answer soon comes in time: what was gained is kept.
        while (ask("").leastNanos() <= before.mostNanos()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Test
    void aSuspendedMachineHasSpentNoMonotonicTimeAndNeverGetsItBack() throws IOException {
        clock.holdMonotonic(Duration.ofSeconds(30));
        ask("").requireMonotonic(Duration.ofSeconds(-30));
        assertTrue(clock.monotonicIsSeen());
        assertFalse(clock.wallIsSeen(), "that one was true");
        clock.heal();
        assertFalse(clock.monotonicIsSeen(), "what it saw was the suspend, and not what came after it");
        ask("").requireMonotonic(Duration.ofSeconds(-30));
        clock.forget();
        ask("").requireMonotonic(Duration.ZERO);
    }

    /**
     * A clock that ran ahead for a moment, by a rate without its beginning, stopped a router once: its timer was set by
     * it, and what it had sent was waited for without end.
     */
    @Test
    void whereverTheirSettingIsInterruptedTheProcessSeesNoneOfIt() throws IOException {
        var looks = new AtomicInteger();
        clock.beforeEachWrite(() -> {
            looks.incrementAndGet();
            requireTrueClocks();
        });
        clock.run(1_000_000);
        assertTrue(looks.get() > 1, "it was never interrupted on its way");
    }

    private void requireTrueClocks() {
        try {
            ask("").requireMonotonic(Duration.ZERO);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The process waits by what it takes for the time. */
    @Test
    void waitsTakeAsLongAsTheClockSays() throws IOException {
        clock.holdMonotonic(Duration.ofSeconds(30));
        long before = System.nanoTime();
        ask("300").requireMonotonic(Duration.ofSeconds(-30));
        assertTrue(System.nanoTime() - before >= Duration.ofMillis(290).toNanos());
    }

    @Test
    void aClockThatGoesTwiceAsFastHasGainedAsMuchAsHasPassed() throws IOException {
        long begun = System.nanoTime();
        clock.run(1_000_000);
        // Half of it by the true clock.
        var skew = ask("400");
        long passed = System.nanoTime() - begun;
        assertTrue(passed >= Duration.ofMillis(190).toNanos(), "waited " + passed);
        assertTrue(skew.mostNanos() >= Duration.ofMillis(190).toNanos(), skew::toString);
        assertTrue(skew.leastNanos() <= passed, skew::toString);
    }

    @Test
    void aClockThatStandsStillOrGoesBackByItselfIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> clock.run(-1_000_000));
    }
}
