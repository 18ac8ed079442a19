package io.seqsvr.cli.demo;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Looks at processes again and again: they tell nobody when they change. */
final class Waiting {
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private Waiting() {}

    /** Waits until it is so; whether it was in time. */
    static boolean until(BooleanSupplier isSo, Duration within) {
        long start = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() - start > within.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        return true;
    }

    /** Looks until there is something; nothing if there was not in time. */
    static <T> Optional<T> toSee(Supplier<Optional<T>> look, Duration within) {
        long start = System.nanoTime();
        var found = look.get();
        while (found.isEmpty() && System.nanoTime() - start <= within.toNanos()) {
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
            found = look.get();
        }
        return found;
    }

    /** Lets time pass. */
    static void pass(Duration time) {
        var unused = until(() -> false, time);
    }
}
