package io.seqsvr.chaos.live;

import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import java.util.HashMap;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who owns the users of a namespace.
 *
 * @param namespace its name
 * @param newest the newest picture of the routes, if there is any
 */
record Owners(String namespace, Supplier<Optional<RoutePicture>> newest) {
    /** Under what the routes name the owner of a user, if they tell one. */
    Optional<String> addressOf(long uid) {
        return newest.get()
                .flatMap(picture -> picture.namespace(namespace)
                        .flatMap(known -> picture.routes().find(known.id(), known.segmentOf(uid)))
                        .flatMap(range -> picture.addressOf(range.owner())));
    }

    /**
     * Whether each AllocSvr has about its share of all segments, by the newest picture: a tenth more or less, or one.
     * Routers leave no greater difference, though they may still change who has which. And whether somebody has each
     * segment of the namespace: else its users are served by nobody, however even the rest is.
     */
    boolean haveTheirShares() {
        return newest.get()
                .filter(Owners::haveTheirShares)
                .filter(this::hasEachSegment)
                .isPresent();
    }

    private boolean hasEachSegment(RoutePicture picture) {
        return picture.namespace(namespace)
                .filter(known -> picture.routes().ranges().stream()
                                .filter(range -> range.namespaceId() == known.id())
                                .filter(range ->
                                        picture.addressOf(range.owner()).isPresent())
                                .mapToInt(RouteRange::size)
                                .sum()
                        == known.segmentCount())
                .isPresent();
    }

    private static boolean haveTheirShares(RoutePicture picture) {
        var owned = new HashMap<Long, Integer>();
        picture.owners().forEach(owner -> owned.put(owner.session(), 0));
        picture.routes().ranges().forEach(range -> owned.merge(range.owner(), range.size(), Integer::sum));
        int total = owned.values().stream().mapToInt(segments -> segments).sum();
        int share = total / owned.size();
        int most = share + 1 + Math.max(1, share / 10);
        return owned.values().stream().allMatch(segments -> segments <= most && 2 * share - segments <= most);
    }
}
