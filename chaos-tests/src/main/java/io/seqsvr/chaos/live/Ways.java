package io.seqsvr.chaos.live;

import java.util.concurrent.ConcurrentHashMap;

/** Who asks on which of the ways on which users must be answered. Safe for many threads. */
final class Ways {
    private final ConcurrentHashMap<Asking, UserWay> all = new ConcurrentHashMap<>();
    private final FaultLog faults;

    /** What is asked of owners besides is asked to see what they say. */
    enum Way {
        /** Through the routers. */
        ROUTERS,
        /** By the Java client. */
        CLIENT
    }

    private record Asking(long uid, Way way) {}

    Ways(FaultLog faults) {
        this.faults = faults;
    }

    UserWay of(long uid, Way way) {
        return all.computeIfAbsent(new Asking(uid, way), unknown -> new UserWay(uid, faults));
    }

    /** Whether a call of each that began then or later got what it asked for. */
    boolean everybodyIsServedSince(long nanos) {
        return all.values().stream().allMatch(way -> {
            synchronized (way) {
                return way.isServedSince(nanos);
            }
        });
    }

    /** What was seen before counts no more. */
    void forget(long nowNanos) {
        for (var way : all.values()) {
            synchronized (way) {
                way.forget(nowNanos);
            }
        }
    }

    /** Adds what was seen up to now. */
    void addTo(Silences silences, long nowNanos) {
        for (var way : all.values()) {
            synchronized (way) {
                way.addTo(silences, nowNanos);
            }
        }
    }
}
