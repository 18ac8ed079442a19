package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Where a run ran, as far as its figures depend on it.
 *
 * @param cpus processors that Java sees, from 1
 * @param memoryMb memory of the machine, in MiB; 0 if it is not known
 * @param kernel name and release of the operating system, "Linux 6.1.0" for example
 * @param java vendor and version of the Java that ran it
 */
public record Machine(int cpus, long memoryMb, String kernel, String java) {
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Pattern TOTAL = Pattern.compile("MemTotal:\\s*(\\d+) kB");
    private static final long KIB_OF_MIB = 1024;

    /** This one. */
    public static Machine here() {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                memory(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor") + " " + System.getProperty("java.version"));
    }

    private static long memory() {
        if (!Files.isReadable(MEMORY)) {
            return 0;
        }
        try {
            var total = TOTAL.matcher(Files.readString(MEMORY));
            return total.find() ? Long.parseLong(total.group(1)) / KIB_OF_MIB : 0;
        } catch (IOException failed) {
            throw new UncheckedIOException(MEMORY + " cannot be read", failed);
        }
    }

    /** As it stands in the file. */
    public JsonObject toJson() {
        return new JsonObject()
                .put("cpus", cpus)
                .put("memory_mb", memoryMb)
                .put("kernel", kernel)
                .put("java", java);
    }

    static Machine from(Fields fields) {
        return new Machine(fields.small("cpus"), fields.whole("memory_mb"), fields.text("kernel"), fields.text("java"));
    }
}
