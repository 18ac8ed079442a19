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
 * @param greatest whether sequences go up to the greatest that there is, and clients now and then ask for more
 */
public record Aim(Set<Fault> faults, boolean quorumOnly, boolean rough, boolean restless, boolean greatest) {
    /** Nothing in particular. */
    public static final Aim ANYWHERE = new Aim(Set.of(), false, false, false, false);

    /** Keeps a copy. */
    public Aim {
        faults = Set.copyOf(faults);
    }

    /** These faults and no others. */
    static Aim at(Fault first, Fault... others) {
        return new Aim(EnumSet.of(first, others), false, false, false, false);
    }

    /** Any fault in any network; only what the namespaces are stays. */
    Aim anywhere() {
        return new Aim(Set.of(), quorumOnly, false, false, greatest);
    }

    Aim withQuorumOnly() {
        return new Aim(faults, true, rough, restless, greatest);
    }

    Aim withRoughNetwork() {
        return new Aim(faults, quorumOnly, true, restless, greatest);
    }

    Aim withoutRest() {
        return new Aim(faults, quorumOnly, rough, true, greatest);
    }

    Aim withGreatestSequences() {
        return new Aim(faults, quorumOnly, rough, restless, true);
    }
}
