package io.seqsvr.node.api;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.seqsvr.proto.v1.ErrorReason;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts calls of one tier that are refused within a reply whose status is OK, by reason: items of a call for many
 * users, and calls of frames that a router answers. {@link io.seqsvr.node.metrics.RequestMetrics} do not see them.
 */
public final class RefusedCalls {
    private final Map<ErrorReason, Counter> byReason = new EnumMap<>(ErrorReason.class);

    /**
     * None yet. All reasons are there from the beginning: the first refusal of one is a rise.
     *
     * @param tier {@code allocsvr} or {@code router}
     */
    public RefusedCalls(MeterRegistry registry, String tier) {
        for (var reason : ErrorReason.values()) {
            if (reason != ErrorReason.ERROR_REASON_UNSPECIFIED && reason != ErrorReason.UNRECOGNIZED) {
                byReason.put(
                        reason,
                        Counter.builder("seqsvr.calls.refused")
                                .description("Calls that were refused within a reply whose status is OK")
                                .tags("tier", tier, "reason", reason.name())
                                .register(registry));
            }
        }
    }

    /** So many calls are refused for one reason. */
    public void add(ErrorReason reason, int calls) {
        var counter = byReason.get(reason);
        if (counter != null) {
            counter.increment(calls);
        }
    }
}
