package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.Launcher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntPredicate;

/**
 * One tier as a running process. The launcher gives its place to Java, so that the process that is killed is the one
 * that serves; none outlives this JVM.
 */
final class TierProcess implements AutoCloseable {
    /** What {@link #health} says where nobody listens. */
    static final int NOBODY = -1;

    static final int HEALTHY = 200;
    static final int UNHEALTHY = 503;
    static final int EXIT_OF_SIGKILL = 128 + 9;

    private static final Duration LISTENS_WITHIN = Duration.ofMinutes(3);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(15);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(ANSWERS_WITHIN)
            .build();
    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(Process::destroyForcibly), "kill-tiers"));
    }

    private final String tier;
    private final Process process;
    private final Endpoint endpoint;
    private final Path log;

    private TierProcess(String tier, Process process, Endpoint endpoint, Path log) {
        this.tier = tier;
        this.process = process;
        this.endpoint = endpoint;
        this.log = log;
    }

    /**
     * Starts a tier and waits until its port answers.
     *
     * @param tier the command that runs it
     * @param endpoint where its settings make it listen
     * @param log gets what it writes, after what is in there
     */
    static TierProcess start(String tier, Path config, Endpoint endpoint, Path log) {
        var started = launch(tier, config, endpoint, log, Map.of());
        started.awaitPort();
        return started;
    }

    /**
     * Starts a tier that may refuse to.
     *
     * @param environment what it has in its environment besides
     */
    static TierProcess launch(String tier, Path config, Endpoint endpoint, Path log, Map<String, String> environment) {
        var command = Launcher.find().command(List.of(tier, "--config", config.toString()));
        command.environment().putAll(environment);
        command.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
        try {
            var process = command.start();
            ALIVE.add(process);
            var unused = process.onExit().thenRun(() -> ALIVE.remove(process));
            return new TierProcess(tier, process, endpoint, log);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot start " + tier, failed);
        }
    }

    /** Waits until its port answers; fails if it ends first. */
    void awaitPort() {
        awaitHealth(health -> health != NOBODY, "a port that answers", LISTENS_WITHIN);
    }

    /** Waits until its port answers, or until it has ended: whether it came up. */
    boolean comesUp() {
        long start = System.nanoTime();
        while (health() == NOBODY) {
            if (endsWithin(BETWEEN_LOOKS)) {
                return false;
            }
            if (System.nanoTime() - start > LISTENS_WITHIN.toNanos()) {
                throw failure("neither answers nor ends within " + LISTENS_WITHIN);
            }
        }
        return true;
    }

    /** Waits until it has ended by itself, and returns its exit code. */
    int awaitEnd(Duration within) {
        if (!endsWithin(within)) {
            throw failure("still runs after " + within);
        }
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The status code of {@code /healthz} now. */
    int health() {
        var request = HttpRequest.newBuilder(URI.create("http://" + endpoint + "/healthz"))
                .timeout(ANSWERS_WITHIN)
                .build();
        try {
            return HTTP.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException nobody) {
            return NOBODY;
        } catch (InterruptedException interrupted) {
            throw interruption(interrupted);
        }
    }

    /** Looks at {@code /healthz} until it says so; fails if the process ends first. */
    void awaitHealth(int status, Duration within) {
        awaitHealth(health -> health == status, "/healthz that says " + status, within);
    }

    private void awaitHealth(IntPredicate reached, String what, Duration within) {
        long start = System.nanoTime();
        int health = health();
        while (!reached.test(health)) {
            if (System.nanoTime() - start > within.toNanos()) {
                throw failure("has not come to " + what + " within " + within + "; it is at " + health);
            }
            if (endsWithin(BETWEEN_LOOKS)) {
                throw failure("ended with exit code " + process.exitValue() + " before it came to " + what);
            }
            health = health();
        }
    }

    /** Stops it where it is (SIGSTOP), its connections open, until it is thawed or killed. */
    void freeze() {
        signal("-STOP");
    }

    /** Lets it go on from there (SIGCONT). */
    void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            int exit = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw failure("did not take " + signal);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot signal " + tier, failed);
        } catch (InterruptedException interrupted) {
            throw interruption(interrupted);
        }
    }

    /** Kills it without a warning and waits until it is gone. */
    void kill9() {
        close();
        if (process.exitValue() != EXIT_OF_SIGKILL) {
            throw failure("was to be killed, but had ended by itself with exit code " + process.exitValue());
        }
    }

    /** Asks it to stop (SIGTERM), waits until it has, and returns its exit code. */
    int terminate(Duration within) {
        process.destroy();
        if (!endsWithin(within)) {
            close();
            throw failure("still ran " + within + " after SIGTERM");
        }
        return process.exitValue();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
        if (!endsWithin(ENDS_WITHIN)) {
            throw failure("still runs " + ENDS_WITHIN + " after SIGKILL");
        }
    }

    private boolean endsWithin(Duration time) {
        try {
            process.onExit().get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException stillRuns) {
            return false;
        } catch (ExecutionException failed) {
            throw new IllegalStateException("cannot wait for " + tier, failed);
        } catch (InterruptedException interrupted) {
            throw interruption(interrupted);
        }
    }

    private IllegalStateException interruption(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for " + tier, cause);
    }

    private IllegalStateException failure(String what) {
        try {
            return new IllegalStateException(tier + " " + what + "; it wrote:\n" + Files.readString(log));
        } catch (IOException unreadable) {
            return new IllegalStateException(tier + " " + what, unreadable);
        }
    }
}
