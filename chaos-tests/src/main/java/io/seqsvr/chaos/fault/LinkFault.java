package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.network.LinkCounts;
import io.seqsvr.chaos.network.LinkState;
import io.seqsvr.chaos.network.Links;
import io.seqsvr.chaos.network.Links.Link;
import java.util.List;
import java.util.stream.Stream;

/** Links of one node, by their names, do what they should not. */
public final class LinkFault implements Fault {
    private final String name;
    private final Links links;
    private final List<Link> struck;
    private final LinkState state;
    private LinkCounts before = LinkCounts.NONE;

    private LinkFault(String verb, String node, Links links, List<Link> struck, LinkState state) {
        this.name = verb + " " + node;
        this.links = links;
        this.struck = List.copyOf(struck);
        this.state = state;
    }

    /** What it sends to any of these, and what they send to it. */
    public static Fault both(String verb, String node, List<String> others, Links links, LinkState state) {
        var struck = Stream.concat(from(node, others), to(node, others)).toList();
        return new LinkFault(verb, node, links, struck, state);
    }

    /** What any of these sends to it. */
    public static Fault in(String verb, String node, List<String> others, Links links, LinkState state) {
        return new LinkFault(verb, node, links, to(node, others).toList(), state);
    }

    /** What it sends to any of these. */
    public static Fault out(String verb, String node, List<String> others, Links links, LinkState state) {
        return new LinkFault(verb, node, links, from(node, others).toList(), state);
    }

    private static Stream<Link> from(String node, List<String> others) {
        return others.stream().filter(other -> !other.equals(node)).map(other -> new Link(node, other));
    }

    private static Stream<Link> to(String node, List<String> others) {
        return others.stream().filter(other -> !other.equals(node)).map(other -> new Link(other, node));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() {
        before = links.counts(struck);
        links.add(struck, state);
    }

    /** Frames came by, and each thing that was to happen to some has happened. */
    @Override
    public boolean isInEffect() {
        return links.counts(struck).since(before).show(state);
    }

    @Override
    public void stop() {
        links.remove(struck, state);
    }
}
