package io.seqsvr.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * A process gets no more memory than it has, by a control group of its own that may have none: what it has stays
 * charged to the group that it was in. The kernel kills it at the next page that it touches for the first time.
 */
public final class MemoryLimit implements Limit {
    private static final String CONTROLLER = "memory";

    private final ControlGroup group;

    private MemoryLimit(ControlGroup group) {
        this.group = group;
    }

    /** Why there can be no such limits on this machine, if so. */
    public static Optional<String> missing() {
        return ControlGroup.missing(CONTROLLER);
    }

    /** From now on a process gets no more. */
    public static MemoryLimit atWhatItHas(long pid) {
        try {
            var group = ControlGroup.of(CONTROLLER, pid).set("memory.limit_in_bytes", 0);
            group.enter();
            return new MemoryLimit(group);
        } catch (IOException failed) {
            throw new UncheckedIOException("process " + pid + " cannot be limited", failed);
        }
    }

    /** The kernel has killed for it. */
    @Override
    public boolean isFelt() {
        return group.count("memory.oom_control", "oom_kill") > 0;
    }

    @Override
    public void close() {
        group.close();
    }
}
