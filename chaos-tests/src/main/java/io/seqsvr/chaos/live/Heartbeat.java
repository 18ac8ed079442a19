package io.seqsvr.chaos.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notes when this process itself stood still, as machine or collector let it wait: then calls are sent and heard late,
 * whatever the cluster does. Safe for many threads.
 */
public final class Heartbeat {
    /** How far beats are apart. */
    static final Duration BEAT = Duration.ofMillis(20);

    private static final Duration NOTED = Duration.ofMillis(200);

    private final LongSupplier nanoClock;
    private final List<Pause> pauses = new ArrayList<>();
    private long lastNanos;

    private record Pause(long from, long to) {
        private long within(long fromNanos, long toNanos) {
            return Math.max(0, Math.min(to, toNanos) - Math.max(from, fromNanos));
        }
    }

    /**
     * It beats now for the first time.
     *
     * @param nanoClock as {@link System#nanoTime}
     */
    public Heartbeat(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.lastNanos = nanoClock.getAsLong();
    }

    /** Has it beat until what is returned is shut down. */
    ScheduledExecutorService start() {
        var beats = Executors.newSingleThreadScheduledExecutor(work -> {
            var thread = new Thread(work, "heartbeat");
            thread.setDaemon(true);
            return thread;
        });
        var unused = beats.scheduleAtFixedRate(this::beat, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
        return beats;
    }

    /** It beats. */
    public synchronized void beat() {
        long now = nanoClock.getAsLong();
        if (now - lastNanos > NOTED.toNanos()) {
            pauses.add(new Pause(lastNanos, now));
        }
        lastNanos = now;
    }

    /** For how much of this span it stood still, a pause that has just ended and was not noted yet included. */
    public synchronized long pausedNanos(long fromNanos, long toNanos) {
        beat();
        return pauses.stream()
                .mapToLong(pause -> pause.within(fromNanos, toNanos))
                .sum();
    }
}
