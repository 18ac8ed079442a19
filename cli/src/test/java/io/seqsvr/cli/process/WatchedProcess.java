package io.seqsvr.cli.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.seqsvr.chaos.process.Launcher;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A command that starts a cluster of its own: what it says, what it is told, and what is left of it. */
final class WatchedProcess implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
    private static final Duration WITHIN = Duration.ofMinutes(3);

    private final Path out;
    private final Path err;
    private final Process process;
    /** Every process that was ever seen to be started by it. */
    private final Set<ProcessHandle> started = ConcurrentHashMap.newKeySet();

    /**
     * Starts it.
     *
     * @param said directory of what it writes
     */
    WatchedProcess(Path said, List<String> arguments) throws IOException {
        this(said, Launcher.find().command(arguments));
    }

    private WatchedProcess(Path said, ProcessBuilder command) throws IOException {
        out = said.resolve("out");
        err = said.resolve("err");
        process = command.redirectOutput(Redirect.to(out.toFile()))
                .redirectError(Redirect.to(err.toFile()))
                .start();
    }

    /** The same as a terminal starts it: in a process group of its own, which hears Ctrl-C. */
    static WatchedProcess asOfATerminal(Path said, List<String> arguments) throws IOException {
        var command = Launcher.find().command(arguments);
        // Who is started in the background of a script would be deaf for it.
        var line = new ArrayList<>(List.of("env", "--default-signal=INT", "setsid"));
        line.addAll(command.command());
        return new WatchedProcess(said, command.command(line));
    }

    /** What Ctrl-C does: every process of its group hears it. */
    void interruptGroup() throws IOException, InterruptedException {
        var kill = new ProcessBuilder("kill", "-INT", "--", "-" + process.pid()).start();
        assertEquals(0, kill.waitFor());
    }

    /** Types something; then, or later, comes the end of its input. */
    void types(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    void endsItsInput() throws IOException {
        process.getOutputStream().close();
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    /** Waits until it has said this on stderr. */
    void awaitErr(String words) throws IOException, InterruptedException {
        await(err, words);
    }

    /** The same on stdout. */
    void awaitOut(String words) throws IOException, InterruptedException {
        await(out, words);
    }

    private void await(Path said, String words) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (!Files.readString(said).contains(words)) {
            if (ended() || System.nanoTime() - start > WITHIN.toNanos()) {
                fail("'" + words + "' was never said: " + this);
            }
        }
    }

    private boolean ended() throws InterruptedException {
        process.descendants().forEach(started::add);
        return process.waitFor(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What {@code kill} does. */
    void terminate() {
        process.destroy();
    }

    int awaitEnd() throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (!ended()) {
            if (System.nanoTime() - start > WITHIN.toNanos()) {
                fail("it still runs: " + this);
            }
        }
        return process.exitValue();
    }

    /** Of its nodes nothing is left, nor of its directory. */
    void leftNothingIn(Path parent) throws IOException {
        assertNotEquals(Set.of(), started, "no process was seen");
        assertTrue(started.stream().noneMatch(ProcessHandle::isAlive), started::toString);
        try (var left = Files.list(parent)) {
            assertEquals(List.of(), left.toList());
        }
    }

    /** All that it said so far, for a message. */
    @Override
    public String toString() {
        try {
            return err() + out();
        } catch (IOException unreadable) {
            return "what it said cannot be read: " + unreadable.getMessage();
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
