package io.seqsvr.chaos.process;

import java.time.Duration;
import java.util.Map;

/**
 * What a load asks for.
 *
 * @param namespace name of the namespace
 * @param callsAtOnce how many calls of each user are under way at once: 1, or more for a hot user
 * @param clients over how many connections each user is asked, at least 1: with 2 or more, the call after a reply goes
 *     to another connection, which is what shows a sequence that goes back between them
 * @param timeout how long a call may take
 * @param calls after how many calls the load ends by itself; {@link Long#MAX_VALUE} for one that must be stopped
 * @param pause between an answer and the next call of the same loop; not negative
 * @param readsEvery how often a call of a loop asks for the last sequence and takes none, after one that was answered;
 *     0 for never
 * @param liftsEvery how often a call of a loop lifts its user by a few numbers, which nobody gets then; 0 for never
 * @param patient whether silent connections are kept: who stood still is heard when it wakes, but after a cut TCP takes
 *     its time
 */
public record LoadPlan(
        String namespace,
        Map<Long, Integer> callsAtOnce,
        int clients,
        Duration timeout,
        long calls,
        Duration pause,
        int readsEvery,
        int liftsEvery,
        boolean patient) {
    /** How many sequences a call asks for at most. */
    public static final long MOST_AT_ONCE = 5;

    /** Throws {@link IllegalArgumentException} for a plan that asks nothing. */
    public LoadPlan {
        callsAtOnce = Map.copyOf(callsAtOnce);
        if (callsAtOnce.isEmpty()) {
            throw new IllegalArgumentException("a load of no users");
        }
        callsAtOnce.forEach((uid, calling) -> requireAtLeastOne("calls at once of user " + uid, calling));
        requireAtLeastOne("clients", clients);
        requireAtLeastOne("calls", calls);
    }

    /** A load that goes on until it is stopped, as fast as it is answered. */
    public static LoadPlan untilStopped(
            String namespace, Map<Long, Integer> callsAtOnce, int clients, Duration timeout) {
        return new LoadPlan(namespace, callsAtOnce, clients, timeout, Long.MAX_VALUE, Duration.ZERO, 0, 0, false);
    }

    /** The same at leisure, so that what is asked has time for other things. */
    public LoadPlan withPause(Duration between) {
        return new LoadPlan(namespace, callsAtOnce, clients, timeout, calls, between, readsEvery, liftsEvery, patient);
    }

    /** The same, and every so many calls one that only reads. */
    public LoadPlan withReads(int every) {
        return new LoadPlan(namespace, callsAtOnce, clients, timeout, calls, pause, every, liftsEvery, patient);
    }

    /** The same, and every so many calls one that lifts its user. */
    public LoadPlan withLifts(int every) {
        return new LoadPlan(namespace, callsAtOnce, clients, timeout, calls, pause, readsEvery, every, patient);
    }

    /** The same over connections that are kept while they are silent. */
    public LoadPlan withPatience() {
        return new LoadPlan(namespace, callsAtOnce, clients, timeout, calls, pause, readsEvery, liftsEvery, true);
    }

    private static void requireAtLeastOne(String what, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + ": " + value + "; it must be at least 1");
        }
    }
}
