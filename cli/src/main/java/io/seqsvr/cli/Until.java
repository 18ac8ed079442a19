package io.seqsvr.cli;

import io.seqsvr.core.store.StoreView;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Option;

/** Waits until segments are where they were ordered to be. */
final class Until {
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** What is waited for. */
    interface Goal {
        /** How many segments are not there yet. */
        long left(StoreView view);

        /** Some are left: what has to be done about them, at each look. */
        void again(StoreView view, long nowNanos);

        /** What is said if the time is over. */
        String unfinished(StoreView view, long left);
    }

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "1m",
            converter = TimeConverter.class,
            description = "How long to wait until it is done, 1m at most (default: ${DEFAULT-VALUE}).")
    private Duration within = Duration.ofMinutes(1);

    /**
     * Looks again and again.
     *
     * @return the view in which none was left
     */
    StoreView noneIsLeft(StoreOptions store, Goal goal) throws StoreFailure {
        long start = System.nanoTime();
        while (true) {
            boolean last = System.nanoTime() - start > within.toNanos();
            try {
                var view = store.view();
                long segments = goal.left(view);
                if (segments == 0) {
                    return view;
                }
                if (last) {
                    throw StoreFailure.unavailable(goal.unfinished(view, segments));
                }
                goal.again(view, System.nanoTime());
            } catch (StoreFailure noView) {
                // What was ordered goes on, whether it can be looked at or not.
                if (last) {
                    throw noView;
                }
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }
}
