package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.network.LinkCounts;
import io.seqsvr.chaos.network.LinkState;
import io.seqsvr.chaos.network.Links;
import io.seqsvr.chaos.network.Links.Link;
import io.seqsvr.chaos.process.LocalNode;
import java.util.List;
import java.util.stream.Stream;

/** Links of one node do what they should not. */
public final class LinkFault extends OfNode {
    private final Links links;
    private final List<Link> struck;
    private final LinkState state;
    private LinkCounts before = new LinkCounts(0, 0, 0, 0, 0);

    private LinkFault(String verb, LocalNode node, Links links, List<Link> struck, LinkState state) {
        super(verb, node);
        this.links = links;
        this.struck = List.copyOf(struck);
        this.state = state;
    }

    /** What it sends to any of these, and what they send to it. */
    public static Fault both(String verb, LocalNode node, List<String> others, Links links, LinkState state) {
        var struck = Stream.concat(from(node, others), to(node, others)).toList();
        return new LinkFault(verb, node, links, struck, state);
    }

    /** What any of these sends to it. */
    public static Fault in(String verb, LocalNode node, List<String> others, Links links, LinkState state) {
        return new LinkFault(verb, node, links, to(node, others).toList(), state);
    }

    /** What it sends to any of these. */
    public static Fault out(String verb, LocalNode node, List<String> others, Links links, LinkState state) {
        return new LinkFault(verb, node, links, from(node, others).toList(), state);
    }

    private static Stream<Link> from(LocalNode node, List<String> others) {
        return others.stream().filter(other -> !other.equals(node.name())).map(other -> new Link(node.name(), other));
    }

    private static Stream<Link> to(LocalNode node, List<String> others) {
        return others.stream().filter(other -> !other.equals(node.name())).map(other -> new Link(other, node.name()));
    }

    @Override
    public void start() {
        before = links.counts(struck);
        links.add(struck, state);
    }

    /** Frames came by, and were not carried as they should be. */
    @Override
    public boolean isInEffect() {
        return links.counts(struck).since(before).anyTouched();
    }

    @Override
    public void stop() {
        links.remove(struck, state);
    }
}
