package io.seqsvr.allocsvr.role;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.AllocatorEvent;
import io.seqsvr.core.alloc.Beginning;
import io.seqsvr.core.alloc.FrameAnswers;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.session.RoleEvent;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The meters of an allocator. Gauges show what the event loop saw at its last tick: another thread that scrapes never
 * touches the allocator.
 */
final class AllocatorMeters {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Counter sequences;
    private final Counter frames;
    private final DistributionSummary frameCalls;
    private final Map<Refusal, Counter> refusals = new EnumMap<>(Refusal.class);
    private final Counter raisesAccepted;
    private final Counter raisesFailed;
    private final Map<Beginning, Counter> loaded = new EnumMap<>(Beginning.class);
    private final NamespaceMeters namespaces;
    private volatile double leaseRemainingSeconds;
    private volatile double segmentsOwned;
    private volatile double waiting;
    private volatile double counterBytes;
    private volatile double mostCounterBytes;

    AllocatorMeters(MeterRegistry registry) {
        sequences = Counter.builder("seqsvr.sequences")
                .description("Sequences handed out")
                .tag("tier", "allocsvr")
                .register(registry);
        frames = Counter.builder("seqsvr.frames")
                .description("Frames answered or refused")
                .tag("tier", "allocsvr")
                .register(registry);
        frameCalls = DistributionSummary.builder("seqsvr.frame.calls")
                .description("Calls per frame; 0 for a frame refused as a whole")
                .tag("tier", "allocsvr")
                .register(registry);
        for (var reason : Refusal.values()) {
            refusals.put(
                    reason,
                    Counter.builder("seqsvr.frame.refusals")
                            .description("Calls of frames that were refused, by reason; a whole frame counts once")
                            .tags("tier", "allocsvr", "reason", reason.name())
                            .register(registry));
        }
        for (var began : Beginning.values()) {
            loaded.put(
                    began,
                    Counter.builder("seqsvr.segments.loaded")
                            .description("Segments that began to be served, by where their counters stood")
                            .tags("tier", "allocsvr", "began", began.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        raisesAccepted = raises(registry, "answered");
        raisesFailed = raises(registry, "unanswered");
        namespaces = new NamespaceMeters(registry);
        Gauge.builder("seqsvr.lease.remaining", this, meters -> meters.leaseRemainingSeconds)
                .description("How long the lease is still valid")
                .baseUnit("seconds")
                .tag("tier", "allocsvr")
                .register(registry);
        Gauge.builder("seqsvr.segments.owned", this, meters -> meters.segmentsOwned)
                .description("Segments that this allocator serves")
                .tag("tier", "allocsvr")
                .register(registry);
        Gauge.builder("seqsvr.requests.waiting", this, meters -> meters.waiting)
                .description("Requests that wait for a raise or a confirmation")
                .tag("tier", "allocsvr")
                .register(registry);
        Gauge.builder("seqsvr.counters.memory", this, meters -> meters.counterBytes)
                .description("What the counters of all users take of the heap")
                .baseUnit("bytes")
                .tag("tier", "allocsvr")
                .register(registry);
        Gauge.builder("seqsvr.counters.memory.max", this, meters -> meters.mostCounterBytes)
                .description("What they may take before users who have none yet are refused")
                .baseUnit("bytes")
                .tag("tier", "allocsvr")
                .register(registry);
    }

    private static Counter raises(MeterRegistry registry, String result) {
        return Counter.builder("seqsvr.raises")
                .description("Raise commands sent, by result")
                .tags("tier", "allocsvr", "result", result)
                .register(registry);
    }

    void handedOut(long count) {
        sequences.increment((double) count);
    }

    /** A frame of so many calls leaves: counted once, not call by call. */
    void answered(int calls, FrameAnswers answers) {
        frames.increment();
        frameCalls.record(calls);
        sequences.increment((double) answers.sequences());
        for (var refused : answers.refusals()) {
            var counter = refusals.get(refused.first().refusal());
            if (counter != null) {
                counter.increment(Math.max(1, refused.places().size()));
            }
        }
    }

    /** Counts what an event tells of users' gaps. */
    void note(RoleEvent event) {
        if (event instanceof AllocatorEvent.SegmentsLoaded served) {
            var counter = loaded.get(served.began());
            if (counter != null) {
                counter.increment(served.last() - served.first() + 1);
            }
        }
    }

    void raise(boolean answered) {
        (answered ? raisesAccepted : raisesFailed).increment();
    }

    void show(Allocator allocator, ClockReading now) {
        leaseRemainingSeconds = allocator.leaseRemainingNanos(now) / NANOS_PER_SECOND;
        segmentsOwned = allocator.segmentsOwned();
        waiting = allocator.waiting();
        counterBytes = allocator.counterMemory().kept();
        mostCounterBytes = allocator.counterMemory().most();
        namespaces.show(allocator, now);
    }
}
