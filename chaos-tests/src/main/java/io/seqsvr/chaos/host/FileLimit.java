package io.seqsvr.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** How many files, sockets among them, one running process may have open. */
public final class FileLimit implements Limit {
    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final String LIMIT = "Max open files";
    private static final int SOFT_FIELD = 3;

    private final long pid;
    private final String before;
    private long most;

    private FileLimit(long pid, String before) {
        this.pid = pid;
        this.before = before;
    }

    /** From now on a process opens nothing more, but in place of what it closes. */
    public static FileLimit atWhatIsOpen(long pid) {
        var limit = new FileLimit(pid, soft(pid));
        limit.lowerTo(leastFree(pid));
        return limit;
    }

    private void lowerTo(long files) {
        most = files;
        set(Long.toString(files));
    }

    /** Descriptors are numbers, and the limit is one of numbers: what is opened gets the least that is free. */
    private static long leastFree(long pid) {
        try (var files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            var open = files.map(file -> Long.parseLong(file.getFileName().toString()))
                    .collect(Collectors.toSet());
            return LongStream.iterate(0, number -> number + 1)
                    .filter(number -> !open.contains(number))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException failed) {
            throw new UncheckedIOException("process " + pid + " does not show its files", failed);
        }
    }

    private static String soft(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "limits")).stream()
                    .filter(line -> line.startsWith(LIMIT))
                    .map(line -> line.split("\\s+", -1)[SOFT_FIELD])
                    .findFirst()
                    .orElseThrow();
        } catch (IOException failed) {
            throw new UncheckedIOException("process " + pid + " does not show its limits", failed);
        }
    }

    private void set(String soft) {
        var unused = NativeCode.run(
                WITHIN, "prlimit", "--pid", Long.toString(pid), String.format(Locale.ROOT, "--nofile=%s:", soft));
    }

    /** It is what was set, and no number below it is free; it goes down with what the process has closed meanwhile. */
    @Override
    public boolean isFelt() {
        long free = leastFree(pid);
        if (free < most) {
            lowerTo(free);
        }
        return soft(pid).equals(Long.toString(most)) && leastFree(pid) >= most;
    }

    @Override
    public void close() {
        if (Files.exists(Path.of("/proc", Long.toString(pid)))) {
            set(before);
        }
    }
}
