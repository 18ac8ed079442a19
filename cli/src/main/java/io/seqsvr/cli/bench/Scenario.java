package io.seqsvr.cli.bench;

import io.seqsvr.core.lease.LeaseTerms;
import java.time.Duration;
import java.util.Locale;

/** What can be measured. */
public enum Scenario {
    /** Raise commands in a closed loop. */
    RAISES,
    /** The leader is killed: how long until a write succeeds, and what becomes of a lease. */
    LEADER_CHANGE,
    /** The longest stall of Raise commands while snapshots are taken. */
    SNAPSHOT,
    /** The same while a peer that was away for long gets one. */
    INSTALL,
    /** A peer is killed and started again: how long until it is ready. */
    RESTART,
    /** The memory of a peer that has nothing to do. */
    MEMORY,
    /** How long it takes to assign a namespace of 2^32 users. */
    NAMESPACE;

    private static final Duration LONG_TTL = Duration.ofSeconds(30);

    /**
     * The leases with which it is measured: where it is about them, those that clusters have by default. Elsewhere a
     * disk that stands still for seconds is to show in the figures, and not to end the session that measures.
     */
    Duration ttl() {
        return this == LEADER_CHANGE ? Duration.ofNanos(LeaseTerms.DEFAULT_TTL_NANOS) : LONG_TTL;
    }

    /** As it stands on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
