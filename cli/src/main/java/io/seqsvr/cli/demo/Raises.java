package io.seqsvr.cli.demo;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Sees whether StoreSvr goes on to raise max_seq: in LEASE order owners need it for nothing else until a lease is over,
 * which they have to renew.
 */
final class Raises {
    /** All peers are asked about each segment. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    /**
     * What had been granted before may become known only now, by a peer that follows: what comes on top of that is
     * granted by whoever is left.
     */
    private static final int ENOUGH = 2;

    private final Supplier<OptionalLong> granted;
    private final LongSupplier nanoClock;
    private OptionalLong greatest = OptionalLong.empty();
    private OptionalLong lookedAtNanos = OptionalLong.empty();
    private int grown;

    /**
     * None was seen.
     *
     * @param granted what has been granted to all users so far, if StoreSvr tells
     * @param nanoClock never goes back
     */
    Raises(Supplier<OptionalLong> granted, LongSupplier nanoClock) {
        this.granted = granted;
        this.nanoClock = nanoClock;
    }

    /** Looks, unless it has just looked. */
    void look() {
        long now = nanoClock.getAsLong();
        if (lookedAtNanos.isPresent() && now - lookedAtNanos.getAsLong() < BETWEEN_LOOKS.toNanos()) {
            return;
        }
        lookedAtNanos = OptionalLong.of(now);
        granted.get().ifPresent(sum -> {
            grown += greatest.isPresent() && sum > greatest.getAsLong() ? 1 : 0;
            greatest = OptionalLong.of(Math.max(sum, greatest.orElse(sum)));
        });
    }

    /** Whether it has raised some since the first look, after a look that is due. */
    boolean goOn() {
        look();
        return grown >= ENOUGH;
    }
}
