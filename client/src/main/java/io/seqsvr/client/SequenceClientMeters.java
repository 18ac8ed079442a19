package io.seqsvr.client;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.seqsvr.client.line.LineCounts;
import io.seqsvr.client.line.LineCounts.Event;
import io.seqsvr.client.line.LineCounts.Outcome;
import io.seqsvr.core.frame.FrameVerb;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Shows a client's numbers to Micrometer. A class of its own, so that who does without Micrometer needs none.
 *
 * <pre>{@code
 * new SequenceClientMeters(client).bindTo(registry);
 * }</pre>
 */
public final class SequenceClientMeters implements MeterBinder {
    private final LineCounts counts;

    /** The numbers of a client, from its first call on. */
    public SequenceClientMeters(SequenceClient client) {
        this.counts = client.counts();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (var verb : FrameVerb.values()) {
            calls(registry, verb);
        }
        count(registry, "seqsvr.client.frames", Event.FRAMES, "Frames sent");
        count(registry, "seqsvr.client.framed.calls", Event.FRAMED_CALLS, "Calls in the frames sent");
        count(registry, "seqsvr.client.retries", Event.RETRIES, "Calls put aside to be tried again");
        count(
                registry,
                "seqsvr.client.disbelieved",
                Event.DISBELIEVED,
                "Answers of an older epoch than they were asked for in, not given out");
        count(registry, "seqsvr.client.backward", Event.BACKWARD, "Answers that stepped back, not given out: an alarm");
        count(registry, "seqsvr.client.replies.late", Event.LATE_REPLIES, "Replies after their calls were sent again");
        count(registry, "seqsvr.client.replies.malformed", Event.MALFORMED, "Replies that were none to their frame");
        count(registry, "seqsvr.client.streams", Event.STREAMS, "Streams to owners begun");
        FunctionCounter.builder("seqsvr.client.overload", counts, LineCounts::overload)
                .description("Calls refused at once, as too many waited")
                .register(registry);
        Gauge.builder("seqsvr.client.open", counts, LineCounts::open)
                .description("Calls that have not ended")
                .register(registry);
    }

    private void calls(MeterRegistry registry, FrameVerb verb) {
        var name = verb.name().toLowerCase(Locale.ROOT);
        for (var outcome : Outcome.values()) {
            FunctionCounter.builder("seqsvr.client.calls", counts, each -> each.calls(verb, outcome))
                    .description("Calls that ended")
                    .tag("verb", name)
                    .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        FunctionTimer.builder(
                        "seqsvr.client.call.time",
                        counts,
                        each -> each.ended(verb),
                        each -> each.nanos(verb),
                        TimeUnit.NANOSECONDS)
                .description("From a call to its end, retries included")
                .tag("verb", name)
                .register(registry);
    }

    private void count(MeterRegistry registry, String name, Event event, String description) {
        FunctionCounter.builder(name, counts, each -> each.count(event))
                .description(description)
                .register(registry);
    }
}
