package io.seqsvr.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A control group for one process, which is removed at the end of this JVM at the latest. Needs root and groups of
 * version 1.
 */
final class ControlGroup implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String MEMBERS = "cgroup.procs";

    /** Of groups with the freezer: whether its processes stand still. */
    static final String FREEZER_STATE = "freezer.state";

    private static final long EMPTY_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final Set<ControlGroup> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ControlGroup::closeAll, "remove-groups"));
    }

    private final Path parent;
    private final Path group;
    private final long pid;

    private ControlGroup(String controller, long pid) {
        this.parent = ROOT.resolve(controller);
        this.group = parent.resolve("seqsvr-" + pid);
        this.pid = pid;
    }

    private static void closeAll() {
        Optional<UncheckedIOException> first = Optional.empty();
        for (var group : OPEN) {
            try {
                group.close();
            } catch (UncheckedIOException failed) {
                first = first.or(() -> Optional.of(failed));
            }
        }
        if (first.isPresent()) {
            throw first.get();
        }
    }

    /** Why there can be no groups of that controller on this machine, if so. */
    static Optional<String> missing(String controller) {
        var parent = ROOT.resolve(controller);
        if (!Files.exists(parent.resolve(MEMBERS))) {
            return Optional.of(
                    "there is no " + parent + " (control groups of version 1 with the " + controller + " controller)");
        }
        return Files.isWritable(parent.resolve(MEMBERS))
                ? Optional.empty()
                : Optional.of("this user cannot write to " + parent + " (root is needed)");
    }

    /** A group that its process is not in yet. */
    static ControlGroup of(String controller, long pid) throws IOException {
        var group = new ControlGroup(controller, pid);
        Files.createDirectory(group.group);
        OPEN.add(group);
        return group;
    }

    /** Sets one of its numbers. */
    ControlGroup set(String file, long number) throws IOException {
        return set(file, Long.toString(number));
    }

    /** Sets one of its words. */
    ControlGroup set(String file, String word) throws IOException {
        Files.writeString(group.resolve(file), word);
        return this;
    }

    /** The process is in it from now on, and what it starts. */
    void enter() throws IOException {
        set(MEMBERS, pid);
    }

    /** What a file of it says. */
    String text(String file) {
        try {
            return Files.readString(group.resolve(file)).strip();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A number that a file of it tells in a line of its own, after its name; 0 if it does not. */
    long count(String file, String name) {
        try {
            return Files.readAllLines(group.resolve(file)).stream()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElse(0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The process is in no group of its own again; it may have ended meanwhile. Does nothing the second time. */
    @Override
    public void close() {
        if (!OPEN.remove(this)) {
            return;
        }
        long begun = System.nanoTime();
        while (true) {
            try {
                empty();
                return;
            } catch (IOException busy) {
                // Who is about to end can neither leave nor stay.
                if (System.nanoTime() - begun > EMPTY_WITHIN_NANOS) {
                    throw new UncheckedIOException("the group " + group + " cannot be removed", busy);
                }
                LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
            }
        }
    }

    private void empty() throws IOException {
        // What stands still can neither leave nor be killed.
        if (Files.exists(group.resolve(FREEZER_STATE))) {
            set(FREEZER_STATE, "THAWED");
        }
        if (!Files.readString(group.resolve(MEMBERS)).isEmpty()) {
            Files.writeString(parent.resolve(MEMBERS), Long.toString(pid));
        }
        Files.delete(group);
    }
}
