package io.seqsvr.chaos.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Of what a local cluster consists, and what it begins with.
 *
 * @param stores how many StoreSvr peers
 * @param allocators how many AllocSvr
 * @param routers how many routers
 * @param ttl time to live of every lease
 * @param capacity users of the namespace {@link #NAMESPACE}
 * @param segmentSize users of each of its segments
 */
public record ClusterPlan(int stores, int allocators, int routers, Duration ttl, long capacity, int segmentSize) {
    /** The one namespace that there is. */
    public static final String NAMESPACE = "default";

    private static final int MOST = 9;

    /** Why there can be no such cluster on one machine, a line each that begins with the option; empty if there can. */
    public List<String> problems() {
        var problems = new ArrayList<String>();
        require("--store", stores, problems);
        require("--alloc", allocators, problems);
        require("--router", routers, problems);
        return problems;
    }

    private static void require(String option, int count, List<String> problems) {
        if (count < 1 || count > MOST) {
            problems.add(option + " is " + count + "; it must be from 1 to " + MOST);
        }
    }

    int count(Tier tier) {
        return switch (tier) {
            case STORESVR -> stores;
            case ALLOCSVR -> allocators;
            case ROUTER -> routers;
        };
    }
}
