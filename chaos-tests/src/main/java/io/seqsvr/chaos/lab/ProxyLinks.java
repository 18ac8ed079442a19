package io.seqsvr.chaos.lab;

import io.seqsvr.chaos.network.LinkCounts;
import io.seqsvr.chaos.network.LinkState;
import io.seqsvr.chaos.network.Links;
import io.seqsvr.chaos.network.VirtualNetwork;
import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.Loopback;
import io.seqsvr.chaos.proxy.CallerNames;
import io.seqsvr.chaos.proxy.Direction;
import io.seqsvr.chaos.proxy.Effect;
import io.seqsvr.chaos.proxy.FaultProxy;
import io.seqsvr.chaos.proxy.ProcessCallers;
import io.seqsvr.chaos.proxy.Toxic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Links that are proxies on loopback, before each node one for each of its ports. A caller is known by its process;
 * what a link loses is held back until it is healed, as if it had been sent again.
 */
public final class ProxyLinks implements Links, AutoCloseable {
    private static final int BITS = 8;
    /** A proxy does not know chances: each connection lives for so long. */
    private static final long RESET_AFTER_MILLIS = 200;

    private final List<String> hosts;
    private final Loopback loopback;
    private final Map<String, Long> pids = new ConcurrentHashMap<>();
    private final FaultProxy proxy;
    /** Where nodes really listen, by where others think they do. */
    private final Map<Endpoint, Endpoint> behind = new ConcurrentHashMap<>();

    private final Map<String, List<String>> proxiesOf = new ConcurrentHashMap<>();
    private final Map<Cause, List<Placed>> placed = new HashMap<>();
    private long toxics;

    private record Cause(Link link, LinkState state) {}

    private record Placed(String proxy, String toxic) {}

    /**
     * Links to nodes that have no ports yet.
     *
     * @param nodes their names
     * @param seed of what the proxies draw
     */
    public ProxyLinks(List<String> nodes, Loopback loopback, long seed) {
        this.hosts = Stream.concat(Stream.of(VirtualNetwork.US), nodes.stream()).toList();
        this.loopback = loopback;
        pids.put(VirtualNetwork.US, ProcessHandle.current().pid());
        this.proxy = new FaultProxy(new ProcessCallers(() -> pids), new SplittableRandom(seed));
    }

    void started(String node, long pid) {
        pids.put(node, pid);
    }

    /** A port of a node, with a proxy before it; returns where others find it. */
    Endpoint open(String node) {
        return open(node, loopback.freeEndpoint(node));
    }

    /** A proxy before a port of a node that listens already; returns where this JVM finds it. */
    public Endpoint open(String node, Endpoint real) {
        var seen = loopback.freeEndpoint(node);
        var proxies = proxiesOf.computeIfAbsent(node, absent -> new ArrayList<>());
        var name = node + "-" + (proxies.size() + 1);
        var unused = proxy.create(name, seen, real);
        proxies.add(name);
        behind.put(seen, real);
        return seen;
    }

    /** Where the node listens that others find there. */
    Endpoint behind(Endpoint seen) {
        return behind.getOrDefault(seen, seen);
    }

    @Override
    public List<String> others(String host) {
        return hosts.stream().filter(other -> !other.equals(host)).toList();
    }

    @Override
    public void add(List<Link> links, LinkState state) {
        for (var link : links) {
            var all = placed.computeIfAbsent(new Cause(link, state), absent -> new ArrayList<>());
            for (var effect : effects(state)) {
                proxiesOf(link.to()).forEach(name -> all.add(place(name, Direction.UPSTREAM, link.from(), effect)));
                proxiesOf(link.from()).forEach(name -> all.add(place(name, Direction.DOWNSTREAM, link.to(), effect)));
            }
        }
    }

    private List<String> proxiesOf(String host) {
        return proxiesOf.getOrDefault(host, List.of());
    }

    private Placed place(String name, Direction direction, String caller, Effect effect) {
        var toxic = "toxic-" + ++toxics;
        proxy.add(name, Toxic.of(toxic, direction, effect).onlyFor(Set.of(caller)));
        return new Placed(name, toxic);
    }

    private static List<Effect> effects(LinkState state) {
        var effects = new ArrayList<Effect>();
        if (state.loss() > 0) {
            effects.add(new Effect.Blackhole());
        }
        if (!state.delay().isZero()) {
            effects.add(
                    new Effect.Latency(state.delay().toMillis(), state.jitter().toMillis()));
        }
        if (state.resets() > 0) {
            effects.add(new Effect.ResetPeer(RESET_AFTER_MILLIS));
        }
        if (state.kilobits() > 0) {
            effects.add(new Effect.Bandwidth(Math.max(1, state.kilobits() / BITS)));
        }
        return effects;
    }

    @Override
    public void remove(List<Link> links, LinkState state) {
        for (var link : links) {
            var gone = placed.remove(new Cause(link, state));
            if (gone != null) {
                gone.forEach(toxic -> proxy.remove(toxic.proxy(), toxic.toxic()));
            }
        }
    }

    /**
     * What is held back now counts as lost, and as delayed, as nobody knows yet which it will be; whatever the links
     * did before is not known any more.
     */
    @Override
    public LinkCounts counts(List<Link> links) {
        long held = 0;
        long forwarded = 0;
        long reset = 0;
        for (var link : links) {
            for (var name : proxiesOf(link.to())) {
                var counts = proxy.counts(name);
                held += counts.upstream().held();
                forwarded += counts.upstream().forwarded();
                reset += counts.reset();
            }
            for (var name : proxiesOf(link.from())) {
                var counts = proxy.counts(name);
                held += counts.downstream().held();
                forwarded += counts.downstream().forwarded();
                reset += counts.reset();
            }
        }
        return new LinkCounts(forwarded, held, held, 0, 0, 0, reset);
    }

    @Override
    public boolean leak(List<Link> links) {
        return links.stream()
                .flatMap(link -> Stream.of(link.to(), link.from()))
                .distinct()
                .flatMap(host -> proxiesOf(host).stream())
                .anyMatch(name -> proxy.counts(name).openByCaller().containsKey(CallerNames.UNKNOWN));
    }

    @Override
    public void close() {
        proxy.close();
    }
}
