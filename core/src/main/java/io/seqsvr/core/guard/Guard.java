package io.seqsvr.core.guard;

/**
 * One rule of the protocol that closes one failure. Each can be taken away alone, in a simulation; docs/invariants.md
 * names the invariant that it upholds and the test that fails without it.
 */
public enum Guard {
    // The holder's lease.

    /** An answer in LEASE order leaves only under a valid lease. Else a deposed owner answers as long as it likes. */
    LEASE_IS_CHECKED,
    /** The check comes after the numbers were taken. Else a pause between the two is not seen. */
    LEASE_IS_CHECKED_AFTER_TAKING,
    /** Every check reads the clocks. Else a flag that a timer sets says "valid" all through a pause. */
    LEASE_IS_READ_EACH_TIME,
    /** A lease counts from before its renewal was sent. Else the time on the way back is added to it. */
    LEASE_COUNTS_FROM_SENDING,
    /** Each answer counts with its own renewal's sending. Else the answer to an early try counts from a late one. */
    RENEWAL_COUNTS_FROM_ITS_OWN_SENDING,
    /** The first lease comes from a renewal. Else a repeated opening, which renews nothing, gives one. */
    OPENING_GIVES_NO_LEASE,
    /** The holder uses the terms that its opening was answered with. Else two settings files disagree. */
    HOLDER_KEEPS_GRANTED_TERMS,
    /** Elapsed time is what the fastest clock says, and a disagreement drops the lease. Else a suspend stretches it. */
    CLOCKS_ARE_COMPARED,
    /** One of these clocks is the monotonic one. Else a wall clock that is set back brings an old lease to life. */
    MONOTONIC_CLOCK_IS_ASKED,
    /** One of them is the wall clock. Else what comes right after a suspend is answered as if there had been none. */
    WALL_CLOCK_IS_ASKED,
    /** One of them, at each tick, counts from boot. Else a suspend is hidden by a wall clock that stood still too. */
    BOOT_CLOCK_IS_ASKED,
    /** A segment holds the lease of the session that claimed it. Else a later session revives its counters. */
    SEGMENT_KEEPS_ITS_LEASE,
    /** A session that is over takes every segment with it. Else counters outlive their owner's ownership. */
    SESSION_TAKES_ITS_SEGMENTS,
    /** Who has lost its session opens another one. Else it goes on with the old one, and serves nobody any more. */
    LOST_SESSION_IS_OPENED_ANEW,
    /** A closing session has dropped everything and never serves again. Else it serves what others may have. */
    CLOSED_SESSION_IS_OVER,

    // The granter's timers.

    /** The granter goes by the terms that the opening told. Else a ttl that is made shorter ends a valid lease. */
    GRANTER_KEEPS_GRANTED_TERMS,
    /** The granter waits longer than the holder's time by the drift. Else a fast clock lets another start too early. */
    GRANTER_WAITS_FOR_THE_DRIFT,
    /** The granter counts its slowest clock. Else a wall clock that is set ends every lease. */
    GRANTER_COUNTS_THE_SLOWEST_CLOCK,
    /** Clocks that disagree start the timer anew. Else a clock that went wrong both ways shortens it. */
    GRANTER_STARTS_ANEW_WHEN_CLOCKS_DISAGREE,
    /** A new leader gives everybody a full timer. Else it ends sessions whose renewals it never timed. */
    FULL_TIMER_IN_A_NEW_TERM,
    /** Timers do not outlive a term. Else a leader elected again goes by timers that missed the renewals between. */
    TIMERS_END_WITH_THE_TERM,
    /** Renewals go through the log. Else a deposed leader grants from memory what nobody will honour. */
    RENEWAL_GOES_THROUGH_THE_LOG,
    /** An expiry is void if its session renewed meanwhile. Else a late proposal ends a lease just granted. */
    EXPIRY_NAMES_ITS_RENEWAL,
    /** Who does not hear what its renewals are answered is not renewed. Else it keeps what it cannot serve. */
    RENEWAL_SHOWS_WHAT_WAS_HEARD,
    /** Only a session that has renewed is given segments. Else one gets them that never heard of its opening. */
    RECEIVER_HAS_RENEWED,
    /** An expelled session lives until its timer is over. Else its segments are freed under a valid lease. */
    EXPELLED_KEEPS_ITS_TIMER,
    /** A newcomer with a live session's name waits. Else it frees the segments under the other's valid lease. */
    NEWCOMER_WAITS,

    /** A command has one outcome. Else a late answer is taken for that of a later command. */
    OUTCOME_COUNTS_ONCE,

    // Epochs and assignments.

    /** A segment is not taken from an open session. Else two owners serve it at once. */
    LIVE_OWNER_IS_SPARED,
    /** A plan applies only to the table it was made from. Else the plans of two controllers mix. */
    PLAN_NAMES_ITS_VERSION,
    /** Each assignment has an epoch of its own. Else nobody can tell the deposed owner from the present one. */
    EPOCH_GROWS,
    /** An epoch starts at max_seq, or at the exact end of the one before. Else it repeats what was handed out. */
    EPOCH_STARTS_AT_MAX_SEQ,
    /** A process loads an epoch once. Else a late answer begins it again at its base. */
    EPOCH_IS_LOADED_ONCE,
    /** Counters die with their epoch. Else a block of numbers is used again when a segment comes back. */
    COUNTERS_DIE_WITH_THEIR_EPOCH,
    /** An answer to a renewal tells whether there is something to claim. Else who has no watch never serves it. */
    RENEWAL_TELLS_ASSIGNMENTS,
    /** What a watch shows does so too. Else who hears of no renewal's version never serves it. */
    WATCH_TELLS_ASSIGNMENTS,
    /** Nothing is dropped on what a watch shows. Else a stale picture leaves segments dark. */
    WATCH_ONLY_WAKES,

    // Raises.

    /** A number waits until max_seq covers it. Else it leaves, its owner dies, and the next owner repeats it. */
    NUMBER_WAITS_FOR_MAX_SEQ,
    /** Only the owner raises, in its epoch. Else a deposed owner takes the acceptance for leave to go on. */
    RAISE_ASKS_FOR_THE_EPOCH,
    /** max_seq never goes down. Else a late raise takes it below what was handed out. */
    MAX_SEQ_NEVER_FALLS,
    /** A raise is kept before it is answered. Else a number on its strength leaves and is repeated after a crash. */
    RAISE_IS_KEPT,
    /** A raise whose outcome is unknown raises nothing. Else numbers leave on the strength of one that never was. */
    UNKNOWN_RAISE_RAISES_NOTHING,
    /** A raise counts for the counters that asked. Else a refusal in an earlier epoch drops those of a later one. */
    RAISE_COUNTS_FOR_WHO_ASKED,
    /** The waiting place comes before the number. Else a store that is away turns into memory without end. */
    PLACE_BEFORE_NUMBER,
    /** A reading waits like a number. Else it shows what the next owner will hand out again. */
    READING_WAITS_FOR_MAX_SEQ,
    /** A reading of what nobody took is called a bound. Else a device looks for news that there never were. */
    READING_TELLS_A_BOUND,
    /** A caller that knows a newer epoch is refused by an older one. Else it goes back although it knew better. */
    CALLER_NAMES_LEAST_EPOCH,

    /** No number is below the least one that its caller named. Else a caller that knows its last one goes back. */
    LEAST_NUMBER_IS_KEPT,
    /** Room is what is left, not a sum that fits. Else ten more than 2^63 - 5 wraps around, and is found small. */
    ROOM_IS_A_DIFFERENCE,

    // Hand-over.

    /** A seal is final. Else the sealed owner goes on after its hand-over was applied unheard. */
    SEAL_IS_FINAL,
    /** A seal is given back again and again until that is answered. Else one that got lost leaves its users alone. */
    GIVING_BACK_IS_REPEATED,
    /** A sealed segment answers nothing. Else it shows or takes numbers that its table does not hold. */
    SEALED_ANSWERS_NOTHING,
    /** {@code high} covers numbers that still wait. Else the next owner hands them out as well. */
    HIGH_COVERS_WAITING_NUMBERS,
    /** A release counts only from a live session. Else one that comes late speaks for counters long gone. */
    RELEASE_ASKS_FOR_A_LIVE_SESSION,
    /** A release names its epoch. Else one that comes late ends the epoch that followed. */
    RELEASE_NAMES_ITS_EPOCH,
    /** The first release of an epoch counts. Else a second one moves where the next epoch starts. */
    FIRST_RELEASE_COUNTS,
    /** A release raises max_seq to its {@code high}. Else numbers above max_seq are answered on its strength. */
    RELEASE_RAISES_MAX_SEQ,
    /** A floor at the store makes a recorded {@code high} void. Else the next epoch starts below the floor. */
    FLOOR_VOIDS_HIGH,
    /** A floor at the store is for segments without an owner. Else the owner goes on below it. */
    OWNER_ALONE_RAISES_FLOORS,
    /** A table that fits is used. Else each planned change of owner costs every user the rest of a step. */
    TABLE_IS_USED,
    /** A table is used only whole. Else users of a page that got lost go back to where the epoch started. */
    TABLE_IS_WHOLE,
    /** A table counts for the epoch after its own. Else one that comes late takes its users back. */
    TABLE_FITS_ITS_EPOCH,
    /** A table counts only if its epoch starts at the table's {@code high}. Else a floor between is lost. */
    TABLE_FITS_ITS_HIGH,

    /** An epoch's counters are chosen once, before its first answer. Else a table that comes late takes users back. */
    TABLE_IS_DECIDED_ONCE,

    // A life from a backup.

    /** A restore raises every segment by what was used up since the backup. Else it is handed out again. */
    RESTORE_RAISES_FLOORS,
    /** Epochs of a restored cluster are above all earlier ones. Else nobody takes its owners for the newer ones. */
    RESTORED_EPOCHS_ARE_NEW,
    /** A restore forgets where owners of the former life ended. Else the new life starts there, below its floor. */
    RESTORE_FORGETS_HIGH,
    /** A restore ends every session. Else owners of the former life go on with counters that are nobody's. */
    RESTORE_ENDS_SESSIONS,
    /** A restored cluster assigns nothing before the leases of its former life are over. Else both lives answer. */
    RESTORE_WAITS_FOR_LEASES,
    /** Stamps of a restored cluster are above all earlier ones. Else its pictures are taken for outdated ones. */
    STAMP_BEARS_INCARNATION,

    // Watchers.

    /** The end of a session moves the version of what watchers see. Else nobody plans for what it leaves behind. */
    SESSION_END_IS_SHOWN,
    /** A watch that shows nothing new although there is something asks another peer. Else a stale one keeps it. */
    STALE_WATCHER_LOOKS_ELSEWHERE,

    // Callers.

    /** A caller does not believe an older epoch than it knew when it asked. Else a deposed owner takes it back. */
    OLDER_EPOCH_IS_NOT_BELIEVED,
    /** A call joins only a frame that was not sent yet. Else it is shown what was read before it began. */
    CALL_JOINS_BEFORE_SENDING,
    /** A late reply serves the calls of its own attempt. Else a call gets a number from before it began. */
    REPLY_SERVES_ITS_OWN_ATTEMPT,
    /** A frame's look at the clocks comes after its last number. Else a pause between two of its calls is not seen. */
    FRAME_IS_CHECKED_AFTER_ITS_LAST_NUMBER,

    // QUORUM order.

    /** A confirmation is sent after the numbers were taken. Else it tells of the time before a pause. */
    CONFIRMATION_BEGINS_AFTER_TAKING,
    /** A confirmation asks for owner and epoch. Else a deposed owner's numbers are confirmed. */
    CONFIRMATION_ASKS_FOR_THE_EPOCH
}
