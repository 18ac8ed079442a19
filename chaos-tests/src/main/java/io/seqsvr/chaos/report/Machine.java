package io.seqsvr.chaos.report;

import io.vertx.core.json.JsonObject;

/**
 * Where a run ran, as far as its figures depend on it.
 *
 * @param cpus processors that Java sees, from 1
 * @param memoryMb memory of the machine, in MiB; 0 if it is not known
 * @param kernel name and release of the operating system, "Linux 6.1.0" for example
 * @param java vendor and version of the Java that ran it
 */
public record Machine(int cpus, long memoryMb, String kernel, String java) {
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
