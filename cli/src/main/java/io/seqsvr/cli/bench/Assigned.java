package io.seqsvr.cli.bench;

import io.seqsvr.core.failover.AssignmentPlan;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreReply.ClaimedSegment;
import io.seqsvr.core.store.StoreView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * All segments, given to one session.
 *
 * @param session their owner
 * @param segments with their epochs, as claimed
 * @param plans how many commands gave them
 * @param nanos from the first look at the cluster to the answer to the last of these commands
 */
record Assigned(long session, List<ClaimedSegment> segments, int plans, long nanos) {
    private static final Duration HOLD = Duration.ofSeconds(5);

    /** Gives all of them away as a router's controller does: a plan from each view that shows the plan before. */
    static Assigned all(StoreLine line, long session) throws MeasuringFailed {
        long start = System.nanoTime();
        long lastAccepted = start;
        int plans = 0;
        var view = newer(line, 0);
        while (true) {
            var moves = AssignmentPlan.of(view, StoreCommand.MAX_SEGMENTS);
            if (moves.isEmpty() && view.session(session).isPresent()) {
                break;
            }
            if (!moves.isEmpty()) {
                var publish = new StoreCommand.PublishRoutes(view.publishVersion(), moves);
                // Refused is what a repeat of an accepted one is, too: the next view tells.
                if (line.execute("a plan", publish) instanceof StoreReply.RoutesPublished) {
                    plans++;
                    lastAccepted = System.nanoTime();
                }
            }
            view = newer(line, view.version());
        }
        return new Assigned(session, claimed(line, session), plans, lastAccepted - start);
    }

    private static StoreView newer(StoreLine line, long version) throws MeasuringFailed {
        while (true) {
            var view = line.insist("a view", () -> line.client().watch(version, HOLD));
            if (view.isPresent()) {
                return view.get();
            }
        }
    }

    private static List<ClaimedSegment> claimed(StoreLine line, long session) throws MeasuringFailed {
        var segments = new ArrayList<ClaimedSegment>(BenchPlan.SEGMENTS);
        long since = 0;
        while (true) {
            var reply = line.execute("a claim", new StoreCommand.Claim(session, since));
            if (!(reply instanceof StoreReply.Claimed claimed)) {
                throw new MeasuringFailed("a claim was answered with " + reply);
            }
            segments.addAll(claimed.segments());
            if (!claimed.more()) {
                break;
            }
            since = claimed.through();
        }
        if (segments.size() != BenchPlan.SEGMENTS) {
            throw new MeasuringFailed("the session owns " + segments.size() + " segments, not " + BenchPlan.SEGMENTS);
        }
        return List.copyOf(segments);
    }
}
