package io.seqsvr.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A node as a process of this machine: started from settings in its directory, asked by its health, and stopped, killed
 * or frozen by its handle. It may be started again after it ended. Use it from one thread.
 */
public final class LocalNode {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    private static final Duration HEALTH_ANSWERS_WITHIN = Duration.ofSeconds(2);
    private static final Duration SIGNAL_TAKES_AT_MOST = Duration.ofSeconds(10);
    private static final int EXIT_OF_SIGKILL = 128 + 9;
    /** Of a Java that was well, whether the signal ended it or its own last line. */
    private static final Set<Integer> EXITS_OF_SIGTERM = Set.of(0, 128 + 15);

    private static final Duration LIVELY = Duration.ofMillis(500);
    private static final int SERVING = 200;
    private static final int NOBODY = -1;
    private static final int LAST_LINES = 40;
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s*(\\d+) kB");

    private final LocalNodes nodes;
    private final String name;
    private final Tier tier;
    private final Path directory;
    private volatile Endpoint endpoint;
    private volatile @Nullable Process process;
    /** How long its log was when its present life began. */
    private volatile long lifeBegins;

    LocalNode(LocalNodes nodes, String name, Tier tier, Endpoint endpoint, Path directory) {
        this.nodes = nodes;
        this.name = name;
        this.tier = tier;
        this.endpoint = endpoint;
        this.directory = directory;
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** What it is. */
    public Tier tier() {
        return tier;
    }

    /** Where others find it. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** Where others find it from its next start on. */
    void moveTo(Endpoint next) {
        endpoint = next;
    }

    /** What it has to itself: settings, log, data. */
    public Path directory() {
        return directory;
    }

    /** Where it keeps its data, if it does. */
    public Path data() {
        return nodes.site().data(name, directory);
    }

    /** The file of its settings, to be written before it is started. */
    public Path settings() {
        return directory.resolve(tier.command() + ".yaml");
    }

    /** The file of what it wrote in all its lives; not there before the first. */
    public Path log() {
        return directory.resolve(tier.command() + ".log");
    }

    /**
     * Starts it; it is not ready yet.
     *
     * @throws NodeFailure if it runs already
     */
    public void start() {
        if (isAlive()) {
            throw new NodeFailure(name + " is to be started, but runs already");
        }
        var command = nodes.command(tier, settings());
        command.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log().toFile()));
        // What it tells is looked for by others.
        command.environment().remove("SEQSVR_LOG");
        lifeBegins = log().toFile().length();
        process = nodes.start(name, command);
    }

    /** Whether its process runs, frozen or not. */
    public boolean isAlive() {
        var running = process;
        return running != null && running.isAlive();
    }

    /** Its process id. */
    public long pid() {
        return running().pid();
    }

    /** Whether its health says SERVING now. */
    public boolean isReady() {
        return health(HEALTH_ANSWERS_WITHIN) == SERVING;
    }

    /** Whether its health says anything within half a second; a frozen one does not. */
    public boolean answers() {
        return health(LIVELY) != NOBODY;
    }

    private int health(Duration within) {
        try {
            return WebPage.of(endpoint, "/healthz", within).status();
        } catch (IOException nobody) {
            return NOBODY;
        }
    }

    /**
     * Looks every few milliseconds until its health says SERVING.
     *
     * @throws NodeFailure if it does not in time, or ends before
     */
    public void awaitReady(Duration within) {
        awaitReady(within, BETWEEN_LOOKS);
    }

    /** The same with looks that are this far apart, to leave the machine to those that start. */
    public void awaitReady(Duration within, Duration betweenLooks) {
        await("ready", this::isReady, within, betweenLooks);
    }

    /** Looks until its health says anything at all: it listens then. */
    void awaitAnswer(Duration within, Duration betweenLooks) {
        await("listening", this::answers, within, betweenLooks);
    }

    private void await(String what, BooleanSupplier isSo, Duration within, Duration betweenLooks) {
        long start = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() - start > within.toNanos()) {
                throw failure("was not " + what + " within " + within.toSeconds() + " s");
            }
            if (Children.hasExited(running(), betweenLooks)) {
                throw failure("ended with exit code " + running().exitValue() + " before it was " + what);
            }
        }
    }

    /**
     * Kills it without a warning and waits until it is gone.
     *
     * @throws NodeFailure if it had ended by itself
     */
    public void kill9() {
        var running = running();
        Children.kill(running);
        if (running.exitValue() != EXIT_OF_SIGKILL) {
            throw failure("was to be killed, but had ended by itself with exit code " + running.exitValue());
        }
    }

    /**
     * Asks it to stop (SIGTERM) and waits until it has.
     *
     * @return its exit code
     * @throws NodeFailure if it takes longer; it is then killed
     */
    public int terminate(Duration within) {
        var running = running();
        running.destroy();
        if (!Children.hasExited(running, within)) {
            Children.kill(running);
            throw failure("still ran " + within.toSeconds() + " s after SIGTERM");
        }
        return running.exitValue();
    }

    /**
     * Stops it as an operator does (SIGTERM), and waits until it has ended.
     *
     * @throws NodeFailure if it takes longer, or ends as one that failed
     */
    public void stop(Duration within) {
        int code = terminate(within);
        if (!EXITS_OF_SIGTERM.contains(code)) {
            throw failure("was to stop (SIGTERM), and ended with exit code " + code);
        }
    }

    /** Stops it where it is (SIGSTOP), its connections open, until it is resumed or killed. */
    public void pause() {
        signal("-STOP");
    }

    /** Lets it go on from there (SIGCONT). */
    public void resume() {
        signal("-CONT");
    }

    private void signal(String signal) {
        if (!isAlive()) {
            throw failure("is to take " + signal + ", but does not run");
        }
        var sent = Finished.run(
                new ProcessBuilder("kill", signal, Long.toString(running().pid())), SIGNAL_TAKES_AT_MOST);
        if (sent.exitCode() != 0) {
            throw failure("did not take " + signal + ": " + sent.stderr().strip());
        }
    }

    /** Whether it has written these words since it was started last. */
    public boolean hasSaid(String words) {
        try (var log = Files.newInputStream(log())) {
            log.skipNBytes(lifeBegins);
            return new String(log.readAllBytes(), StandardCharsets.UTF_8).contains(words);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the log of " + name + " cannot be read", unreadable);
        }
    }

    /**
     * Waits until it has ended by itself.
     *
     * @return its exit code
     * @throws NodeFailure if it takes longer
     */
    public int awaitEnd(Duration within) {
        if (!Children.hasExited(running(), within)) {
            throw failure("was to end by itself, and still ran after " + within.toSeconds() + " s");
        }
        return running().exitValue();
    }

    /** The code with which it ended; nothing while it runs. */
    public OptionalInt exitCode() {
        var ended = running();
        return ended.isAlive() ? OptionalInt.empty() : OptionalInt.of(ended.exitValue());
    }

    /** Bytes of memory that its process has in RAM now; nothing where the system does not show that as Linux does. */
    public OptionalLong residentBytes() {
        try {
            var said = Files.readString(Path.of("/proc", Long.toString(pid()), "status"));
            var found = RESIDENT.matcher(said);
            return found.find() ? OptionalLong.of(Long.parseLong(found.group(1)) * 1024) : OptionalLong.empty();
        } catch (IOException notShown) {
            return OptionalLong.empty();
        }
    }

    /** Kills it without a warning if it still runs, and waits until it is gone. */
    public void killIfAlive() {
        var running = process;
        if (running != null) {
            Children.kill(running);
        }
    }

    /** Deletes all its data, if there is any. It must not run. */
    public void loseData() throws IOException {
        if (isAlive()) {
            throw new NodeFailure(name + " is to lose its data, but runs");
        }
        if (!Files.exists(data())) {
            return;
        }
        try (var all = Files.walk(data())) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private Process running() {
        var running = process;
        if (running == null) {
            throw new NodeFailure(name + " was never started");
        }
        return running;
    }

    private NodeFailure failure(String what) {
        // A node that ends because all are removed did not fail, and its log is gone.
        nodes.requireOpen();
        return new NodeFailure(name + " " + what + "; it wrote:" + System.lineSeparator() + lastLines());
    }

    private String lastLines() {
        try {
            var lines = Files.readAllLines(log());
            return String.join(
                    System.lineSeparator(), lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the log of " + name + " cannot be read", unreadable);
        }
    }
}
