package io.seqsvr.core.picture;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.route.RouteRange;
import java.util.List;

/**
 * What changed from one picture of a cluster to a newer one. All of it is absolute: it says how things are now, and not
 * by how much they moved. A complete picture is what changed since the empty one.
 *
 * @param clusterId the cluster of both
 * @param since version of the picture that this builds upon; 0 for the empty one
 * @param version version of the picture that comes of it
 * @param namespaces namespaces that changed, by id
 * @param owners owners that changed, by session
 * @param ranges how segments are owned now that changed hands, in order and without overlap; of owner 0 where nobody
 *     has them, and of epoch 0 where they were never assigned
 */
public record RouteChanges(
        String clusterId,
        long since,
        long version,
        Rows<Namespace> namespaces,
        Rows<RouteOwner> owners,
        List<RouteRange> ranges) {
    /** Keeps a copy. */
    public RouteChanges {
        ranges = List.copyOf(ranges);
    }

    /** What leads from one picture to another of the same cluster. */
    public static RouteChanges between(RoutePicture old, RoutePicture now) {
        return new RouteChanges(
                now.clusterId(),
                old.version(),
                now.version(),
                Rows.between(old.namespaces(), now.namespaces(), Namespace::id),
                Rows.between(old.owners(), now.owners(), RouteOwner::session),
                Ranges.between(old.routes().ranges(), now.routes().ranges()));
    }

    /** Whether it builds upon nothing, so that every caller can use it. */
    public boolean complete() {
        return since == 0;
    }

    /** These changes and those that build upon them, as one. */
    RouteChanges then(RouteChanges next) {
        if (next.since != version || !next.clusterId.equals(clusterId)) {
            throw new IllegalArgumentException("changes since version " + next.since + " of cluster " + next.clusterId
                    + " do not build upon version " + version + " of cluster " + clusterId);
        }
        return new RouteChanges(
                clusterId,
                since,
                next.version,
                namespaces.then(next.namespaces, Namespace::id),
                owners.then(next.owners, RouteOwner::session),
                Ranges.overlay(ranges, next.ranges));
    }

    /** How many things it tells of: about how large it is on the wire. */
    public int size() {
        return namespaces.size() + owners.size() + ranges.size();
    }
}
