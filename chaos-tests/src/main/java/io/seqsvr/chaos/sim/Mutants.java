package io.seqsvr.chaos.sim;

import static io.seqsvr.core.guard.Guard.BOOT_CLOCK_IS_ASKED;
import static io.seqsvr.core.guard.Guard.CALLER_NAMES_LEAST_EPOCH;
import static io.seqsvr.core.guard.Guard.CALL_JOINS_BEFORE_SENDING;
import static io.seqsvr.core.guard.Guard.CLOCKS_ARE_COMPARED;
import static io.seqsvr.core.guard.Guard.CLOSED_SESSION_IS_OVER;
import static io.seqsvr.core.guard.Guard.CONFIRMATION_ASKS_FOR_THE_EPOCH;
import static io.seqsvr.core.guard.Guard.CONFIRMATION_BEGINS_AFTER_TAKING;
import static io.seqsvr.core.guard.Guard.COUNTERS_DIE_WITH_THEIR_EPOCH;
import static io.seqsvr.core.guard.Guard.EPOCH_GROWS;
import static io.seqsvr.core.guard.Guard.EPOCH_IS_LOADED_ONCE;
import static io.seqsvr.core.guard.Guard.EPOCH_STARTS_AT_MAX_SEQ;
import static io.seqsvr.core.guard.Guard.EXPELLED_KEEPS_ITS_TIMER;
import static io.seqsvr.core.guard.Guard.EXPIRY_NAMES_ITS_RENEWAL;
import static io.seqsvr.core.guard.Guard.FIRST_RELEASE_COUNTS;
import static io.seqsvr.core.guard.Guard.FLOOR_VOIDS_HIGH;
import static io.seqsvr.core.guard.Guard.FRAME_IS_CHECKED_AFTER_ITS_LAST_NUMBER;
import static io.seqsvr.core.guard.Guard.FULL_TIMER_IN_A_NEW_TERM;
import static io.seqsvr.core.guard.Guard.GIVING_BACK_IS_REPEATED;
import static io.seqsvr.core.guard.Guard.GRANTER_COUNTS_THE_SLOWEST_CLOCK;
import static io.seqsvr.core.guard.Guard.GRANTER_KEEPS_GRANTED_TERMS;
import static io.seqsvr.core.guard.Guard.GRANTER_STARTS_ANEW_WHEN_CLOCKS_DISAGREE;
import static io.seqsvr.core.guard.Guard.GRANTER_WAITS_FOR_THE_DRIFT;
import static io.seqsvr.core.guard.Guard.HIGH_COVERS_WAITING_NUMBERS;
import static io.seqsvr.core.guard.Guard.HOLDER_KEEPS_GRANTED_TERMS;
import static io.seqsvr.core.guard.Guard.LEASE_COUNTS_FROM_SENDING;
import static io.seqsvr.core.guard.Guard.LEASE_IS_CHECKED;
import static io.seqsvr.core.guard.Guard.LEASE_IS_CHECKED_AFTER_TAKING;
import static io.seqsvr.core.guard.Guard.LEASE_IS_READ_EACH_TIME;
import static io.seqsvr.core.guard.Guard.LEAST_NUMBER_IS_KEPT;
import static io.seqsvr.core.guard.Guard.LIVE_OWNER_IS_SPARED;
import static io.seqsvr.core.guard.Guard.LOST_SESSION_IS_OPENED_ANEW;
import static io.seqsvr.core.guard.Guard.MAX_SEQ_NEVER_FALLS;
import static io.seqsvr.core.guard.Guard.MONOTONIC_CLOCK_IS_ASKED;
import static io.seqsvr.core.guard.Guard.NEWCOMER_WAITS;
import static io.seqsvr.core.guard.Guard.NUMBER_WAITS_FOR_MAX_SEQ;
import static io.seqsvr.core.guard.Guard.OLDER_EPOCH_IS_NOT_BELIEVED;
import static io.seqsvr.core.guard.Guard.OPENING_GIVES_NO_LEASE;
import static io.seqsvr.core.guard.Guard.OUTCOME_COUNTS_ONCE;
import static io.seqsvr.core.guard.Guard.OWNER_ALONE_RAISES_FLOORS;
import static io.seqsvr.core.guard.Guard.PLACE_BEFORE_NUMBER;
import static io.seqsvr.core.guard.Guard.PLAN_NAMES_ITS_VERSION;
import static io.seqsvr.core.guard.Guard.RAISE_ASKS_FOR_THE_EPOCH;
import static io.seqsvr.core.guard.Guard.RAISE_COUNTS_FOR_WHO_ASKED;
import static io.seqsvr.core.guard.Guard.RAISE_IS_KEPT;
import static io.seqsvr.core.guard.Guard.READING_TELLS_A_BOUND;
import static io.seqsvr.core.guard.Guard.READING_WAITS_FOR_MAX_SEQ;
import static io.seqsvr.core.guard.Guard.RECEIVER_HAS_RENEWED;
import static io.seqsvr.core.guard.Guard.RELEASE_ASKS_FOR_A_LIVE_SESSION;
import static io.seqsvr.core.guard.Guard.RELEASE_NAMES_ITS_EPOCH;
import static io.seqsvr.core.guard.Guard.RELEASE_RAISES_MAX_SEQ;
import static io.seqsvr.core.guard.Guard.RENEWAL_COUNTS_FROM_ITS_OWN_SENDING;
import static io.seqsvr.core.guard.Guard.RENEWAL_GOES_THROUGH_THE_LOG;
import static io.seqsvr.core.guard.Guard.RENEWAL_SHOWS_WHAT_WAS_HEARD;
import static io.seqsvr.core.guard.Guard.RENEWAL_TELLS_ASSIGNMENTS;
import static io.seqsvr.core.guard.Guard.REPLY_SERVES_ITS_OWN_ATTEMPT;
import static io.seqsvr.core.guard.Guard.RESTORED_EPOCHS_ARE_NEW;
import static io.seqsvr.core.guard.Guard.RESTORE_ENDS_SESSIONS;
import static io.seqsvr.core.guard.Guard.RESTORE_FORGETS_HIGH;
import static io.seqsvr.core.guard.Guard.RESTORE_RAISES_FLOORS;
import static io.seqsvr.core.guard.Guard.RESTORE_WAITS_FOR_LEASES;
import static io.seqsvr.core.guard.Guard.ROOM_IS_A_DIFFERENCE;
import static io.seqsvr.core.guard.Guard.SEALED_ANSWERS_NOTHING;
import static io.seqsvr.core.guard.Guard.SEAL_IS_FINAL;
import static io.seqsvr.core.guard.Guard.SEGMENT_KEEPS_ITS_LEASE;
import static io.seqsvr.core.guard.Guard.SESSION_END_IS_SHOWN;
import static io.seqsvr.core.guard.Guard.SESSION_TAKES_ITS_SEGMENTS;
import static io.seqsvr.core.guard.Guard.STALE_WATCHER_LOOKS_ELSEWHERE;
import static io.seqsvr.core.guard.Guard.STAMP_BEARS_INCARNATION;
import static io.seqsvr.core.guard.Guard.TABLE_FITS_ITS_EPOCH;
import static io.seqsvr.core.guard.Guard.TABLE_FITS_ITS_HIGH;
import static io.seqsvr.core.guard.Guard.TABLE_IS_DECIDED_ONCE;
import static io.seqsvr.core.guard.Guard.TABLE_IS_USED;
import static io.seqsvr.core.guard.Guard.TABLE_IS_WHOLE;
import static io.seqsvr.core.guard.Guard.TIMERS_END_WITH_THE_TERM;
import static io.seqsvr.core.guard.Guard.UNKNOWN_RAISE_RAISES_NOTHING;
import static io.seqsvr.core.guard.Guard.WALL_CLOCK_IS_ASKED;
import static io.seqsvr.core.guard.Guard.WATCH_ONLY_WAKES;
import static io.seqsvr.core.guard.Guard.WATCH_TELLS_ASSIGNMENTS;

import io.seqsvr.core.guard.Guard;
import java.util.List;
import java.util.Set;

/** What each guard is missed by: the promise that is broken without it, and what makes that happen often. */
final class Mutants {
    private Mutants() {}

    /**
     * All: at least one for each guard. Where other guards stop what a guard is there for, so that its absence only
     * leaves users unserved, a second one takes these away and shows the failure itself.
     */
    static List<Mutant> all() {
        return List.of(
                // The holder's lease.
                of(LEASE_IS_CHECKED, Promise.ORDERED, Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE)),
                of(LEASE_IS_CHECKED_AFTER_TAKING, Promise.ORDERED, Aim.at(Fault.PAUSE_ALLOCATOR)),
                of(LEASE_IS_READ_EACH_TIME, Promise.ORDERED, Aim.at(Fault.PAUSE_ALLOCATOR)),
                of(
                        LEASE_COUNTS_FROM_SENDING,
                        Promise.ORDERED,
                        Aim.at(Fault.CUT_WAY_TO_STORE).withRoughNetwork()),
                of(
                        RENEWAL_COUNTS_FROM_ITS_OWN_SENDING,
                        Promise.ORDERED,
                        Aim.at(Fault.CUT_WAY_TO_STORE).withRoughNetwork()),
                of(
                        OPENING_GIVES_NO_LEASE,
                        Promise.ORDERED,
                        Aim.at(Fault.KILL_ALLOCATOR, Fault.CUT_WAY_FROM_STORE, Fault.LOSE_RENEWALS)
                                .withoutRest(),
                        RECEIVER_HAS_RENEWED),
                of(HOLDER_KEEPS_GRANTED_TERMS, Promise.ORDERED, Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE)),
                of(CLOCKS_ARE_COMPARED, Promise.ORDERED, Aim.at(Fault.SUSPEND_ALLOCATOR)),
                of(
                        MONOTONIC_CLOCK_IS_ASKED,
                        Promise.ORDERED,
                        Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE, Fault.SET_ALLOCATOR_CLOCK)
                                .withoutRest()),
                of(WALL_CLOCK_IS_ASKED, Promise.ORDERED, Aim.at(Fault.SUSPEND_ALLOCATOR)),
                of(BOOT_CLOCK_IS_ASKED, Promise.ORDERED, Aim.at(Fault.SUSPEND_AND_SET_BACK)),
                of(
                        SEGMENT_KEEPS_ITS_LEASE,
                        Promise.ORDERED,
                        Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE, Fault.EXPEL),
                        SESSION_TAKES_ITS_SEGMENTS),
                of(SESSION_TAKES_ITS_SEGMENTS, Promise.ALIVE, Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE, Fault.EXPEL)),
                of(
                        SESSION_TAKES_ITS_SEGMENTS,
                        Promise.ORDERED,
                        Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE, Fault.EXPEL),
                        SEGMENT_KEEPS_ITS_LEASE),
                of(LOST_SESSION_IS_OPENED_ANEW, Promise.ALIVE, Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE, Fault.EXPEL)),
                of(
                        CLOSED_SESSION_IS_OVER,
                        Promise.ORDERED,
                        Aim.at(Fault.RESTART_ALLOCATOR).withoutRest()),
                of(
                        OUTCOME_COUNTS_ONCE,
                        Promise.SOUND,
                        Aim.at(Fault.STORE_SLOW, Fault.CUT_WAY_FROM_STORE)
                                .withRoughNetwork()
                                .withoutRest()),
                // The granter's timers.
                of(
                        GRANTER_KEEPS_GRANTED_TERMS,
                        Promise.ORDERED,
                        Aim.at(Fault.ALTER_LEASE, Fault.CUT_ALLOCATOR_FROM_STORE)),
                of(
                        GRANTER_WAITS_FOR_THE_DRIFT,
                        Promise.ORDERED,
                        Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE, Fault.CHANGE_RATE)
                                .withoutRest()),
                of(
                        GRANTER_COUNTS_THE_SLOWEST_CLOCK,
                        Promise.ORDERED,
                        Aim.at(Fault.SET_LEADER_CLOCK).withoutRest(),
                        GRANTER_STARTS_ANEW_WHEN_CLOCKS_DISAGREE),
                of(
                        GRANTER_STARTS_ANEW_WHEN_CLOCKS_DISAGREE,
                        Promise.ORDERED,
                        Aim.at(Fault.SET_LEADER_CLOCK).withoutRest(),
                        GRANTER_COUNTS_THE_SLOWEST_CLOCK),
                of(FULL_TIMER_IN_A_NEW_TERM, Promise.ORDERED, Aim.at(Fault.CHANGE_LEADER)),
                of(
                        TIMERS_END_WITH_THE_TERM,
                        Promise.ORDERED,
                        Aim.at(Fault.CHANGE_LEADER, Fault.FREEZE_LEADER),
                        EXPIRY_NAMES_ITS_RENEWAL),
                of(RENEWAL_GOES_THROUGH_THE_LOG, Promise.ORDERED, Aim.at(Fault.CHANGE_LEADER, Fault.FREEZE_LEADER)),
                of(
                        EXPIRY_NAMES_ITS_RENEWAL,
                        Promise.ORDERED,
                        Aim.at(Fault.CUT_WAY_TO_STORE, Fault.STORE_SLOW).withoutRest()),
                of(EXPELLED_KEEPS_ITS_TIMER, Promise.ORDERED, Aim.at(Fault.EXPEL, Fault.CUT_WAY_FROM_STORE)),
                of(NEWCOMER_WAITS, Promise.ORDERED, Aim.at(Fault.START_TWIN, Fault.CUT_WAY_FROM_STORE)),
                // Epochs and assignments.
                of(
                        LIVE_OWNER_IS_SPARED,
                        Promise.ORDERED,
                        Aim.at(Fault.KILL_ALLOCATOR, Fault.PAUSE_ROUTER).withRoughNetwork(),
                        PLAN_NAMES_ITS_VERSION),
                of(
                        PLAN_NAMES_ITS_VERSION,
                        Promise.ORDERED,
                        Aim.at(Fault.KILL_ALLOCATOR, Fault.PAUSE_ROUTER).withRoughNetwork(),
                        LIVE_OWNER_IS_SPARED),
                of(EPOCH_GROWS, Promise.ALIVE, Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE)),
                of(
                        EPOCH_GROWS,
                        Promise.ONE_CALLER_FORWARD,
                        Aim.at(Fault.LOSE_RENEWALS).withRoughNetwork().withoutRest(),
                        EPOCH_IS_LOADED_ONCE,
                        LEASE_IS_CHECKED),
                of(EPOCH_STARTS_AT_MAX_SEQ, Promise.ORDERED, Aim.at(Fault.KILL_ALLOCATOR)),
                of(
                        EPOCH_IS_LOADED_ONCE,
                        Promise.UNIQUE,
                        Aim.at(Fault.HAND_OVER, Fault.STORE_SLOW)
                                .withRoughNetwork()
                                .withoutRest(),
                        OUTCOME_COUNTS_ONCE),
                of(COUNTERS_DIE_WITH_THEIR_EPOCH, Promise.ORDERED, Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE)),
                of(RENEWAL_TELLS_ASSIGNMENTS, Promise.ALIVE, Aim.at(Fault.KILL_ALLOCATOR), WATCH_TELLS_ASSIGNMENTS),
                of(WATCH_TELLS_ASSIGNMENTS, Promise.ALIVE, Aim.at(Fault.KILL_ALLOCATOR), RENEWAL_TELLS_ASSIGNMENTS),
                of(WATCH_ONLY_WAKES, Promise.ALIVE, Aim.at(Fault.HAND_OVER).withRoughNetwork()),
                // Raises.
                of(NUMBER_WAITS_FOR_MAX_SEQ, Promise.DURABLE, Aim.at(Fault.STORE_SLOW)),
                of(RAISE_ASKS_FOR_THE_EPOCH, Promise.UNIQUE, Aim.at(Fault.CUT_ALLOCATOR_FROM_STORE), LEASE_IS_CHECKED),
                of(
                        MAX_SEQ_NEVER_FALLS,
                        Promise.DURABLE,
                        Aim.at(Fault.STORE_SLOW).withRoughNetwork()),
                of(RAISE_IS_KEPT, Promise.DURABLE, Aim.at(Fault.KILL_ALLOCATOR)),
                of(
                        UNKNOWN_RAISE_RAISES_NOTHING,
                        Promise.DURABLE,
                        Aim.at(Fault.STORE_DOWN, Fault.CUT_WAY_TO_STORE).withRoughNetwork()),
                of(
                        RAISE_COUNTS_FOR_WHO_ASKED,
                        Promise.ALIVE,
                        Aim.at(Fault.HAND_OVER, Fault.STORE_SLOW).withoutRest()),
                of(PLACE_BEFORE_NUMBER, Promise.BOUNDED, Aim.at(Fault.STORE_DOWN, Fault.STORE_SLOW)),
                of(READING_WAITS_FOR_MAX_SEQ, Promise.DURABLE, Aim.at(Fault.STORE_SLOW)),
                // Hand-over.
                of(SEAL_IS_FINAL, Promise.UNIQUE, Aim.at(Fault.HAND_OVER, Fault.STORE_SLOW)),
                of(
                        GIVING_BACK_IS_REPEATED,
                        Promise.ALIVE,
                        Aim.at(Fault.HAND_OVER, Fault.STORE_SLOW)
                                .withRoughNetwork()
                                .withoutRest()),
                of(SEALED_ANSWERS_NOTHING, Promise.UNIQUE, Aim.at(Fault.HAND_OVER)),
                of(HIGH_COVERS_WAITING_NUMBERS, Promise.ORDERED, Aim.at(Fault.HAND_OVER, Fault.STORE_SLOW)),
                of(
                        RELEASE_ASKS_FOR_A_LIVE_SESSION,
                        Promise.ORDERED,
                        Aim.at(
                                        Fault.HAND_OVER,
                                        Fault.LOSE_RENEWALS,
                                        Fault.RAISE_FLOOR_AT_STORE,
                                        Fault.CUT_ROUTER_FROM_STORE)
                                .withRoughNetwork()
                                .withoutRest()),
                of(
                        RELEASE_NAMES_ITS_EPOCH,
                        Promise.ORDERED,
                        Aim.at(Fault.HAND_OVER).withRoughNetwork().withoutRest()),
                of(
                        FIRST_RELEASE_COUNTS,
                        Promise.ORDERED,
                        Aim.at(
                                        Fault.HAND_OVER,
                                        Fault.LOSE_RENEWALS,
                                        Fault.RAISE_FLOOR_AT_STORE,
                                        Fault.CUT_ROUTER_FROM_STORE)
                                .withRoughNetwork()
                                .withoutRest()),
                of(
                        RELEASE_RAISES_MAX_SEQ,
                        Promise.DURABLE,
                        Aim.at(Fault.RESTART_ALL_ALLOCATORS, Fault.STORE_SLOW)
                                .withRoughNetwork()
                                .withoutRest()),
                of(
                        FLOOR_VOIDS_HIGH,
                        Promise.ORDERED,
                        Aim.at(Fault.HAND_OVER, Fault.EXPEL, Fault.RAISE_FLOOR_AT_STORE, Fault.PAUSE_ROUTER)
                                .withoutRest()),
                of(OWNER_ALONE_RAISES_FLOORS, Promise.ORDERED, Aim.at(Fault.RAISE_FLOOR_AT_STORE)),
                of(TABLE_IS_USED, Promise.GAPLESS, Aim.at(Fault.HAND_OVER)),
                of(
                        TABLE_IS_WHOLE,
                        Promise.ORDERED,
                        Aim.at(Fault.HAND_OVER).withRoughNetwork().withoutRest()),
                of(
                        TABLE_FITS_ITS_EPOCH,
                        Promise.ORDERED,
                        Aim.at(Fault.HAND_OVER, Fault.PAUSE_ALLOCATOR)
                                .withRoughNetwork()
                                .withoutRest(),
                        TABLE_FITS_ITS_HIGH),
                of(
                        TABLE_FITS_ITS_HIGH,
                        Promise.ORDERED,
                        Aim.at(Fault.HAND_OVER, Fault.CUT_WAY_TO_STORE, Fault.RAISE_FLOOR_AT_STORE, Fault.PAUSE_ROUTER)
                                .withRoughNetwork()
                                .withoutRest()),
                of(
                        TABLE_IS_DECIDED_ONCE,
                        Promise.ORDERED,
                        Aim.at(Fault.RESTART_ALL_ALLOCATORS, Fault.STORE_SLOW).withoutRest()),
                of(READING_TELLS_A_BOUND, Promise.ORDERED, Aim.at(Fault.HAND_OVER)),
                // A life from a backup.
                of(RESTORE_RAISES_FLOORS, Promise.UNIQUE, Aim.at(Fault.RESTORE)),
                of(RESTORED_EPOCHS_ARE_NEW, Promise.ALIVE, Aim.at(Fault.RESTORE)),
                of(
                        RESTORE_FORGETS_HIGH,
                        Promise.UNIQUE,
                        Aim.at(Fault.RESTART_ALL_ALLOCATORS, Fault.RESTORE).withoutRest()),
                of(RESTORE_ENDS_SESSIONS, Promise.ORDERED, Aim.at(Fault.RESTORE)),
                of(
                        RESTORE_WAITS_FOR_LEASES,
                        Promise.ORDERED,
                        Aim.at(Fault.RESTORE, Fault.CUT_ALLOCATOR_FROM_STORE).withoutRest()),
                of(STAMP_BEARS_INCARNATION, Promise.ALIVE, Aim.at(Fault.RESTORE)),
                of(RENEWAL_SHOWS_WHAT_WAS_HEARD, Promise.ALIVE, Aim.at(Fault.CUT_WAY_FROM_STORE)),
                of(
                        RECEIVER_HAS_RENEWED,
                        Promise.ORDERED,
                        Aim.at(Fault.KILL_ALLOCATOR, Fault.CUT_WAY_FROM_STORE, Fault.LOSE_RENEWALS)
                                .withoutRest(),
                        OPENING_GIVES_NO_LEASE),
                // Watchers.
                of(SESSION_END_IS_SHOWN, Promise.ALIVE, Aim.at(Fault.CUT_WAY_FROM_STORE)),
                of(
                        STALE_WATCHER_LOOKS_ELSEWHERE,
                        Promise.ALIVE,
                        Aim.at(Fault.STALE_PEER, Fault.KILL_ALLOCATOR).withoutRest()),
                // Numbers.
                of(LEAST_NUMBER_IS_KEPT, Promise.EXACTLY_ASKED, Aim.at(Fault.KILL_ALLOCATOR)),
                of(ROOM_IS_A_DIFFERENCE, Promise.SOUND, Aim.at(Fault.STORE_SLOW).withGreatestSequences()),
                // Callers.
                of(
                        CALLER_NAMES_LEAST_EPOCH,
                        Promise.ONE_CALLER_FORWARD,
                        Aim.at(Fault.LOSE_RENEWALS).withRoughNetwork().withoutRest(),
                        OLDER_EPOCH_IS_NOT_BELIEVED,
                        LEASE_IS_CHECKED),
                of(
                        OLDER_EPOCH_IS_NOT_BELIEVED,
                        Promise.ONE_CALLER_FORWARD,
                        Aim.at(Fault.LOSE_RENEWALS).withRoughNetwork().withoutRest(),
                        CALLER_NAMES_LEAST_EPOCH,
                        LEASE_IS_CHECKED),
                of(
                        CALL_JOINS_BEFORE_SENDING,
                        Promise.ORDERED,
                        Aim.at(Fault.PAUSE_ALLOCATOR, Fault.STORE_SLOW).withRoughNetwork()),
                of(
                        REPLY_SERVES_ITS_OWN_ATTEMPT,
                        Promise.ORDERED,
                        Aim.at(Fault.PAUSE_ALLOCATOR).withRoughNetwork()),
                of(
                        FRAME_IS_CHECKED_AFTER_ITS_LAST_NUMBER,
                        Promise.ORDERED,
                        Aim.at(Fault.PAUSE_ALLOCATOR, Fault.PAUSE_BEFORE_ANSWER)),
                // QUORUM order.
                of(
                        CONFIRMATION_BEGINS_AFTER_TAKING,
                        Promise.ORDERED,
                        Aim.at(Fault.PAUSE_ALLOCATOR)
                                .withQuorumOnly()
                                .withRoughNetwork()
                                .withoutRest(),
                        LEASE_IS_CHECKED),
                of(
                        CONFIRMATION_ASKS_FOR_THE_EPOCH,
                        Promise.ORDERED,
                        Aim.at(Fault.KILL_ALLOCATOR, Fault.PAUSE_ROUTER)
                                .withQuorumOnly()
                                .withRoughNetwork(),
                        LIVE_OWNER_IS_SPARED,
                        PLAN_NAMES_ITS_VERSION));
    }

    private static Mutant of(Guard guard, Promise broken, Aim aim, Guard... without) {
        return new Mutant(guard, Set.of(without), broken, aim);
    }
}
