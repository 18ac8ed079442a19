package io.seqsvr.chaos.live;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.Tier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToIntFunction;

/**
 * Whom a load asks, and for whom.
 *
 * @param namespace whose users
 * @param capacity over how many uids they are spread, from 0 on
 * @param segmentOf the segment of a user
 * @param alone whether nobody else asks for them, and none was ever asked for: only then a number that nobody got is a
 *     gap
 * @param routers where routers are asked, at least one
 * @param allocators where AllocSvrs are asked, by the address under which the routes name them; at least one
 * @param callers where applications are told what to ask, to which harm may be done
 */
public record Target(
        String namespace,
        long capacity,
        LongToIntFunction segmentOf,
        boolean alone,
        List<Endpoint> routers,
        Map<String, Endpoint> allocators,
        List<Endpoint> callers) {
    /** Keeps copies; the allocators stay in their order. */
    public Target {
        routers = List.copyOf(routers);
        allocators = new LinkedHashMap<>(allocators);
        callers = List.copyOf(callers);
    }

    /** A new cluster of our own. */
    public static Target of(LocalCluster cluster) {
        var allocators = new LinkedHashMap<String, Endpoint>();
        cluster.endpoints(Tier.ALLOCSVR).forEach(endpoint -> allocators.put(endpoint.toString(), endpoint));
        var plan = cluster.plan().namespace();
        return new Target(
                NamespacePlan.NAME,
                plan.capacity(),
                uid -> (int) (uid / plan.segmentSize()),
                true,
                cluster.endpoints(Tier.ROUTER),
                allocators,
                cluster.endpoints(Tier.CALLER));
    }
}
