package io.seqsvr.chaos.sim;

import static io.seqsvr.core.guard.Guard.BOOT_CLOCK_IS_ASKED;
import static io.seqsvr.core.guard.Guard.CALLER_NAMES_LEAST_EPOCH;
import static io.seqsvr.core.guard.Guard.CLOCKS_ARE_COMPARED;
import static io.seqsvr.core.guard.Guard.FRAME_IS_CHECKED_AFTER_ITS_LAST_NUMBER;
import static io.seqsvr.core.guard.Guard.HOLDER_KEEPS_GRANTED_TERMS;
import static io.seqsvr.core.guard.Guard.LEASE_COUNTS_FROM_SENDING;
import static io.seqsvr.core.guard.Guard.LEASE_IS_CHECKED;
import static io.seqsvr.core.guard.Guard.LEASE_IS_CHECKED_AFTER_TAKING;
import static io.seqsvr.core.guard.Guard.LEASE_IS_READ_EACH_TIME;
import static io.seqsvr.core.guard.Guard.MONOTONIC_CLOCK_IS_ASKED;
import static io.seqsvr.core.guard.Guard.OLDER_EPOCH_IS_NOT_BELIEVED;
import static io.seqsvr.core.guard.Guard.RENEWAL_COUNTS_FROM_ITS_OWN_SENDING;
import static io.seqsvr.core.guard.Guard.WALL_CLOCK_IS_ASKED;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One guard taken away, and what shows that it is missed.
 *
 * <p>Where other guards hide its absence, they are taken away as well, and only the promise counts that the rest still
 * keeps without them: the same seeds must be green with the guard and those others missing.
 *
 * @param guard the guard that is taken away
 * @param without guards that would hide it
 * @param broken the promise that is broken; the only one looked at if {@code without} names any
 * @param aim what makes it happen often
 */
public record Mutant(Guard guard, Set<Guard> without, Promise broken, Aim aim) {
    /** All mutants, in the order of their guards, at least one for each. */
    public static final List<Mutant> ALL = Mutants.all();

    /** What callers do against an owner that answers although it may not: no other promise needs it. */
    private static final Set<Guard> OF_CALLERS = Set.of(CALLER_NAMES_LEAST_EPOCH, OLDER_EPOCH_IS_NOT_BELIEVED);

    /** What holders of leases do. Leases order numbers; unique, and never above what is durable, these are without. */
    private static final Set<Guard> OF_LEASES = Set.of(
            LEASE_IS_CHECKED,
            LEASE_IS_CHECKED_AFTER_TAKING,
            LEASE_IS_READ_EACH_TIME,
            LEASE_COUNTS_FROM_SENDING,
            RENEWAL_COUNTS_FROM_ITS_OWN_SENDING,
            HOLDER_KEEPS_GRANTED_TERMS,
            CLOCKS_ARE_COMPARED,
            MONOTONIC_CLOCK_IS_ASKED,
            WALL_CLOCK_IS_ASKED,
            BOOT_CLOCK_IS_ASKED,
            FRAME_IS_CHECKED_AFTER_ITS_LAST_NUMBER);

    /** The first mutant of a guard. */
    public static Mutant of(Guard guard) {
        return of(guard, Set.of());
    }

    /**
     * The mutant of a guard with others taken away as well. The promise looked at is that of the mutant that names the
     * most of those others, and no guard besides.
     *
     * @param others guards to take away beside it; none for what its first mutant takes away
     */
    public static Mutant of(Guard guard, Collection<Guard> others) {
        var ofGuard = ALL.stream().filter(mutant -> mutant.guard() == guard).toList();
        var first = ofGuard.get(0);
        if (others.isEmpty()) {
            return first;
        }
        return ofGuard.stream()
                .filter(mutant -> others.containsAll(mutant.without()))
                .max(Comparator.comparingInt(mutant -> mutant.without().size()))
                .orElse(first)
                .without(others);
    }

    private Mutant without(Collection<Guard> others) {
        return new Mutant(guard, Set.copyOf(others), broken, aim);
    }

    /**
     * The same mutant where nothing stands but what its promise rests on: what callers do is taken away too, and under
     * a promise that does not rest on leases what their holders do. So a guard is not green because of another one. The
     * promise of a single caller rests on what callers do.
     */
    public Mutant alone() {
        var others = EnumSet.noneOf(Guard.class);
        if (broken != Promise.ONE_CALLER_FORWARD) {
            others.addAll(OF_CALLERS);
        }
        others.addAll(without);
        if (broken == Promise.UNIQUE || broken == Promise.DURABLE) {
            others.addAll(OF_LEASES);
        }
        others.remove(guard);
        return without(others);
    }

    /** The same mutant in the mixture that a seed draws, whatever it is. */
    public Mutant unaimed() {
        return new Mutant(guard, without, broken, aim.anywhere());
    }

    /** A run in which the guard is missing, and those that would hide it. */
    public Simulation simulation(long seed, double hours) {
        var missing = EnumSet.of(guard);
        missing.addAll(without);
        return new Simulation(seed, hours, Guards.without(missing), aim, watched());
    }

    /** The same run with the guard in force: it must be green. */
    public Simulation control(long seed, double hours) {
        return new Simulation(seed, hours, Guards.without(without), aim, watched());
    }

    private Set<Promise> watched() {
        return without.isEmpty() ? EnumSet.allOf(Promise.class) : EnumSet.of(broken);
    }
}
