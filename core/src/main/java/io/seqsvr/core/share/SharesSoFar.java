package io.seqsvr.core.share;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * How many segments each of some owners has, of those that were counted so far: segment by segment of one namespace
 * after the other. Others than these count for nobody.
 */
public final class SharesSoFar {
    /** Of the namespace at hand first; where that is equal, of all; and then those that came first. */
    private static final Comparator<Share> LEAST_FIRST = Comparator.<Share>comparingLong(share -> share.ofNamespace)
            .thenComparingLong(share -> share.ofAll)
            .thenComparingLong(share -> share.owner);

    private final Map<Long, Share> byOwner = new HashMap<>();
    private final TreeSet<Share> order = new TreeSet<>(LEAST_FIRST);

    private static final class Share {
        final long owner;
        long ofNamespace;
        long ofAll;

        Share(long owner) {
            this.owner = owner;
        }
    }

    /** Of these, none of whom has anything yet. */
    public SharesSoFar(Collection<Long> owners) {
        for (long owner : owners) {
            byOwner.put(owner, new Share(owner));
        }
        order.addAll(byOwner.values());
    }

    /** What is counted from now on is of another namespace. */
    public void beginNamespace() {
        order.clear();
        for (var share : byOwner.values()) {
            share.ofNamespace = 0;
        }
        order.addAll(byOwner.values());
    }

    /** How many owners there are. */
    public int owners() {
        return byOwner.size();
    }

    /** Counts segments of an owner. */
    public void count(long owner, long segments) {
        var share = byOwner.get(owner);
        if (share == null) {
            return;
        }
        order.remove(share);
        share.ofNamespace += segments;
        share.ofAll += segments;
        order.add(share);
    }

    /**
     * Who has least so far, and so gets what comes next.
     *
     * @throws java.util.NoSuchElementException if there are no owners
     */
    public long least() {
        return order.first().owner;
    }

    /**
     * Whether an owner has so much more than who has least that it should not have what comes next too.
     *
     * @param ofNamespace segments of the namespace that lie before
     * @param ofAll all segments that lie before
     */
    public boolean isAhead(long owner, long ofNamespace, long ofAll) {
        var share = byOwner.get(owner);
        if (share == null) {
            return false;
        }
        var least = order.first();
        return share.ofNamespace > least.ofNamespace + Stripes.tolerance(ofNamespace, owners())
                || share.ofAll > least.ofAll + Stripes.tolerance(ofAll, owners());
    }
}
