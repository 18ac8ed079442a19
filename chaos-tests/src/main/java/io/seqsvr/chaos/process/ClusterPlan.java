package io.seqsvr.chaos.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Of what a local cluster consists, and what it begins with.
 *
 * @param stores how many StoreSvr peers
 * @param allocators how many AllocSvr
 * @param routers how many routers
 * @param ttl time to live of every lease
 * @param namespace whose users there are
 * @param callers how many applications ask it, to which harm can be done
 */
public record ClusterPlan(int stores, int allocators, int routers, Duration ttl, NamespacePlan namespace, int callers) {
    private static final int MOST = 9;

    /** A cluster without such applications. */
    public ClusterPlan(int stores, int allocators, int routers, Duration ttl, NamespacePlan namespace) {
        this(stores, allocators, routers, ttl, namespace, 0);
    }

    /** The same cluster with so many applications. */
    public ClusterPlan withCallers(int count) {
        return new ClusterPlan(stores, allocators, routers, ttl, namespace, count);
    }

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

    /** The names of all nodes. */
    public List<String> names() {
        return Arrays.stream(Tier.values())
                .flatMap(tier -> names(tier).stream())
                .toList();
    }

    /** The names of those that keep data. */
    public List<String> storeNames() {
        return names(Tier.STORESVR);
    }

    private List<String> names(Tier tier) {
        return IntStream.rangeClosed(1, count(tier)).mapToObj(tier::nodeName).toList();
    }

    /** How many nodes of a tier there are. */
    public int count(Tier tier) {
        return switch (tier) {
            case STORESVR -> stores;
            case ALLOCSVR -> allocators;
            case ROUTER -> routers;
            case CALLER -> callers;
        };
    }
}
