package io.seqsvr.core.picture;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.route.Picture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who owns what in a cluster at one version, as far as callers need to know. A wrong or old one costs a refusal, never
 * a wrong number: authority is at the allocator only.
 *
 * @param clusterId the cluster
 * @param version stamp of the newest change in it: never goes back, never names two contents; 0 if empty
 * @param namespaces all namespaces, by id
 * @param owners allocators with an open session, oldest first
 * @param routes who has which segments, under the picture's version; of owner 0 where nobody has them now
 */
public record RoutePicture(
        String clusterId, long version, List<Namespace> namespaces, List<RouteOwner> owners, RouteTable routes)
        implements Picture {
    /** Keeps copies. */
    public RoutePicture {
        namespaces = List.copyOf(namespaces);
        owners = List.copyOf(owners);
    }

    /** The empty picture, which all complete ones build upon. */
    public static RoutePicture empty(String clusterId) {
        return new RoutePicture(clusterId, 0, List.of(), List.of(), RouteTable.EMPTY);
    }

    /** What callers may see of a view. */
    public static RoutePicture of(String clusterId, StoreView view) {
        var owners = new ArrayList<RouteOwner>();
        var sessions = new HashSet<Long>();
        for (var member : view.sessions()) {
            if (member.kind() == SessionKind.ALLOCATOR) {
                owners.add(new RouteOwner(member.id(), member.address(), member.name()));
                sessions.add(member.id());
            }
        }
        var ranges = Ranges.overlay(withoutOwners(view.routes(), sessions), withoutOwners(view.released(), Set.of()));
        return new RoutePicture(
                clusterId, view.version(), view.namespaces(), owners, new RouteTable(view.version(), ranges));
    }

    /** The ranges of a table, of owner 0 unless their owner is one of these. */
    private static List<RouteRange> withoutOwners(RouteTable table, Set<Long> living) {
        var ranges = new ArrayList<RouteRange>(table.ranges().size());
        for (var range : table.ranges()) {
            ranges.add(
                    living.contains(range.owner())
                            ? range
                            : new RouteRange(range.namespaceId(), range.first(), range.last(), 0, range.epoch()));
        }
        return ranges;
    }

    /** All of it as changes, which build upon the empty picture. */
    public RouteChanges complete() {
        return RouteChanges.between(empty(clusterId), this);
    }

    /**
     * The picture after changes that build upon this one.
     *
     * @throws IllegalArgumentException if they build upon another version, or are of another cluster
     */
    public RoutePicture after(RouteChanges changes) {
        var all = complete().then(changes);
        return new RoutePicture(
                clusterId,
                all.version(),
                all.namespaces().put(),
                all.owners().put(),
                new RouteTable(all.version(), Ranges.assigned(all.ranges())));
    }

    /**
     * The picture after what somebody told in passing, of whom nothing else is known: nothing if that is of another
     * cluster, is not newer, or builds upon another version.
     *
     * @throws IllegalArgumentException if it makes no picture: ranges overlap, or are out of order
     */
    public Optional<RoutePicture> afterHearsay(RouteChanges told) {
        if (!told.clusterId().equals(clusterId) || told.version() <= version) {
            return Optional.empty();
        }
        if (told.complete()) {
            return Optional.of(empty(clusterId).after(told));
        }
        return told.since() == version ? Optional.of(after(told)) : Optional.empty();
    }

    /** A namespace by name. */
    public Optional<Namespace> namespace(String name) {
        return namespaces.stream()
                .filter(namespace -> namespace.name().equals(name))
                .findFirst();
    }

    @Override
    public Optional<String> addressOf(long session) {
        return owner(session).map(RouteOwner::address);
    }

    /** An owner by its session. */
    public Optional<RouteOwner> owner(long session) {
        return owners.stream().filter(owner -> owner.session() == session).findFirst();
    }
}
