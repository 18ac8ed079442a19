package io.seqsvr.chaos.sim;

import java.util.EnumSet;
import java.util.Set;

/**
 * To what a simulation is limited or bent, so that one thing that goes wrong goes wrong often.
 *
 * @param faults faults that happen; none for whatever the seed draws
 * @param quorumOnly whether every namespace is in QUORUM order
 * @param rough whether many messages are lost, doubled and overtaken
 * @param restless whether faults follow each other at once
 */
public record Aim(Set<Fault> faults, boolean quorumOnly, boolean rough, boolean restless) {
    /** Nothing in particular. */
    public static final Aim ANYWHERE = new Aim(Set.of(), false, false, false);

    /** Keeps a copy. */
    public Aim {
        faults = Set.copyOf(faults);
    }

    /** These faults and no others. */
    static Aim at(Fault first, Fault... others) {
        return new Aim(EnumSet.of(first, others), false, false, false);
    }

    /** Any fault in any network; only the order of the namespaces stays. */
    Aim anywhere() {
        return new Aim(Set.of(), quorumOnly, false, false);
    }

    Aim withQuorumOnly() {
        return new Aim(faults, true, rough, restless);
    }

    Aim withRoughNetwork() {
        return new Aim(faults, quorumOnly, true, restless);
    }

    Aim withoutRest() {
        return new Aim(faults, quorumOnly, rough, true);
    }
}
