package io.seqsvr.chaos.proxy;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what happens on other threads. */
final class Await {
    private static final Duration WITHIN = Duration.ofSeconds(20);

    private Await() {}

    static void until(String what, BooleanSupplier holds) {
        long since = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - since > WITHIN.toNanos()) {
                fail("not within " + WITHIN + ": " + what);
            }
            Thread.onSpinWait();
        }
    }
}
