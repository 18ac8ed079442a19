package io.seqsvr.core.guard;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which guards are in force: all of them, wherever seqsvr serves anybody. Only the simulator builds another value, to
 * show that it notices when a guard is missing; a test of the architecture keeps it that way.
 */
public final class Guards {
    /** Every guard is in force. */
    public static final Guards ALL = new Guards(EnumSet.noneOf(Guard.class));

    private final boolean all;
    private final Set<Guard> missing;

    private Guards(EnumSet<Guard> missing) {
        this.all = missing.isEmpty();
        this.missing = missing;
    }

    /** All guards but these. */
    public static Guards without(Collection<Guard> missing) {
        var copy = EnumSet.noneOf(Guard.class);
        copy.addAll(missing);
        return new Guards(copy);
    }

    /** Whether the guard is in force. */
    public boolean on(Guard guard) {
        return all || !missing.contains(guard);
    }

    @Override
    public String toString() {
        return all ? "all guards" : "all guards but " + missing;
    }
}
