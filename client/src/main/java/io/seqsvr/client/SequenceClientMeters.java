package io.seqsvr.client;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.seqsvr.client.line.LineCounts;
import io.seqsvr.client.line.LineCounts.Event;
import io.seqsvr.client.line.LineCounts.Outcome;
import io.seqsvr.core.frame.FrameVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Shows a client's numbers to Micrometer. A class of its own, so that who does without Micrometer needs none.
 *
 * <pre>{@code
 * var meters = new SequenceClientMeters(client, Tags.of("cluster", "eu"));
 * meters.bindTo(registry);
 * }</pre>
 *
 * <p>A registry keeps the first of two meters of one name and the same tags, and shows nothing of the second, alarms
 * included. So two clients in one process need different tags; and the meters of one that is made anew are {@linkplain
 * #close closed} before those of its successor are bound.
 */
public final class SequenceClientMeters implements MeterBinder, AutoCloseable {
    private final LineCounts counts;
    private final Iterable<Tag> tags;
    /** What is to be taken out of registries again. */
    private final List<Runnable> bound = new ArrayList<>();

    /** The numbers of the only client of a process, from its first call on. */
    public SequenceClientMeters(SequenceClient client) {
        this(client, Tags.empty());
    }

    /**
     * The numbers of one of several clients, from its first call on.
     *
     * @param tags which one it is; on all of its meters
     */
    public SequenceClientMeters(SequenceClient client, Iterable<Tag> tags) {
        this.counts = client.counts();
        this.tags = Tags.of(tags);
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        var before = registry.getMeters().stream().map(Meter::getId).collect(Collectors.toSet());
        for (var meter : register(registry)) {
            // Else it is somebody else's, whom this one's end does not concern.
            if (!before.contains(meter.getId())) {
                bound.add(() -> registry.remove(meter));
            }
        }
    }

    /** Takes its meters out of the registries; they are to be bound again by those of another client. */
    @Override
    public synchronized void close() {
        bound.forEach(Runnable::run);
        bound.clear();
    }

    private List<Meter> register(MeterRegistry registry) {
        var meters = new ArrayList<Meter>();
        for (var verb : FrameVerb.values()) {
            calls(registry, verb, meters);
        }
        meters.add(count(registry, "seqsvr.client.frames", Event.FRAMES, "Frames sent"));
        meters.add(count(registry, "seqsvr.client.framed.calls", Event.FRAMED_CALLS, "Calls in the frames sent"));
        meters.add(count(registry, "seqsvr.client.retries", Event.RETRIES, "Calls put aside to be tried again"));
        meters.add(count(
                registry,
                "seqsvr.client.disbelieved",
                Event.DISBELIEVED,
                "Answers of an older epoch than they were asked for in, not given out"));
        meters.add(count(
                registry,
                "seqsvr.client.backward",
                Event.BACKWARD,
                "Answers that stepped back, not given out: an alarm"));
        meters.add(count(
                registry,
                "seqsvr.client.replies.late",
                Event.LATE_REPLIES,
                "Replies after their calls were sent again"));
        meters.add(count(
                registry, "seqsvr.client.replies.malformed", Event.MALFORMED, "Replies that were none to their frame"));
        meters.add(count(registry, "seqsvr.client.streams", Event.STREAMS, "Streams to owners begun"));
        meters.add(FunctionCounter.builder("seqsvr.client.overload", counts, LineCounts::overload)
                .description("Calls refused at once, as too many waited")
                .tags(tags)
                .register(registry));
        meters.add(Gauge.builder("seqsvr.client.open", counts, LineCounts::open)
                .description("Calls that have not ended")
                .tags(tags)
                .register(registry));
        return meters;
    }

    private void calls(MeterRegistry registry, FrameVerb verb, List<Meter> meters) {
        var name = verb.name().toLowerCase(Locale.ROOT);
        for (var outcome : Outcome.values()) {
            meters.add(FunctionCounter.builder("seqsvr.client.calls", counts, each -> each.calls(verb, outcome))
                    .description("Calls that ended")
                    .tags(tags)
                    .tag("verb", name)
                    .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                    .register(registry));
        }
        meters.add(FunctionTimer.builder(
                        "seqsvr.client.call.time",
                        counts,
                        each -> each.ended(verb),
                        each -> each.nanos(verb),
                        TimeUnit.NANOSECONDS)
                .description("From a call to its end, retries included")
                .tags(tags)
                .tag("verb", name)
                .register(registry));
    }

    private Meter count(MeterRegistry registry, String name, Event event, String description) {
        return FunctionCounter.builder(name, counts, each -> each.count(event))
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
