package io.seqsvr.chaos.process;

import io.seqsvr.chaos.caller.CallerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Nodes that run on this machine as processes of their own, in a directory of their own. Once this is closed, or the
 * JVM ends by itself or by a signal other than SIGKILL, nothing is left of either.
 */
public final class LocalNodes implements AutoCloseable {
    private static final int REMOVALS = 10;
    private static final JavaProgram CALLER = new JavaProgram(CallerProgram.class.getName());

    private final Path directory;
    private final JavaProgram program;
    private final List<LocalNode> nodes = new ArrayList<>();
    private final Site site;
    private final Thread hook = new Thread(this::remove, "remove-nodes");
    private boolean closed;

    private LocalNodes(Path directory, Site site, JavaProgram program) {
        this.directory = directory;
        this.site = site;
        this.program = program;
    }

    /**
     * Makes the directory of nodes on loopback; starts nothing.
     *
     * @param parent where the directory is made
     * @param prefix how its name begins
     * @param program what every node runs
     */
    public static LocalNodes in(Path parent, String prefix, JavaProgram program) throws IOException {
        return in(parent, prefix, directory -> new Loopback(), program);
    }

    /**
     * The same of nodes that run elsewhere.
     *
     * @param site where, given the directory; it is closed with the nodes. If it cannot be made nothing is left of it
     */
    public static LocalNodes in(Path parent, String prefix, Function<Path, Site> site, JavaProgram program)
            throws IOException {
        var directory = Files.createTempDirectory(parent, prefix).toAbsolutePath();
        LocalNodes made;
        try {
            made = new LocalNodes(directory, site.apply(directory), program);
        } catch (RuntimeException failed) {
            try {
                remove(directory);
            } catch (RuntimeException alsoFailed) {
                failed.addSuppressed(alsoFailed);
            }
            throw failed;
        }
        Runtime.getRuntime().addShutdownHook(made.hook);
        return made;
    }

    /** Where they live. */
    public Path directory() {
        return directory;
    }

    /** Copies what each node has logged into a directory, which is made. */
    public synchronized void copyLogs(Path to) throws IOException {
        Files.createDirectories(to);
        for (var node : nodes) {
            if (Files.exists(node.log())) {
                Files.copy(node.log(), to.resolve(node.name() + ".log"), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Where they run. */
    public Site site() {
        return site;
    }

    /**
     * A node that does not run yet.
     *
     * @param name its name, and that of its directory
     * @param tier what it is
     * @param endpoint where its settings will make it listen
     */
    public LocalNode node(String name, Tier tier, Endpoint endpoint) throws IOException {
        var node = new LocalNode(this, name, tier, endpoint, directory.resolve(name));
        prepare(() -> {
            Files.createDirectory(node.directory());
            nodes.add(node);
        });
        return node;
    }

    /** Something to be done in the directory. */
    @FunctionalInterface
    public interface Preparation<X extends Exception> {
        /** Does it. */
        void run() throws IOException, X;
    }

    /**
     * Does something in the directory; whoever ends the JVM meanwhile waits for it, so that it is removed as well.
     *
     * @throws NodeFailure if this is closed
     */
    public synchronized <X extends Exception> void prepare(Preparation<X> preparation) throws IOException, X {
        requireOpen();
        preparation.run();
    }

    synchronized Process start(String node, ProcessBuilder command) {
        requireOpen();
        var process = Children.start(site.on(node, command));
        site.started(node, process.pid());
        return process;
    }

    /**
     * Runs a command as an operator would, and waits until it has ended.
     *
     * @param arguments of the program that every node runs
     * @throws NodeFailure if it does not end in time, or not with 0
     */
    public void operate(List<String> arguments, Duration within) {
        Finished ended;
        try {
            ended = Finished.run(program.command(arguments), within);
        } catch (IllegalStateException late) {
            throw new NodeFailure(String.valueOf(late.getMessage()));
        }
        if (ended.exitCode() != 0) {
            throw new NodeFailure("'seqsvr " + String.join(" ", arguments) + "' ended with " + ended.exitCode() + ": "
                    + ended.stderr().strip());
        }
    }

    /** The command line of a node. */
    ProcessBuilder command(Tier tier, Path settings) {
        return tier == Tier.CALLER
                ? CALLER.command(List.of(settings.toString()))
                : program.command(List.of(tier.command(), "--config", settings.toString()));
    }

    synchronized void requireOpen() {
        if (closed) {
            throw new NodeFailure("the nodes in " + directory + " are being removed");
        }
    }

    /** Kills every node that still runs and removes the directory. */
    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The JVM ends already: the hook finds nothing left to do.
            return;
        }
    }

    private synchronized void remove() {
        closed = true;
        nodes.forEach(LocalNode::killIfAlive);
        nodes.clear();
        site.close();
        remove(directory);
    }

    private static void remove(Path directory) {
        try {
            for (int tries = 1; !isRemoved(directory); tries++) {
                if (tries == REMOVALS) {
                    throw new NodeFailure(directory + " cannot be removed: something still writes there");
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(directory + " cannot be removed", failed);
        }
    }

    /** What goes away meanwhile was to go; what comes makes another round necessary. */
    private static boolean isRemoved(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return true;
        }
        try (var all = Files.walk(directory)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
            return true;
        } catch (DirectoryNotEmptyException | NoSuchFileException busy) {
            return false;
        } catch (UncheckedIOException busy) {
            if (busy.getCause() instanceof NoSuchFileException) {
                return false;
            }
            throw busy.getCause();
        }
    }
}
