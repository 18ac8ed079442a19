package io.seqsvr.cli.demo;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Looks at processes again and again: they tell nobody when they change. */
public final class Waiting {
    /** By the clock of this machine. */
    public static final Waiting REAL = new Waiting(System::nanoTime, LockSupport::parkNanos);

    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final LongSupplier nanoClock;
    private final LongConsumer park;

    /**
     * By any clock.
     *
     * @param nanoClock never goes back
     * @param park lets about so many nanoseconds pass
     */
    Waiting(LongSupplier nanoClock, LongConsumer park) {
        this.nanoClock = nanoClock;
        this.park = park;
    }

    /** The same, that does this after each time that it let pass. */
    Waiting meanwhile(Runnable look) {
        return new Waiting(nanoClock, nanos -> {
            park.accept(nanos);
            look.run();
        });
    }

    /** What its clock says. */
    long nanoTime() {
        return nanoClock.getAsLong();
    }

    /** Waits until it is so; whether it was in time. */
    public boolean until(BooleanSupplier isSo, Duration within) {
        long start = nanoTime();
        while (!isSo.getAsBoolean()) {
            if (nanoTime() - start > within.toNanos()) {
                return false;
            }
            park.accept(BETWEEN_LOOKS_NANOS);
        }
        return true;
    }

    /** Looks until there is something; nothing if there was not in time. */
    public <T> Optional<T> toSee(Supplier<Optional<T>> look, Duration within) {
        long start = nanoTime();
        var found = look.get();
        while (found.isEmpty() && nanoTime() - start <= within.toNanos()) {
            park.accept(BETWEEN_LOOKS_NANOS);
            found = look.get();
        }
        return found;
    }

    /** Lets time pass. */
    public void pass(Duration time) {
        var unused = until(() -> false, time);
    }
}
