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
            // Half a cut is none, even if all but one call were cut.
            return !links.leak(of) && links.counts(of).since(before).show(state);
        }
    }

    /** Each of these has to show it by itself. */
    private LinkFault(String verb, String node, Links links, LinkState state, List<List<Link>> each) {
        this.name = verb + " " + node;
        this.links = links;
        this.state = state;
        this.struck = each.stream().flatMap(List::stream).toList();
        this.shown = each.stream().map(Shown::new).toList();
    }

    /** What it sends to any of these, and what they send to it; that one of both shows it is enough. */
    public static Fault both(String verb, String node, List<String> others, Links links, LinkState state) {
        var all = Stream.concat(from(node, others), to(node, others)).toList();
        return new LinkFault(verb, node, links, state, List.of(all));
    }

    /**
     * The same, and both have to show it: half a cut is another fault. For a node to which the others speak by
     * themselves; from one that only answers nothing comes when it is asked nothing.
     */
    public static Fault eachWay(String verb, String node, List<String> others, Links links, LinkState state) {
        var ways = List.of(from(node, others).toList(), to(node, others).toList());
        return new LinkFault(verb, node, links, state, ways);
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
