package io.seqsvr.core.front;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.guard.Guard;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.Picture;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one caller of allocators knows of owners: the newest picture of the cluster, and the highest epoch that any
 * allocator has answered with, by segment. Names, sessions and ranges are looked up once per picture and segment.
 *
 * <p>Invariants: the picture never goes back. Epochs are learned from pictures and from allocators' answers, never from
 * requests. So one caller never goes back, even if an allocator's clocks fail: an answer of an older epoch than was
 * known when it was asked for is not believed. What is learned while it is on its way says nothing against it: it is
 * the answer of whoever was the owner then, and its number would be lost.
 */
public final class RouteBook {
    /** Refusals in a row, or attempts in vain, about one segment, that speak against the picture. */
    private static final int REFUSALS_UNTIL_OUTDATED = 2;

    private final Guards guards;
    private final Map<SegmentId, SegmentRoute> routes = new HashMap<>();
    private final Map<Integer, NamespaceRoutes> namespacesById = new HashMap<>();
    private final Map<String, NamespaceRoutes> namespaces = new HashMap<>();
    /** The one that was asked for last. */
    private @Nullable NamespaceRoutes last;

    private @Nullable String lastName;

    private Optional<Picture> picture = Optional.empty();
    /** Counts the pictures that were taken in. */
    private long pictureNumber;
    /** Those with refusals in a row, or attempts in vain. */
    private final Set<SegmentRoute> refusing = new HashSet<>();
    /** How many of these have so many refusals, and so many attempts in vain, that they speak against the picture. */
    private int refused;

    private int silent;

    private long disbelieved;
    /** Counts the passes over the columns of frames, see {@link SegmentRoute#note}. */
    private long passes;
    /** How often the picture had nobody to ask since it was taken in, where a newer one may have. */
    private int nobodyToAsk;
    /** Whether a namespace was asked for, since the picture was taken in, that it does not show. */
    private boolean nameMissed;

    /** Knows nothing yet. */
    public RouteBook() {
        this(Guards.ALL);
    }

    /** For the simulator: with {@code guards} in place of all of them. */
    public RouteBook(Guards guards) {
        this.guards = guards;
    }

    /**
     * Takes in a picture, unless a newer one is known.
     *
     * @return whether it was taken in
     */
    public boolean learn(Picture seen) {
        if (picture.isPresent() && seen.version() < picture.get().version()) {
            return false;
        }
        // Who fetches one is often given the one that it has: what was looked up in it stays.
        if (picture.isEmpty() || seen != picture.get()) {
            takeIn(seen);
        }
        refusing.forEach(this::forgive);
        refusing.clear();
        nobodyToAsk = 0;
        nameMissed = false;
        return true;
    }

    private void takeIn(Picture seen) {
        picture = Optional.of(seen);
        pictureNumber++;
        namespaces.clear();
        last = null;
        for (var namespace : seen.namespaces()) {
            var known = namespacesById.get(namespace.id());
            if (known == null) {
                known = new NamespaceRoutes(namespace);
                namespacesById.put(namespace.id(), known);
            }
            known.namespace(namespace);
            namespaces.put(namespace.name(), known);
        }
    }

    /** The newest picture, nothing before the first. */
    public Optional<Picture> picture() {
        return picture;
    }

    /** Where a request goes, with the least epoch in which it may be answered. */
    public Routing.Target find(String namespaceName, long uid) {
        var route = routeOf(namespaceName, uid);
        return route == null ? nobody(namespaceName, uid) : find(route);
    }

    /** What is known of a user's segment; null if there is no such user, as far as is known. */
    @Nullable
    SegmentRoute routeOf(String namespaceName, long uid) {
        if (last == null || !namespaceName.equals(lastName)) {
            last = namespaces.get(namespaceName);
            lastName = namespaceName;
        }
        var known = last;
        if (known == null || !known.namespace().holds(uid)) {
            return null;
        }
        return route(known, known.namespace().segmentOf(uid));
    }

    /** Whether there is an owner to ask about a user, and nothing speaks against it. */
    boolean answers(String namespaceName, long uid) {
        var route = routeOf(namespaceName, uid);
        return route != null && look(route) instanceof Routing.Owner && route.refusals() == 0 && route.unreached() == 0;
    }

    private SegmentRoute route(NamespaceRoutes known, int segment) {
        var route = known.get(segment);
        if (route == null) {
            route = route(new SegmentId(known.namespace().id(), segment));
            known.put(route);
        }
        return route;
    }

    private SegmentRoute route(SegmentId segment) {
        return routes.computeIfAbsent(segment, SegmentRoute::new);
    }

    /** Where a request for a user of this segment goes; counts if there is nobody to ask. */
    Routing.Target find(SegmentRoute route) {
        var target = look(route);
        if (target instanceof Routing.Nobody) {
            nobodyToAsk++;
        }
        return target;
    }

    /** Where a request for a user of this segment would go; unlike {@code find} it counts nothing. */
    Routing.Target look(SegmentRoute route) {
        lookUp(route);
        return route.target();
    }

    private void lookUp(SegmentRoute route) {
        if (route.isOf(pictureNumber) || picture.isEmpty()) {
            return;
        }
        var known = namespacesById.get(route.id().namespaceId());
        if (known != null) {
            route.lookUp(pictureNumber, picture.get(), known.namespace());
        }
    }

    /** What is known of a segment of a namespace, by its number there; null if it has no such segment. */
    @Nullable
    SegmentRoute segmentOf(String namespaceName, int segment) {
        var known = namespaces.get(namespaceName);
        if (known == null || segment < 0 || segment >= known.namespace().segmentCount()) {
            return null;
        }
        return route(known, segment);
    }

    /** Whether an owner confirms each frame of a namespace through StoreSvr's log, as far as is known. */
    boolean throughLog(String namespaceName) {
        var known = namespaces.get(namespaceName);
        return known != null && known.namespace().order() == Order.QUORUM;
    }

    /** The number of a user's segment in its namespace; -1 if there is no such user, as far as is known. */
    public int segmentIndex(String namespaceName, long uid) {
        var route = routeOf(namespaceName, uid);
        return route == null ? -1 : route.id().index();
    }

    /** A pass in which nothing was noted of any segment. */
    long nextPass() {
        return ++passes;
    }

    /** Why there is nobody to ask about a user of no segment. */
    private Routing.Nobody nobody(String namespaceName, long uid) {
        if (picture.isEmpty()) {
            nobodyToAsk++;
            return Routing.nobodyYet();
        }
        var known = namespaces.get(namespaceName);
        nameMissed |= known == null;
        return new Routing.Nobody(
                known == null
                        ? Answer.Refused.namespaceUnknown(namespaceName)
                        : Answer.Refused.uidOutOfRange(known.namespace(), uid));
    }

    /**
     * An allocator answered under an epoch.
     *
     * @param known the newest epoch of the segment that was known when the allocator was asked
     * @return whether the answer may be believed: its epoch is no older
     */
    boolean believes(SegmentRoute route, long epoch, long known) {
        if (route.refusals() > 0 || route.unreached() > 0) {
            forgive(route);
            refusing.remove(route);
        }
        lookUp(route);
        if (epoch < known) {
            disbelieved++;
            return !guards.on(Guard.OLDER_EPOCH_IS_NOT_BELIEVED);
        }
        if (epoch > route.epoch()) {
            route.learn(epoch);
        }
        return true;
    }

    private void forgive(SegmentRoute route) {
        refused -= route.refusals() >= REFUSALS_UNTIL_OUTDATED ? 1 : 0;
        silent -= route.unreached() >= REFUSALS_UNTIL_OUTDATED ? 1 : 0;
        route.refusals(0);
        route.unreached(0);
    }

    /** Answers so far of an older epoch than was known when they were asked for. */
    public long disbelieved() {
        return disbelieved;
    }

    /** An allocator refused because it does not own the segment that the picture says it owns. */
    public void refused(SegmentId segment) {
        var route = route(segment);
        route.refusals(route.refusals() + 1);
        refused += route.refusals() == REFUSALS_UNTIL_OUTDATED ? 1 : 0;
        refusing.add(route);
    }

    /**
     * Whoever the picture says owns a segment cannot be reached, says nothing, or may not answer without StoreSvr:
     * another one may own it by now, and whoever shows the picture may not know.
     */
    void unreached(SegmentId segment) {
        var route = route(segment);
        route.unreached(route.unreached() + 1);
        silent += route.unreached() == REFUSALS_UNTIL_OUTDATED ? 1 : 0;
        refusing.add(route);
    }

    /**
     * Whether a newer picture should be fetched, rather than waited for: who is shown as owner refuses, or nobody is
     * shown at all, again and again.
     */
    public boolean outdated() {
        return picture.isEmpty() || nobodyToAsk >= REFUSALS_UNTIL_OUTDATED || refused > 0;
    }

    /**
     * Whether a newer picture may be had elsewhere: this one is outdated, or who is shown as owner cannot be reached,
     * says nothing or may not answer, again and again. Until another one is planned, that is so wherever an owner has
     * died. Or it {@linkplain #missesName misses a name}.
     */
    public boolean doubtful() {
        return outdated() || silent > 0 || nameMissed;
    }

    /**
     * Whether somebody asked for a namespace that the picture does not show: one that does not exist, or one that is
     * younger than what whoever shows the picture knows.
     */
    public boolean missesName() {
        return nameMissed;
    }
}
