package io.seqsvr.chaos.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongBinaryOperator;
import java.util.function.LongSupplier;

/** Which faults there were and when, so that what users saw can be laid to one of them. Safe for many threads. */
public final class FaultLog {
    /** For so long after its end a fault explains what users are not given: nodes start, segments move back. */
    static final Duration AFTERMATH = Duration.ofSeconds(15);

    /** The verb of the fault that breaks connections by itself. */
    private static final Set<String> BREAKS = Set.of("reset");
    /** Verbs of those that let an owner stay, and have it say nothing for a while. */
    private static final Set<String> SILENCES = Set.of(
            "pause", "freeze", "suspend", "cut", "cut-in", "cut-out", "lag", "spike", "narrow", "starve", "exhaust");

    /** How allocators are named. */
    private static final String OWNER = "alloc-";

    private final LongSupplier nanoClock;
    private final List<Episode> episodes = new ArrayList<>();
    private int faults;
    private volatile LongBinaryOperator pausedNanos = (from, to) -> 0;

    /**
     * A log without faults.
     *
     * @param nanoClock as {@link System#nanoTime}
     */
    public FaultLog(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** One fault, from its start on. */
    public static final class Episode {
        private final int number;
        private final String name;
        private final long begunNanos;
        private volatile long undoneNanos = Long.MAX_VALUE;
        private volatile long endedNanos = Long.MAX_VALUE;

        private Episode(int number, String name, long begunNanos) {
            this.number = number;
            this.name = name;
            this.begunNanos = begunNanos;
        }

        /** Which one it is, from 1. */
        public int number() {
            return number;
        }

        /** What was done to whom. */
        public String name() {
            return name;
        }

        long begunNanos() {
            return begunNanos;
        }

        private boolean isAtWork(long fromNanos, long toNanos) {
            return begunNanos <= toNanos && undoneNanos >= fromNanos;
        }

        private boolean isOnAt(long nanos) {
            return begunNanos <= nanos && nanos <= endedNanos;
        }

        /** For how long of a span it went on; negative where it did not. */
        private long within(long fromNanos, long toNanos) {
            return Math.min(toNanos, endedNanos) - Math.max(fromNanos, begunNanos);
        }

        /** Whether one of these things is done to somebody whose name begins so. */
        private boolean isOne(Set<String> verbs, String victim) {
            return Arrays.stream(name.split(" \\+ ", -1))
                    .map(fault -> fault.split(" ", 2))
                    .anyMatch(words -> verbs.contains(words[0]) && words[words.length - 1].startsWith(victim));
        }

        private boolean touches(long fromNanos, long toNanos) {
            long ended = endedNanos;
            return begunNanos <= toNanos && (ended == Long.MAX_VALUE || ended + AFTERMATH.toNanos() >= fromNanos);
        }
    }

    /**
     * From now on it tells for how long the program that looks stood still itself.
     *
     * @param paused for how much of a span, by the clock of this log, it did
     */
    public void heedPauses(LongBinaryOperator paused) {
        pausedNanos = paused;
    }

    /** For how much of this span whoever looks stood still. */
    long pausedNanos(long fromNanos, long toNanos) {
        return pausedNanos.applyAsLong(fromNanos, toNanos);
    }

    /** A fault is about to start. */
    public Episode begin(String name) {
        return begin(List.of(name));
    }

    /** Faults are about to start that will be at work together. */
    public synchronized Episode begin(List<String> names) {
        var episode = new Episode(episodes.size() + 1, String.join(" + ", names), nanoClock.getAsLong());
        episodes.add(episode);
        faults += names.size();
        return episode;
    }

    /** It was undone; what comes of it goes on until it has ended. */
    public void undone(Episode episode) {
        episode.undoneNanos = nanoClock.getAsLong();
    }

    /** It was undone, and all is well again. */
    public void end(Episode episode) {
        long now = nanoClock.getAsLong();
        episode.undoneNanos = Math.min(episode.undoneNanos, now);
        episode.endedNanos = now;
    }

    /** How many faults there were. */
    public synchronized int count() {
        return faults;
    }

    /** Whether connections were reset in this span: other faults leave them, or leave nobody at their end. */
    synchronized boolean resetConnections(long fromNanos, long toNanos) {
        return episodes.stream().anyMatch(episode -> episode.isAtWork(fromNanos, toNanos) && episode.isOne(BREAKS, ""));
    }

    /**
     * Whether an owner that stays may have said nothing, in this span, for as long as a router waits: then that gives
     * its stream up, with the tries that wait for less too.
     */
    synchronized boolean silencedAnOwner(long fromNanos, long toNanos) {
        return episodes.stream()
                .anyMatch(episode -> episode.isAtWork(fromNanos, toNanos)
                        && episode.isOne(SILENCES, OWNER)
                        && toNanos - episode.begunNanos >= TriesInVain.PATIENCE_NANOS);
    }

    /**
     * The fault that explains why somebody waited for this span: of those that went on when the wait began the one that
     * began last, else the one that went on for the longest of it, unless it had not begun for longer than that. Who
     * begins to wait after a fault has ended does not wait for it.
     */
    synchronized Optional<Episode> explainsWait(long fromNanos, long toNanos) {
        return episodes.stream()
                .filter(episode -> episode.isOnAt(fromNanos))
                .reduce((one, later) -> later)
                .or(() -> episodes.stream()
                        .max(Comparator.comparingLong(episode -> episode.within(fromNanos, toNanos)))
                        .filter(most -> most.within(fromNanos, toNanos) >= 0
                                && most.within(fromNanos, toNanos) >= most.begunNanos - fromNanos));
    }

    /**
     * The fault that explains what was left out in this span: of those that went on then, or had ended shortly before,
     * the one that began last.
     */
    Optional<Episode> explains(long fromNanos, long toNanos) {
        synchronized (this) {
            for (int i = episodes.size() - 1; i >= 0; i--) {
                if (episodes.get(i).touches(fromNanos, toNanos)) {
                    return Optional.of(episodes.get(i));
                }
            }
            return Optional.empty();
        }
    }
}
