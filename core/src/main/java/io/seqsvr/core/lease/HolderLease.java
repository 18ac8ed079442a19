package io.seqsvr.core.lease;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import org.jspecify.annotations.Nullable;

/**
 * The time during which one session may answer, counted by its holder.
 *
 * <p>Invariant: {@link #validAt} is true only while less than ttl has passed, on the clock that counted most, since a
 * moment before a renewal was sent that StoreSvr applied. Every check reads the clocks anew; nothing is cached. Clocks
 * that disagree drop the lease, and only a renewal sent after the drop makes it valid again. An ended lease stays
 * ended.
 */
public final class HolderLease {
    private final LeaseTerms terms;
    private final Guards guards;
    private @Nullable ClockReading renewalSentAt;
    private @Nullable ClockReading droppedAt;
    private boolean ended;
    private long drops;

    /** A lease that no renewal has made valid yet. */
    public HolderLease(LeaseTerms terms) {
        this(terms, Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public HolderLease(LeaseTerms terms, Guards guards) {
        this.terms = terms;
        this.guards = guards;
    }

    /**
     * A renewal was applied.
     *
     * @param sentAt the clocks before its first transmission; a reply that comes late or out of order does no harm
     */
    public void renewed(ClockReading sentAt) {
        if (isVoid(sentAt)) {
            return;
        }
        if (renewalSentAt == null || sentAt.monotonicNanos() - renewalSentAt.monotonicNanos() > 0) {
            renewalSentAt = sentAt;
            droppedAt = null;
        }
    }

    /** Whether a renewal sent then counts no more, because disagreeing clocks dropped the lease later. */
    public boolean isVoid(ClockReading sentAt) {
        return droppedAt != null
                && !sentAt.equals(droppedAt)
                && sentAt.monotonicNanos() - droppedAt.monotonicNanos() <= 0;
    }

    /** Whether an answer whose numbers were taken before {@code now} may leave. */
    public boolean validAt(ClockReading now) {
        return remainingNanos(now) > 0;
    }

    /** Nanoseconds left, 0 if the lease is not valid. */
    public long remainingNanos(ClockReading now) {
        if (renewalSentAt == null) {
            return 0;
        }
        if (!guards.on(Guard.LEASE_IS_CHECKED)) {
            return terms.ttlNanos();
        }
        if (ended || droppedAt != null) {
            return 0;
        }
        if (!guards.on(Guard.CLOCKS_ARE_COMPARED)) {
            return Math.max(0, terms.ttlNanos() - (now.monotonicNanos() - renewalSentAt.monotonicNanos()));
        }
        var seen = seen(now, renewalSentAt);
        if (seen.disagreesSince(renewalSentAt)) {
            droppedAt = now;
            drops++;
            return 0;
        }
        return Math.max(0, terms.ttlNanos() - seen.longestSince(renewalSentAt));
    }

    /** All clocks as they are; one whose guard is missing shows no more than the others do. */
    private ClockReading seen(ClockReading now, ClockReading since) {
        if (!guards.on(Guard.MONOTONIC_CLOCK_IS_ASKED)) {
            long passed = now.wallNanos() - since.wallNanos();
            return new ClockReading(since.monotonicNanos() + passed, now.wallNanos(), now.bootNanos());
        }
        if (!guards.on(Guard.WALL_CLOCK_IS_ASKED)) {
            return new ClockReading(
                    now.monotonicNanos(), since.wallNanos() + now.monotonicSince(since), now.bootNanos());
        }
        return guards.on(Guard.BOOT_CLOCK_IS_ASKED) ? now : new ClockReading(now.monotonicNanos(), now.wallNanos());
    }

    /** The session was closed, expired or given up: this lease is never valid again. */
    public void end() {
        ended = true;
    }

    /** How often disagreeing clocks dropped the lease. */
    public long drops() {
        return drops;
    }

    /** What holder and granter agreed on. */
    public LeaseTerms terms() {
        return terms;
    }
}
