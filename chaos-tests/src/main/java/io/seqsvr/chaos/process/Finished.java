package io.seqsvr.chaos.process;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A process that ran to its end.
 *
 * @param exitCode its exit code; 128 more than the signal where one ended it
 * @param stdout all that it wrote, each line ended by a line feed
 * @param stderr the same of its standard error
 */
public record Finished(int exitCode, String stdout, String stderr) {
    /**
     * Runs a process with an empty standard input.
     *
     * @param command what to run
     * @param within how long it may take
     * @throws IllegalStateException if it takes longer; it is then killed, and the message holds what it wrote
     */
    public static Finished run(ProcessBuilder command, Duration within) {
        return await(Children.start(command), command, within);
    }

    /**
     * The same for a process that undoes something: it is not killed where this JVM ends, as all others are.
     *
     * @param command what to run
     * @param within how long it may take
     * @throws IllegalStateException as {@link #run}
     */
    public static Finished runAtTheEnd(ProcessBuilder command, Duration within) {
        return await(Children.startAtTheEnd(command), command, within);
    }

    private static Finished await(Process process, ProcessBuilder command, Duration within) {
        // What a process wrote that must be killed is read while its readers may still add to it.
        var stdout = new ConcurrentLinkedQueue<String>();
        var stderr = new ConcurrentLinkedQueue<String>();
        var written = CompletableFuture.allOf(
                Lines.readAll(process.getInputStream(), "stdout", stdout::add),
                Lines.readAll(process.getErrorStream(), "stderr", stderr::add));
        try {
            process.getOutputStream().close();
            written.thenCombine(process.onExit(), (all, exited) -> exited)
                    .get(within.toMillis(), TimeUnit.MILLISECONDS);
            return new Finished(process.exitValue(), text(stdout), text(stderr));
        } catch (TimeoutException tooLong) {
            throw new IllegalStateException(
                    String.join(" ", command.command()) + " did not end within " + within + "; it wrote "
                            + new Finished(-1, text(stdout), text(stderr)),
                    tooLong);
        } catch (IOException | ExecutionException failed) {
            throw new IllegalStateException("cannot wait for " + String.join(" ", command.command()), failed);
        } catch (InterruptedException interrupted) {
            throw Interruption.of(String.join(" ", command.command()));
        } finally {
            Children.kill(process);
        }
    }

    private static String text(Collection<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /** Both streams, for a message. */
    @Override
    public String toString() {
        return "exit code " + exitCode + System.lineSeparator() + "stdout: " + stdout + System.lineSeparator()
                + "stderr: " + stderr;
    }
}
