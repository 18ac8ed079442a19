package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a run makes of a picture of the routes. */
final class OwnersTest {
    private static final List<RouteOwner> THREE = LongStream.rangeClosed(1, 3)
            .mapToObj(session -> new RouteOwner(session, "10.0.0." + session + ":7711", "alloc-" + session))
            .toList();

    /** Each of three owners has so many of the segments; the last number is of those that one who is gone has. */
    private static boolean haveTheirShares(int... owned) {
        return haveTheirSharesBut(0, owned);
    }

    /** The same, and the routes say nothing of some. */
    private static boolean haveTheirSharesBut(int absent, int... owned) {
        var ranges = new ArrayList<RouteRange>();
        int first = 0;
        for (int i = 0; i < owned.length; i++) {
            if (owned[i] > 0) {
                ranges.add(new RouteRange(1, first, first + owned[i] - 1, (i + 1) % 4, 1));
                first += owned[i];
            }
        }
        int segments = Math.max(1, first + absent);
        var namespace = new Namespace(1, "default", segments * 1_000L, 1_000, 100, 5, Long.MAX_VALUE);
        var picture = new RoutePicture("test", 1, List.of(namespace), THREE, new RouteTable(1, ranges));
        return new Owners("default", () -> Optional.of(picture)).haveTheirShares();
    }

    @Test
    void ownersHaveTheirSharesWhereARouterWouldLeaveThemAsTheyAre() {
        assertEquals(true, haveTheirShares(34, 33, 33));
        assertEquals(true, haveTheirShares(36, 32, 32));
        assertEquals(true, haveTheirShares(1, 1, 1));
        assertEquals(false, haveTheirShares(50, 50, 0), "one has just come back");
        assertEquals(false, haveTheirShares(50, 25, 25));
        assertEquals(false, haveTheirShares(33, 33, 0, 34), "one who is gone has some of them");
        assertEquals(false, haveTheirShares(25, 25, 25, 25), "though the rest is even");
        assertEquals(false, haveTheirSharesBut(1, 33, 33, 33), "nobody has one of them");
    }

    @Test
    void nothingIsKnownBeforeTheFirstPicture() {
        assertEquals(false, new Owners("default", Optional::empty).haveTheirShares());
    }
}
