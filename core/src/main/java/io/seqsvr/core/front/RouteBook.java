package io.seqsvr.core.front;

import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreView;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one caller of allocators knows of owners: the newest picture of the cluster, and the highest epoch that any
 * allocator has answered with, by segment.
 *
 * <p>Invariants: the picture never goes back. Epochs are learned from pictures and from allocators' answers, never from
 * requests. So one caller never goes back, even if an allocator's clocks fail: an answer of an older epoch than one
 * seen is not believed.
 */
public final class RouteBook {
    /** Refusals in a row, about one segment, after which the picture is taken for outdated. */
    private static final int REFUSALS_UNTIL_OUTDATED = 2;

    private final Guards guards;
    /** Epochs that allocators answered with before a picture showed them. */
    private final Map<SegmentId, Long> epochs = new HashMap<>();

    private Optional<StoreView> view = Optional.empty();
    /** Refusals in a row by who was taken for the owner of a segment. */
    private final Map<SegmentId, Integer> refusals = new HashMap<>();
    /** How often the picture had nobody to ask since it was taken in, where a newer one may have. */
    private int nobodyToAsk;

    /** Knows nothing yet. */
    public RouteBook() {
        this(Guards.ALL);
    }

    /** The same with guards taken away. */
    public RouteBook(Guards guards) {
        this.guards = guards;
    }

    /**
     * Takes in a picture, unless a newer one is known.
     *
     * @return whether it was taken in
     */
    public boolean learn(StoreView seen) {
        if (view.isPresent() && seen.version() < view.get().version()) {
            return false;
        }
        view = Optional.of(seen);
        refusals.clear();
        nobodyToAsk = 0;
        return true;
    }

    /** The newest picture, nothing before the first. */
    public Optional<StoreView> view() {
        return view;
    }

    /** Where a request goes, with the least epoch in which it may be answered. */
    public Routing.Target find(String namespaceName, long uid) {
        var target = Routing.find(view, namespaceName, uid);
        if (target instanceof Routing.Owner owner) {
            long known = epochs.getOrDefault(owner.segment(), 0L);
            return known <= owner.epoch() ? owner : new Routing.Owner(owner.address(), owner.segment(), known);
        }
        if (((Routing.Nobody) target).answer().refusal().passes()) {
            nobodyToAsk++;
        }
        return target;
    }

    /**
     * An allocator answered under an epoch.
     *
     * @return whether the answer may be believed: no newer epoch of the segment is known
     */
    public boolean believes(SegmentId segment, long epoch) {
        if (!refusals.isEmpty()) {
            refusals.remove(segment);
        }
        long known = known(segment);
        if (epoch < known) {
            return !guards.on(Guard.OLDER_EPOCH_IS_NOT_BELIEVED);
        }
        if (epoch > known) {
            epochs.put(segment, epoch);
        }
        return true;
    }

    private long known(SegmentId segment) {
        // No chain of Optionals: callers ask this for every answer.
        long answered = epochs.getOrDefault(segment, 0L);
        if (view.isEmpty()) {
            return answered;
        }
        var range = view.get().routes().find(segment.namespaceId(), segment.index());
        return range.isPresent() ? Math.max(range.get().epoch(), answered) : answered;
    }

    /** An allocator refused because it does not own the segment that the picture says it owns. */
    public void refused(SegmentId segment) {
        refusals.merge(segment, 1, Integer::sum);
    }

    /**
     * Whether a newer picture should be fetched, rather than waited for: who is shown as owner refuses, or nobody is
     * shown at all, again and again.
     */
    public boolean outdated() {
        return view.isEmpty()
                || nobodyToAsk >= REFUSALS_UNTIL_OUTDATED
                || (!refusals.isEmpty() && Collections.max(refusals.values()) >= REFUSALS_UNTIL_OUTDATED);
    }
}
