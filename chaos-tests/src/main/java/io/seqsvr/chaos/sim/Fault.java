package io.seqsvr.chaos.sim;

/** What may befall a cluster, or be done to it by people, in a simulation. */
public enum Fault {
    /** An allocator's process dies and another of its name starts, soon or when others have long taken over. */
    KILL_ALLOCATOR,
    /** An allocator is stopped, cleanly or in a hurry, and another of its name starts. */
    RESTART_ALLOCATOR,
    /** All allocators are stopped cleanly, and others of their names start. */
    RESTART_ALL_ALLOCATORS,
    /** An allocator's process stands still. */
    PAUSE_ALLOCATOR,
    /** An allocator's machine is suspended: its monotonic clock stands still too. */
    SUSPEND_ALLOCATOR,
    /** The same, and its wall clock is set back by as much: only the clock that counts from boot shows it. */
    SUSPEND_AND_SET_BACK,
    /** An allocator takes numbers, and stands still before it looks at its lease. */
    PAUSE_BEFORE_ANSWER,
    /** A second process of an allocator's name and address starts beside it, for a while. */
    START_TWIN,
    /** An allocator and all peers of the store do not reach each other. */
    CUT_ALLOCATOR_FROM_STORE,
    /** An allocator's messages do not reach the store. */
    CUT_WAY_TO_STORE,
    /** The store's messages do not reach an allocator. */
    CUT_WAY_FROM_STORE,
    /** An allocator's renewals get lost on a connection of their own, while everything else goes through. */
    LOSE_RENEWALS,
    /** Allocators do not reach each other. */
    CUT_ALLOCATORS,
    /** Some callers do not reach an allocator. */
    CUT_ALLOCATOR_FROM_CALLERS,
    /** Somebody sets an allocator's wall clock. */
    SET_ALLOCATOR_CLOCK,
    /** A machine's clocks run at another rate, within the drift. */
    CHANGE_RATE,
    /** The store's leader steps down and another peer is elected, or the same one. */
    CHANGE_LEADER,
    /** The store's leader stands still; another one is elected, and the old one resumes without knowing. */
    FREEZE_LEADER,
    /** The store's leader stands still, too shortly for anybody else to be elected, and goes on as the leader. */
    PAUSE_LEADER,
    /** A peer of the store dies and starts again. */
    KILL_PEER,
    /** The store has no quorum for a while. */
    STORE_DOWN,
    /** The store takes long to commit. */
    STORE_SLOW,
    /** A follower hears nothing from the leader: who watches there sees nothing new. */
    STALE_PEER,
    /** Somebody sets the leader's wall clock. */
    SET_LEADER_CLOCK,
    /** A router stands still, or all of them. */
    PAUSE_ROUTER,
    /** A router's process dies and another one starts. */
    KILL_ROUTER,
    /** A router and the store do not reach each other. */
    CUT_ROUTER_FROM_STORE,
    /** Somebody has segments handed over to another allocator. */
    HAND_OVER,
    /** Somebody expels an allocator. */
    EXPEL,
    /** Somebody raises the floor of a segment at the store. */
    RAISE_FLOOR_AT_STORE,
    /** Somebody alters the settings of a namespace: its order, its step or its greatest sequence. */
    ALTER_NAMESPACE,
    /** Somebody alters the terms of leases: ttl and drift of sessions that are opened from then on. */
    ALTER_LEASE,
    /** The store is lost, and the cluster begins a new life from a backup. */
    RESTORE
}
