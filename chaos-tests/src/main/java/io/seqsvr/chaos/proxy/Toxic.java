package io.seqsvr.chaos.proxy;

import java.util.Set;

/**
 * One thing that goes wrong in one direction of a proxy.
 *
 * @param name unique in the proxy, not empty
 * @param effect what it does
 * @param stream the direction that it sits in
 * @param toxicity share of connections that it strikes, from 0 to 1; drawn once for each connection
 * @param callers names of the callers whose connections it may strike; empty for all
 */
public record Toxic(String name, Effect effect, Direction stream, double toxicity, Set<String> callers) {
    /** Throws {@link IllegalArgumentException} for an empty name or a toxicity out of range. */
    public Toxic {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a toxic has no name; give it one");
        }
        if (!(toxicity >= 0 && toxicity <= 1)) {
            throw new IllegalArgumentException("toxicity is " + toxicity + "; it must be from 0 to 1");
        }
        callers = Set.copyOf(callers);
    }

    /** A toxic that strikes every connection. */
    public static Toxic of(String name, Direction stream, Effect effect) {
        return new Toxic(name, effect, stream, 1, Set.of());
    }

    /** The same, for connections of these callers only. */
    public Toxic onlyFor(Set<String> names) {
        return new Toxic(name, effect, stream, toxicity, names);
    }

    /** The same with another effect. */
    public Toxic with(Effect other) {
        return new Toxic(name, other, stream, toxicity, callers);
    }

    /** Whether it strikes a connection of this caller that drew this number, from 0 to below 1. */
    boolean strikes(String caller, double drawn) {
        return drawn < toxicity && (callers.isEmpty() || callers.contains(caller));
    }
}
