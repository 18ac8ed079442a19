package io.seqsvr.chaos.network;

import java.util.List;

/**
 * What faults do to the links between hosts, several to one link at times: then the worst of each. Use it from one
 * thread.
 */
public interface Links {
    /**
     * One direction between two hosts.
     *
     * @param from who sends
     * @param to who receives
     */
    record Link(String from, String to) {}

    /** All hosts but this one, this JVM's own among them. */
    List<String> others(String host);

    /** From now on these links do this too. */
    void add(List<Link> links, LinkState state);

    /** It is over. */
    void remove(List<Link> links, LinkState state);

    /** What these links have done so far, all together. */
    LinkCounts counts(List<Link> links);

    /** Whether somebody goes by on one of these links, now, whom nobody can name, and to whom nothing is done there. */
    default boolean leak(List<Link> links) {
        return false;
    }
}
