package io.seqsvr.chaos.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Links of a network of namespaces. */
public final class SwitchLinks implements Links {
    private final VirtualNetwork network;
    private final Map<Link, List<LinkState>> states = new HashMap<>();

    /** Of a network whose links are clean. */
    public SwitchLinks(VirtualNetwork network) {
        this.network = network;
    }

    @Override
    public List<String> others(String host) {
        return network.hosts().stream().filter(other -> !other.equals(host)).toList();
    }

    @Override
    public void add(List<Link> links, LinkState state) {
        for (var link : links) {
            states.computeIfAbsent(link, absent -> new ArrayList<>()).add(state);
            set(link);
        }
    }

    @Override
    public void remove(List<Link> links, LinkState state) {
        for (var link : links) {
            states.getOrDefault(link, new ArrayList<>()).remove(state);
            set(link);
        }
    }

    private void set(Link link) {
        var state = states.getOrDefault(link, List.of()).stream().reduce(LinkState.CLEAN, LinkState::worst);
        var unused = network.set(link.from(), link.to(), state);
    }

    @Override
    public LinkCounts counts(List<Link> links) {
        return links.stream()
                .map(link -> network.counts(link.from(), link.to()))
                .reduce(LinkCounts.NONE, LinkCounts::plus);
    }
}
