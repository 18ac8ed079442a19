package io.seqsvr.core.picture;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The newest picture that a server has, and how the last ones led to it: what callers are answered with who have one
 * of these. Keeps the changes and not the pictures, as a picture of a large cluster takes megabytes.
 *
 * <p>Invariants: the picture never goes back. What is told since a version, applied to the picture of that version,
 * gives the newest picture, and is never larger than that.
 */
public final class RouteHistory {
    private static final int MOST_VERSIONS = 64;
    /** Things told of in all kept changes together: about a megabyte. */
    private static final int MOST_KEPT = 20_000;

    /** Each builds upon the one before it. */
    private final Deque<RouteChanges> steps = new ArrayDeque<>();
    /** What was told of the newest picture, by the version that was asked about: many callers ask about the same. */
    private final Map<Long, RouteChanges> told = new HashMap<>();

    private Optional<RoutePicture> newest = Optional.empty();
    private int kept;

    /** The newest picture; nothing before the first. */
    public Optional<RoutePicture> newest() {
        return newest;
    }

    /**
     * Takes in a picture, unless it is older than the newest or the same.
     *
     * @return whether it was taken in
     * @throws IllegalArgumentException if it is of another cluster
     */
    public boolean learn(RoutePicture picture) {
        var last = newest.orElse(RoutePicture.empty(picture.clusterId()));
        if (!last.clusterId().equals(picture.clusterId())) {
            throw new IllegalArgumentException(
                    "a picture of cluster " + picture.clusterId() + " after one of " + last.clusterId());
        }
        if (picture.version() <= last.version()) {
            return false;
        }
        keep(RouteChanges.between(last, picture));
        newest = Optional.of(picture);
        told.clear();
        return true;
    }

    private void keep(RouteChanges step) {
        steps.addLast(step);
        kept += step.size();
        while (steps.size() > MOST_VERSIONS || (kept > MOST_KEPT && !steps.isEmpty())) {
            kept -= steps.removeFirst().size();
        }
    }

    /**
     * What the owner of a picture must be told to have the newest.
     *
     * @param version of the picture that is there, 0 for none
     * @return changes since that version if they are known and fewer than all, else the complete picture; no changes,
     *     since the newest version, where the other one is not older
     * @throws IllegalStateException before the first picture
     */
    public RouteChanges since(long version) {
        var picture = newest.orElseThrow(() -> new IllegalStateException("no picture was taken in yet"));
        if (version >= picture.version()) {
            return told.computeIfAbsent(picture.version(), same -> RouteChanges.between(picture, picture));
        }
        var known = told.get(version);
        if (known != null) {
            return known;
        }
        var complete = told.computeIfAbsent(0L, all -> picture.complete());
        var changes = joined(version).filter(some -> some.size() < complete.size());
        // Only versions that are known are remembered: callers may name any.
        changes.ifPresent(some -> told.put(version, some));
        return changes.orElse(complete);
    }

    private Optional<RouteChanges> joined(long version) {
        Optional<RouteChanges> joined = Optional.empty();
        for (var step : steps) {
            if (joined.isPresent()) {
                joined = Optional.of(joined.get().then(step));
            } else if (step.since() == version && version != 0) {
                joined = Optional.of(step);
            }
        }
        return joined;
    }
}
