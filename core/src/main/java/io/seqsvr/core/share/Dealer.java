package io.seqsvr.core.share;

import io.seqsvr.core.route.RouteRange;
import java.util.Collection;
import java.util.List;

/** Deals segments out, in their order, each part to whoever has least of what lies before it. */
public final class Dealer {
    private final List<RouteRange> ranges;
    private final SharesSoFar shares;
    private int namespaceId = Integer.MIN_VALUE;
    /** The first range that was not counted as a whole. */
    private int at;
    /** All of the namespace before that segment was counted. */
    private int counted;

    /**
     * Of segments to some receivers.
     *
     * @param ranges who owns what, in order; what is dealt counts for whom it is dealt to
     * @param receivers sessions, at least one
     */
    public Dealer(List<RouteRange> ranges, Collection<Long> receivers) {
        this.ranges = ranges;
        this.shares = new SharesSoFar(receivers);
    }

    /** The last segment that goes with this one, unless there is something between. */
    public int end(int segment) {
        return Stripes.end(segment, shares.owners());
    }

    /**
     * Deals neighbouring segments, which lie behind all that were dealt before.
     *
     * @return session of the receiver
     */
    public long deal(int ofNamespace, int first, int last) {
        countUntil(ofNamespace, first);
        long receiver = shares.least();
        shares.count(receiver, last - first + 1L);
        counted = last + 1;
        return receiver;
    }

    private void countUntil(int ofNamespace, int segment) {
        while (at < ranges.size() && ranges.get(at).namespaceId() < ofNamespace) {
            count(ranges.get(at), Integer.MAX_VALUE);
            at++;
        }
        begin(ofNamespace);
        while (at < ranges.size()
                && ranges.get(at).namespaceId() == ofNamespace
                && ranges.get(at).last() < segment) {
            count(ranges.get(at), Integer.MAX_VALUE);
            at++;
        }
        if (at < ranges.size() && ranges.get(at).namespaceId() == ofNamespace) {
            count(ranges.get(at), segment - 1);
        }
        counted = Math.max(counted, segment);
    }

    private void begin(int ofNamespace) {
        if (namespaceId != ofNamespace) {
            namespaceId = ofNamespace;
            counted = 0;
            shares.beginNamespace();
        }
    }

    /** What of a range was not counted yet, as far as that segment. */
    private void count(RouteRange range, int last) {
        begin(range.namespaceId());
        long size = Math.min(range.last(), last) - Math.max(range.first(), counted) + 1L;
        if (size > 0) {
            shares.count(range.owner(), size);
        }
    }
}
