package io.seqsvr.node.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.grpc.common.GrpcStatus;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counts and times the requests of one tier, by verb and status code. Never by user. */
public final class RequestMetrics {
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5)
    };

    /** The reason that is shown before there is one of it: else the first would be no rise. */
    private static final String NO_ROOM = "TOO_MUCH_UNFINISHED";

    private final MeterRegistry registry;
    private final String tier;
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

    private final Map<String, Counter> refused = new ConcurrentHashMap<>();

    private record Key(String verb, GrpcStatus code) {}

    /**
     * Meters of one tier.
     *
     * @param registry where they are kept
     * @param tier {@code storesvr}, {@code allocsvr} or {@code router}
     */
    public RequestMetrics(MeterRegistry registry, String tier) {
        this.registry = registry;
        this.tier = tier;
        counter(NO_ROOM);
    }

    /** A request of this verb ended with this code after so many nanoseconds. */
    public void ended(String verb, GrpcStatus code, long nanos) {
        timers.computeIfAbsent(new Key(verb, code), this::register).record(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * A request was refused that no verb counts as such: it came to no method, or its reply could not be sent.
     *
     * @param reason as its caller is told it
     */
    public void turnedAway(String reason) {
        counter(reason).increment();
    }

    private Counter counter(String reason) {
        return refused.computeIfAbsent(
                reason,
                first -> Counter.builder("seqsvr.requests.refused")
                        .description("Requests refused before they came to a method, or as a reply could not be sent")
                        .tags("tier", tier, "reason", reason)
                        .register(registry));
    }

    private Timer register(Key key) {
        return Timer.builder("seqsvr.requests")
                .description("Requests by verb and status code")
                .tags(
                        "tier",
                        tier,
                        "verb",
                        key.verb().toLowerCase(Locale.ROOT),
                        "code",
                        key.code().name())
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }
}
