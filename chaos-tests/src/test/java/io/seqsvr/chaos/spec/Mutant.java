package io.seqsvr.chaos.spec;

import java.util.List;
import java.util.Set;

/**
 * The protocol without one of its rules, and what that breaks.
 *
 * @param module the specification
 * @param configuration whose bounds are enough to see it
 * @param rule what is left out, in words
 * @param guards as the specification names them; more than one where one would hide that the other is gone
 * @param promise the invariant, or the property of steps, that must break
 */
record Mutant(String module, String configuration, String rule, Set<String> guards, String promise) {
    /** The property that speaks of steps, not of states. */
    private static final String MAX_SEQ_NEVER_FALLS = "MaxSeqNeverFalls";

    private static final String OWNER = "AnswerMeansOwner";
    private static final String ORDERED = "Ordered";
    private static final String UNIQUE = "Unique";
    private static final String DURABLE = "Durable";
    private static final String FLOORS = "FloorsHold";
    private static final String CURRENT = "CurrentHolds";

    String run() {
        return module + "-without-"
                + String.join("-and-", guards.stream().sorted().toList()) + "-" + promise;
    }

    String section() {
        return promise.equals(MAX_SEQ_NEVER_FALLS) ? "PROPERTIES" : "INVARIANTS";
    }

    int exitCode() {
        return promise.equals(MAX_SEQ_NEVER_FALLS) ? 13 : 12;
    }

    @Override
    public String toString() {
        return module + ": " + rule + " breaks " + promise;
    }

    static List<Mutant> all() {
        return List.of(
                lease("Lease", "nobody looks at the lease", ORDERED, "lease-check"),
                lease("Leaders", "a lease counts from its answer", OWNER, "counts-from-sending"),
                lease("Leaders", "a lease counts from when the renewal was sent again", OWNER, "sent-at-once"),
                lease("Leaders", "the granter waits no longer than the ttl", OWNER, "drift"),
                lease("Leaders", "a new leader goes on with old timers", OWNER, "full-timer"),
                lease("Leaders", "an expiry ends what has renewed meanwhile", OWNER, "renewal-seen"),
                lease("Leaders", "an expelled session ends at once", OWNER, "expel-waits"),
                lease("Leaders", "a process serves on after it sent its closing", OWNER, "seal-before-close"),
                lease("Lease", "a newcomer supersedes", OWNER, "never-supersede"),
                lease("Lease", "a segment is taken from a live session", OWNER, "never-steal"),
                lease("Lease", "counters outlive their session", OWNER, "end-drops-all", "lease-of-its-session"),
                handOver("HandOver", "nobody looks at the lease", ORDERED, "lease"),
                handOver("HandOver", "a segment is taken from a live session", ORDERED, "never-steal"),
                handOver("HandOver", "an epoch starts where the last one started", UNIQUE, "base-is-max"),
                handOver("HandOver", "an epoch is loaded twice", UNIQUE, "load-once"),
                handOver("HandOver", "counters are kept across epochs", UNIQUE, "fresh-counters"),
                handOver("HandOver", "numbers leave above max_seq", DURABLE, "waits-for-raise"),
                handOver("HandOver", "numbers leave above max_seq, seen later", UNIQUE, "waits-for-raise"),
                handOver("HandOver", "a raise counts before it is durable", DURABLE, "waits-for-acceptance"),
                handOver("NoLease", "the max_seq of a refusal counts", UNIQUE, "lease", "refusal-raises-nothing"),
                handOver("NoLease", "a stale raise is accepted", UNIQUE, "lease", "raise-epoch", "raise-open-session"),
                handOver("Floors", "a late raise lowers max_seq", MAX_SEQ_NEVER_FALLS, "never-lower"),
                handOver("HandOver", "a seal does not stop numbers", UNIQUE, "seal-next"),
                handOver("Floors", "a seal does not stop readings", CURRENT, "seal-current"),
                handOver("Floors", "a seal does not stop floors", FLOORS, "seal-floor"),
                handOver("HandOver", "a release of an old epoch is accepted", UNIQUE, "release-epoch"),
                handOver("HandOver", "high is not the highest user's", UNIQUE, "high-of-all"),
                handOver("HandOver", "high leaves out the numbers that wait", UNIQUE, "high-of-waiting"),
                handOver("HandOver", "a table of another epoch is used", UNIQUE, "table-epoch"),
                handOver("HandOver", "a table without all its pages is used", UNIQUE, "table-complete"),
                handOver("HandOver", "a table is used after the first number", UNIQUE, "decide-once"),
                handOver("Floors", "a table is used without a start from its high", FLOORS, "table-start"),
                handOver("Floors", "a floor leaves a high in force", FLOORS, "floor-voids"),
                handOver(
                        "Floors",
                        "an ended session brings a high later",
                        FLOORS,
                        "floor-voids-later",
                        "release-open-session"),
                handOver(
                        "Floors", "a second release brings the high back", FLOORS, "floor-voids-later", "release-once"),
                handOver("Floors", "a floor is answered before it is durable", FLOORS, "floor-durable"),
                handOver("Floors", "a reading does not wait for the raise", CURRENT, "current-waits"),
                quorum("a batch is answered without a confirmation", "confirmation"),
                quorum("a batch joins a confirmation under way", "joins-unsent"),
                quorum("an ended session is confirmed", "open-session"),
                quorum("another epoch is confirmed", "same-epoch", "seal"),
                quorum("a released epoch is confirmed", "not-released", "seal"));
    }

    private static Mutant lease(String configuration, String rule, String promise, String... guards) {
        return new Mutant("Lease", configuration, rule, Set.of(guards), promise);
    }

    private static Mutant handOver(String configuration, String rule, String promise, String... guards) {
        return new Mutant("HandOver", configuration, rule, Set.of(guards), promise);
    }

    private static Mutant quorum(String rule, String... guards) {
        return new Mutant("Quorum", "Quorum", rule, Set.of(guards), ORDERED);
    }
}
