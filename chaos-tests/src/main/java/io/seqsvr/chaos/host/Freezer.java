package io.seqsvr.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** One process of which the kernel lets no thread run, by a control group of its own, until this is closed. */
public final class Freezer implements AutoCloseable {
    private static final String CONTROLLER = "freezer";

    private final ControlGroup group;

    private Freezer(ControlGroup group) {
        this.group = group;
    }

    /** Why nothing can be frozen on this machine, if so. */
    public static Optional<String> missing() {
        return ControlGroup.missing(CONTROLLER);
    }

    /** From now on a process stands still. A signal that ends it takes effect only when it is let go. */
    public static Freezer freeze(long pid) {
        try {
            var group = ControlGroup.of(CONTROLLER, pid);
            try {
                group.enter();
                return new Freezer(group.set(ControlGroup.FREEZER_STATE, "FROZEN"));
            } catch (IOException refused) {
                group.close();
                throw refused;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("process " + pid + " cannot be frozen", failed);
        }
    }

    /** Whether all of its threads stand still; they come to that one by one. */
    public boolean isFrozen() {
        return group.text(ControlGroup.FREEZER_STATE).equals("FROZEN");
    }

    /** It goes on; it may have ended meanwhile. Does nothing the second time. */
    @Override
    public void close() {
        group.close();
    }
}
