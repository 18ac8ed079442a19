package io.seqsvr.core.lease;

import java.util.ArrayList;
import java.util.List;

/**
 * What holder and granter of a lease agree on; all lease arithmetic is here.
 *
 * <p>The holder may answer for {@code ttl}, counted from before it sent the renewal. The granter lets another start
 * only {@code ttl * (1 + drift)} after it applied that renewal, which is later than the sending. So the holder has
 * stopped first, as long as the ratio of the two clocks' rates stays below 1 + drift. Nobody sets the take-over wait
 * apart from this: it is {@link #granterNanos()}.
 *
 * @param ttlNanos the holder's time
 * @param driftPermille bound of the ratio of two clocks' rates, in thousandths above 1
 */
public record LeaseTerms(long ttlNanos, int driftPermille) {
    /** Time to live where none is set. */
    public static final long DEFAULT_TTL_NANOS = 3_000_000_000L;
    /** Drift where none is set: no clock runs more than 10 % faster than another. */
    public static final int DEFAULT_DRIFT_PERMILLE = 100;

    private static final long LEAST_TTL_NANOS = 500_000_000L;
    private static final long MOST_TTL_NANOS = 60_000_000_000L;
    private static final int RENEWALS_PER_TTL = 4;

    /** Terms that break no rule. */
    public LeaseTerms {
        var problems = problems(ttlNanos, driftPermille);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("lease terms: " + problems);
        }
    }

    /** Every rule that these settings break, each as a sentence that names key, value and rule; empty if none. */
    public static List<String> problems(long ttlNanos, int driftPermille) {
        var problems = new ArrayList<String>();
        if (ttlNanos < LEAST_TTL_NANOS || ttlNanos > MOST_TTL_NANOS) {
            problems.add("ttl is " + ttlNanos / 1_000_000 + " ms; it must be from 500 ms to 60 s");
        }
        if (driftPermille < 1 || driftPermille > 1_000) {
            problems.add("drift is " + driftPermille / 1000.0 + "; it must be from 0.001 to 1");
        }
        return problems;
    }

    /** How long the granter waits after the last applied renewal before it lets another start. */
    public long granterNanos() {
        return ttlNanos + ttlNanos / 1000 * driftPermille + 1_000_000;
    }

    /** How often the holder renews: often enough that two lost renewals cost nothing. */
    public long renewEveryNanos() {
        return ttlNanos / RENEWALS_PER_TTL;
    }

    /**
     * How long an answer to a renewal may stay unheard before renewals are refused: nearly as long as the lease that it
     * grants. Who hears within that time serves on, as several renewals are under way at once; what is heard later
     * grants next to nothing.
     */
    public long unheardNanos() {
        return ttlNanos / 4 * 3;
    }

    /** After how long without an answer the next renewal starts; the earlier one is not cancelled. */
    public long renewAgainNanos() {
        return renewEveryNanos() / 2;
    }
}
