package io.seqsvr.chaos.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * One running {@code ./seqsvr dev}: a whole cluster in one process. The launcher gives its place to Java, so that the
 * process that is killed is the one that serves.
 */
public final class DevCluster implements AutoCloseable {
    /** The namespace that a fresh cluster has. */
    public static final String NAMESPACE = "default";

    private static final Pattern READY = Pattern.compile("seqsvr dev is ready on (\\S+:\\d+)\\b.*");
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Duration ENDING_TAKES = Duration.ofSeconds(5);
    private static final int EXIT_OF_SIGKILL = 128 + 9;

    private final Process process;
    private final Tail tail = new Tail();
    private final CompletableFuture<Endpoint> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> written;

    private DevCluster(Process process) {
        this.process = process;
        this.written = CompletableFuture.allOf(
                Lines.readAll(process.getInputStream(), "stdout", this::readStdout)
                        .thenRun(() -> ready.completeExceptionally(new IllegalStateException("stdout ended"))),
                Lines.readAll(process.getErrorStream(), "stderr", tail::add));
    }

    /**
     * Starts a cluster and waits until it says that it is ready, a minute at most.
     *
     * @param data its data directory
     * @param port its port, 0 for any free one
     * @param more further arguments of {@code dev}
     * @throws IllegalStateException if it does not become ready; the message holds the end of what it wrote
     */
    public static DevCluster start(Path data, int port, String... more) {
        return start(Launcher.find(), READY_WITHIN, data, port, more);
    }

    /**
     * The same with a lease that no busy machine lets run out: for whoever needs exact numbers, and kills nobody.
     *
     * @param data its data directory, not formatted yet
     */
    public static DevCluster startUnhurried(Path data) {
        return start(data, 0, "--ttl", "30s");
    }

    static DevCluster start(Launcher launcher, Duration readyWithin, Path data, int port, String... more) {
        var arguments = new ArrayList<>(List.of("dev", "--data", data.toString(), "--port", Integer.toString(port)));
        arguments.addAll(List.of(more));
        var cluster = new DevCluster(Children.start(launcher.command(arguments)));
        cluster.awaitReady(readyWithin);
        return cluster;
    }

    /** Where it serves. */
    public Endpoint endpoint() {
        return ready.join();
    }

    /** The process id of the process that serves. */
    public long pid() {
        return process.pid();
    }

    /**
     * Kills it without a warning and waits until it is gone.
     *
     * @throws IllegalStateException if it had ended before, or by itself
     */
    public void kill9() {
        Children.kill(process);
        if (process.exitValue() != EXIT_OF_SIGKILL) {
            throw new IllegalStateException("the cluster was to be killed, but had ended by itself: " + ending());
        }
    }

    /**
     * Asks it to stop (SIGTERM) and waits until it has.
     *
     * @param within how long it may take
     * @return its exit code
     * @throws IllegalStateException if it takes longer; it is then killed
     */
    public int terminate(Duration within) {
        process.destroy();
        if (!Children.hasExited(process, within)) {
            Children.kill(process);
            throw new IllegalStateException("the cluster still ran " + within + " after SIGTERM: " + ending());
        }
        return process.exitValue();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        Children.kill(process);
    }

    private void readStdout(String line) {
        tail.add(line);
        var said = READY.matcher(line);
        if (said.matches()) {
            ready.complete(Endpoint.parse(said.group(1)));
        }
    }

    private void awaitReady(Duration within) {
        try {
            ready.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLong) {
            close();
            throw new IllegalStateException("the cluster was not ready within " + within + ": " + ending(), tooLong);
        } catch (ExecutionException stdoutEnded) {
            // Its exit code is its own, and not that of a kill, if it is given the time to end.
            var unused = Children.hasExited(process, ENDING_TAKES);
            close();
            throw new IllegalStateException("the cluster ended before it was ready: " + ending(), stdoutEnded);
        } catch (InterruptedException interrupted) {
            close();
            throw Interruption.of("the cluster to become ready");
        }
    }

    /** Only of a process that is gone: then its streams end, unless a stranger holds them. */
    private String ending() {
        written.completeOnTimeout(null, ENDING_TAKES.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return "exit code " + process.exitValue() + ", the end of its output:" + System.lineSeparator() + tail;
    }
}
