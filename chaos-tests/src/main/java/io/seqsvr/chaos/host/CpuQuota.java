package io.seqsvr.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much processor time one process gets, by a control group of its own, which is removed at the end of this JVM at
 * the latest. Needs root and groups of version 1.
 */
public final class CpuQuota implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup/cpu");
    private static final String QUOTA = "cpu.cfs_quota_us";
    private static final String MEMBERS = "cgroup.procs";
    private static final int PERIOD_MICROS = 100_000;
    private static final int PERCENT = 100;

    private static final Set<CpuQuota> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(CpuQuota::close), "remove-groups"));
    }

    private final Path group;
    private final long pid;

    private CpuQuota(Path group, long pid) {
        this.group = group;
        this.pid = pid;
    }

    /** Why there can be no such limits on this machine, if so. */
    public static Optional<String> missing() {
        if (!Files.exists(ROOT.resolve(QUOTA)) && !Files.exists(ROOT.resolve(MEMBERS))) {
            return Optional.of("there is no " + ROOT + " (control groups of version 1 with the cpu controller)");
        }
        return Files.isWritable(ROOT.resolve(MEMBERS))
                ? Optional.empty()
                : Optional.of("this user cannot write to " + ROOT + " (root is needed)");
    }

    /**
     * From now on a process gets no more.
     *
     * @param percent of one processor, from 1 to 100
     */
    public static CpuQuota limit(long pid, int percent) {
        if (percent < 1 || percent > PERCENT) {
            throw new IllegalArgumentException("percent is " + percent + "; it must be from 1 to 100");
        }
        var quota = new CpuQuota(ROOT.resolve("seqsvr-" + pid), pid);
        try {
            Files.createDirectory(quota.group);
            OPEN.add(quota);
            write(quota.group.resolve("cpu.cfs_period_us"), PERIOD_MICROS);
            write(quota.group.resolve(QUOTA), (long) PERIOD_MICROS * percent / PERCENT);
            write(quota.group.resolve(MEMBERS), pid);
            return quota;
        } catch (IOException failed) {
            throw new UncheckedIOException("process " + pid + " cannot be limited", failed);
        }
    }

    /** How often it had to stand still as its time was used up. */
    public long throttled() {
        try {
            return Files.readAllLines(group.resolve("cpu.stat")).stream()
                    .filter(line -> line.startsWith("nr_throttled "))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                    .findFirst()
                    .orElse(0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** It gets whatever there is again; it may have ended meanwhile. Does nothing the second time. */
    @Override
    public void close() {
        if (!OPEN.remove(this)) {
            return;
        }
        try {
            if (!Files.readString(group.resolve(MEMBERS)).isEmpty()) {
                write(ROOT.resolve(MEMBERS), pid);
            }
            Files.delete(group);
        } catch (IOException failed) {
            throw new UncheckedIOException("the group " + group + " cannot be removed", failed);
        }
    }

    private static void write(Path file, long number) throws IOException {
        Files.writeString(file, Long.toString(number));
    }
}
