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
    /** What has to show each by itself. */
    private final List<Shown> shown;

    private final LinkState state;

    /** Links of which it is enough that one shows it. */
    private final class Shown {
        private final List<Link> of;
        private LinkCounts before = LinkCounts.NONE;

        private Shown(List<Link> of) {
            this.of = of;
        }

        private boolean isInEffect() {
            return links.counts(of).since(before).show(state);
        }
    }

    /** One or both directions. What carries nothing has to be seen in each: half a cut is another fault. */
    private LinkFault(String verb, String node, Links links, LinkState state, List<List<Link>> directions) {
        this.name = verb + " " + node;
        this.links = links;
        this.state = state;
        this.struck = directions.stream().flatMap(List::stream).toList();
        this.shown = (state.equals(LinkState.CUT) ? directions : List.of(struck))
                .stream().map(Shown::new).toList();
    }

    /** What it sends to any of these, and what they send to it. */
    public static Fault both(String verb, String node, List<String> others, Links links, LinkState state) {
        var directions = List.of(from(node, others).toList(), to(node, others).toList());
        return new LinkFault(verb, node, links, state, directions);
    }

    /** What any of these sends to it. */
    public static Fault in(String verb, String node, List<String> others, Links links, LinkState state) {
        return new LinkFault(verb, node, links, state, List.of(to(node, others).toList()));
    }

    /** What it sends to any of these. */
    public static Fault out(String verb, String node, List<String> others, Links links, LinkState state) {
        return new LinkFault(
                verb, node, links, state, List.of(from(node, others).toList()));
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
        shown.forEach(one -> one.before = links.counts(one.of));
        links.add(struck, state);
    }

    /** Frames came by, and each thing that was to happen to some has happened. */
    @Override
    public boolean isInEffect() {
        return shown.stream().allMatch(Shown::isInEffect);
    }

    @Override
    public void stop() {
        links.remove(struck, state);
    }
}
