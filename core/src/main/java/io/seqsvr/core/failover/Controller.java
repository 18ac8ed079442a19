package io.seqsvr.core.failover;

import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The failover controller as a role: from each view of the cluster it makes the next PublishRoutes.
 *
 * <p>The compare-and-set of the table keeps the plans of several controllers from mixing; safety does not rest on this
 * class at all, as StoreSvr never takes a segment from a live session. After an unknown outcome it looks again before
 * it plans again. It also plans anew every ttl, whatever it has seen.
 */
public final class Controller {
    private @Nullable StoreView view;
    private long plannedVersion = -1;
    private boolean underWay;
    private @Nullable ClockReading plannedAt;

    /** Takes in what a watch saw; an older view than the last is ignored. */
    public void viewed(StoreView seen) {
        if (view == null || seen.version() >= view.version()) {
            view = seen;
        }
    }

    /** The outcome of the last plan, or nothing if it is unknown. */
    public void published(Optional<StoreReply> reply) {
        underWay = false;
        if (reply.isEmpty() && view != null) {
            // Unknown: no view that is at hand tells the outcome; the next one, or the next ttl, decides.
            plannedVersion = view.version();
        }
    }

    /**
     * The command to send now, if any; its outcome goes to {@link #published}.
     *
     * @param now for planning anew every ttl
     */
    public Optional<StoreCommand.PublishRoutes> plan(ClockReading now) {
        if (view == null || underWay || !due(view, now)) {
            return Optional.empty();
        }
        plannedVersion = view.version();
        plannedAt = now;
        var moves = AssignmentPlan.of(view, StoreCommand.MAX_SEGMENTS);
        if (moves.isEmpty()) {
            return Optional.empty();
        }
        underWay = true;
        return Optional.of(new StoreCommand.PublishRoutes(view.publishVersion(), moves));
    }

    private boolean due(StoreView seen, ClockReading now) {
        return seen.version() > plannedVersion
                || plannedAt == null
                || now.longestSince(plannedAt) >= seen.lease().ttlNanos();
    }
}
