package io.seqsvr.cli.bench.failover;

import io.seqsvr.chaos.process.Tier;
import java.util.Locale;

/** What is done to one node after the other while users ask. */
public enum Change {
    /** An AllocSvr hands everything over; then it is restarted and gets its share again. */
    DRAIN(Tier.ALLOCSVR),
    /** An AllocSvr is asked to stop, is started again at once, and gets its share again. */
    RESTART_ALLOCATOR(Tier.ALLOCSVR),
    /** The same of a router. */
    RESTART_ROUTER(Tier.ROUTER),
    /** The same of a StoreSvr peer. */
    RESTART_STORE(Tier.STORESVR),
    /** An AllocSvr dies: others take over when its lease has run out. */
    KILL_ALLOCATOR(Tier.ALLOCSVR),
    /** The StoreSvr peer that leads dies: another one leads. */
    KILL_LEADER(Tier.STORESVR);

    private final Tier tier;

    Change(Tier tier) {
        this.tier = tier;
    }

    /** Of which tier the nodes are. */
    Tier tier() {
        return tier;
    }

    /** Whether a process of an AllocSvr comes to an end in it, and with it what that has counted. */
    boolean endsAnAllocator() {
        return this == RESTART_ALLOCATOR || this == KILL_ALLOCATOR;
    }

    /** Whether some calls have to fail: nobody may answer for a dead owner's users while its lease may be valid. */
    boolean leavesUsersWithoutAnOwner() {
        return this == KILL_ALLOCATOR;
    }

    /** Whether it is about the users of its node only, and the others should notice nothing. */
    boolean isOfItsUsers() {
        return this == DRAIN || this == KILL_ALLOCATOR;
    }

    /** As it stands on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
