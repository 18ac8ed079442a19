package io.seqsvr.allocsvr.role;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.NamespaceUse;
import io.seqsvr.core.lease.ClockReading;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far each namespace is used up of which an allocator serves a segment: the announcement of SEQUENCE_EXHAUSTED.
 * Shown as of the last look; a namespace that has no segment here any more is not shown.
 */
final class NamespaceMeters {
    /** What it shows moves slowly. */
    private static final long BETWEEN_LOOKS_NANOS = 1_000_000_000L;

    private final MeterRegistry registry;
    private final Map<String, Used> shown = new HashMap<>();
    private @Nullable ClockReading lookedAt;

    private static final class Used {
        private final Meter.Id id;
        private volatile double ratio;

        Used(MeterRegistry registry, String namespace) {
            id = Gauge.builder("seqsvr.namespace.used.ratio", this, used -> used.ratio)
                    .description("Furthest max_seq of this allocator's segments as a part of max_sequence")
                    .tags("tier", "allocsvr", "namespace", namespace)
                    .register(registry)
                    .getId();
        }
    }

    NamespaceMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Looks at the allocator, if the last look is a while ago. */
    void show(Allocator allocator, ClockReading now) {
        if (lookedAt != null && now.longestSince(lookedAt) < BETWEEN_LOOKS_NANOS) {
            return;
        }
        lookedAt = now;
        var here = new HashSet<String>();
        for (var use : allocator.namespacesUsed()) {
            show(use);
            here.add(use.namespace().name());
        }
        shown.entrySet().removeIf(entry -> {
            boolean gone = !here.contains(entry.getKey());
            if (gone) {
                registry.remove(entry.getValue().id);
            }
            return gone;
        });
    }

    private void show(NamespaceUse use) {
        shown.computeIfAbsent(use.namespace().name(), name -> new Used(registry, name)).ratio = use.ratio();
    }
}
