package io.seqsvr.node.metrics;

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

    private final MeterRegistry registry;
    private final String tier;
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

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
    }

    /** A request of this verb ended with this code after so many nanoseconds. */
    public void ended(String verb, GrpcStatus code, long nanos) {
        timers.computeIfAbsent(new Key(verb, code), this::register).record(nanos, TimeUnit.NANOSECONDS);
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
