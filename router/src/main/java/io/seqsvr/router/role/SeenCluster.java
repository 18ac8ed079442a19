package io.seqsvr.router.role;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this router has seen of the cluster, for its front door: it needs no session. Everything here but the gauges
 * runs on one event loop.
 */
public final class SeenCluster {
    private static final Logger LOG = LoggerFactory.getLogger(SeenCluster.class);

    /** A version is a stamp, too long for a gauge as a whole; its low 53 bits, all but the incarnation, are exact. */
    private static final long WITHOUT_INCARNATION = (1L << 53) - 1;

    private volatile Optional<StoreView> view = Optional.empty();

    /** Nothing was seen yet. */
    public SeenCluster(MeterRegistry registry) {
        Gauge.builder(
                        "seqsvr.routes.version",
                        this,
                        cluster -> cluster.view
                                .map(seen -> (double) (seen.routes().version() & WITHOUT_INCARNATION))
                                .orElse(0.0))
                .description("Version of the route table that this router uses, counted in this incarnation")
                .tag("tier", "router")
                .register(registry);
        Gauge.builder(
                        "seqsvr.incarnation",
                        this,
                        cluster -> cluster.view
                                .map(seen -> (double) seen.incarnation())
                                .orElse(0.0))
                .description("Incarnation of the cluster that this router sees")
                .tag("tier", "router")
                .register(registry);
        Gauge.builder(
                        "seqsvr.allocators",
                        this,
                        cluster -> cluster.view
                                .map(seen -> (double) allocators(seen))
                                .orElse(0.0))
                .description("Open sessions of allocators")
                .tag("tier", "router")
                .register(registry);
    }

    /** Takes in what was seen, unless it is older. */
    public void learn(StoreView seen) {
        if (view.isEmpty() || seen.version() >= view.get().version()) {
            view = Optional.of(seen);
        }
        LOG.debug(
                "event=view_seen version={} table={} ranges={} allocators={}",
                seen.version(),
                seen.routes().version(),
                seen.routes().ranges().size(),
                allocators(seen));
    }

    /** What was seen last; nothing before the first answer of a watch. */
    public Optional<StoreView> view() {
        return view;
    }

    private static long allocators(StoreView view) {
        return view.sessions().stream()
                .filter(member -> member.kind() == SessionKind.ALLOCATOR)
                .count();
    }
}
