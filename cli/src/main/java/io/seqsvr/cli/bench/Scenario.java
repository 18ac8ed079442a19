package io.seqsvr.cli.bench;

import java.util.Locale;

/** What can be measured. */
public enum Scenario {
    /** Raise commands in a closed loop. */
    RAISES,
    /** The leader is killed: how long until a write succeeds, and what becomes of a lease. */
    LEADER_CHANGE,
    /** The longest stall of Raise commands while snapshots are taken. */
    SNAPSHOT,
    /** A peer is killed and started again: how long until it is ready. */
    RESTART,
    /** The memory of a peer that has nothing to do. */
    MEMORY,
    /** How long it takes to assign a namespace of 2^32 users. */
    NAMESPACE;

    /** As it stands on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
