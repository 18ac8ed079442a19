package io.seqsvr.router.grpc;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.seqsvr.client.line.LineCounts;
import io.seqsvr.client.line.LineCounts.Event;

/** What happens on the way from this router to owners, in numbers. */
public final class ProxyMeters implements MeterBinder {
    private final LineCounts counts;

    /** The numbers of a router's line to owners, from its first call on. */
    public ProxyMeters(LineCounts counts) {
        this.counts = counts;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "seqsvr.proxy.retries", Event.RETRIES, "Calls put aside to be tried again");
        count(
                registry,
                "seqsvr.proxy.disbelieved",
                Event.DISBELIEVED,
                "Answers of an older epoch than they were asked for in, not passed on");
        count(registry, "seqsvr.proxy.replies.malformed", Event.MALFORMED, "Replies that were none to their frame");
        count(registry, "seqsvr.proxy.streams", Event.STREAMS, "Streams to owners begun");
        Gauge.builder("seqsvr.proxy.open", counts, LineCounts::open)
                .description("Calls that have not ended, but for those in parts of callers' frames")
                .tag("tier", "router")
                .register(registry);
    }

    private void count(MeterRegistry registry, String name, Event event, String description) {
        FunctionCounter.builder(name, counts, each -> each.count(event))
                .description(description)
                .tag("tier", "router")
                .register(registry);
    }
}
