package io.seqsvr.chaos.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What faults do to the links of a network, several to one link at times: then the worst of each. Use from one thread. */
public final class Links {
    private final VirtualNetwork network;
    private final Map<Link, List<LinkState>> states = new HashMap<>();

    /**
     * One direction between two hosts.
     *
     * @param from who sends
     * @param to who receives
     */
    public record Link(String from, String to) {}

    /** Of a network whose links are clean. */
    public Links(VirtualNetwork network) {
        this.network = network;
    }

    /** All hosts but this one, this JVM's own among them. */
    public List<String> others(String host) {
        return network.hosts().stream().filter(other -> !other.equals(host)).toList();
    }

    /** From now on these links do this too. */
    public void add(List<Link> links, LinkState state) {
        for (var link : links) {
            states.computeIfAbsent(link, absent -> new ArrayList<>()).add(state);
            set(link);
        }
    }

    /** It is over. */
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

    /** What these links have done so far, all together. */
    public LinkCounts counts(List<Link> links) {
        return links.stream()
                .map(link -> network.counts(link.from(), link.to()))
                .reduce(new LinkCounts(0, 0, 0, 0, 0), LinkCounts::plus);
    }
}
