package io.seqsvr.core.picture;

import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Pictures that somebody made up: few segments, owners and epochs, so that two of them agree here and there. */
final class RandomPictures {
    static final String CLUSTER = "cluster-1";

    private final SplittableRandom random;

    RandomPictures(SplittableRandom random) {
        this.random = random;
    }

    RoutePicture next(long version) {
        var namespaces = new ArrayList<Namespace>();
        var owners = new ArrayList<RouteOwner>();
        var ranges = new RouteTable.Builder();
        for (int session = 1; session <= 4; session++) {
            if (random.nextBoolean()) {
                owners.add(new RouteOwner(session, "host-" + random.nextInt(3) + ":1", "alloc-" + session));
            }
        }
        for (int id = 1; id <= 3; id++) {
            if (random.nextBoolean()) {
                namespaces.add(namespace(id));
            }
            for (int first = random.nextInt(4); first < 20; ) {
                int last = Math.min(19, first + random.nextInt(6));
                ranges.add(new RouteRange(id, first, last, random.nextInt(5), 1 + random.nextInt(3)));
                first = last + 1 + (random.nextInt(3) == 0 ? random.nextInt(4) : 0);
            }
        }
        return new RoutePicture(CLUSTER, version, namespaces, owners, ranges.build(version));
    }

    private Namespace namespace(int id) {
        return new Namespace(
                id,
                "namespace-" + id,
                200,
                10,
                id == 1 ? Keying.HASHED : Keying.DIRECT,
                random.nextBoolean() ? Order.LEASE : Order.QUORUM,
                1 + random.nextInt(2),
                1_000,
                0,
                Long.MAX_VALUE);
    }

    /** All that a picture says, in a form that can be compared. */
    static List<Object> contents(RoutePicture picture) {
        return List.of(
                picture.clusterId(),
                picture.version(),
                picture.routes().version(),
                picture.namespaces(),
                picture.owners(),
                picture.routes().ranges());
    }
}
