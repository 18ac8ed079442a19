package io.seqsvr.client.routes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many callers that watch at three servers, of which one dies. */
@Timeout(60)
class RoutesWatchSpreadTest {
    private static final int WATCHES = 24;
    private static final RoutePicture PICTURE = new RoutePicture(
            "cluster-1", 10, List.of(Namespace.ofDefaults(1, "messages")), List.of(), RouteTable.EMPTY);

    private final List<FakeRoutesServer> servers =
            List.of(new FakeRoutesServer(), new FakeRoutesServer(), new FakeRoutesServer());
    private final List<RoutesWatch> watches = new ArrayList<>();

    @AfterEach
    void close() {
        watches.forEach(RoutesWatch::close);
        servers.forEach(FakeRoutesServer::close);
    }

    /** So many watch at these together, and are told something each: who hears nothing goes elsewhere. */
    private static int[] watchersOf(List<FakeRoutesServer> servers, int expected) {
        var counts = new int[servers.size()];
        long overAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (int all = 0; all < expected; ) {
            for (int i = 0; i < counts.length; i++) {
                while (!servers.get(i).nobodyWatches()) {
                    servers.get(i).next().tell(PICTURE.complete());
                    counts[i]++;
                    all++;
                }
            }
            assertTrue(System.nanoTime() - overAt < 0, "they do not come");
            Thread.onSpinWait();
        }
        return counts;
    }

    @Test
    void thoseWhoLoseOneServerGoToAllOfTheOthers() {
        var addresses = servers.stream().map(each -> each.address().toString()).toList();
        var random = new SplittableRandom(1);
        for (int i = 0; i < WATCHES; i++) {
            var watch = new RoutesWatch(addresses, picture -> {}, random.split());
            watches.add(watch);
            watch.start();
        }
        var before = watchersOf(servers, WATCHES);
        assertTrue(before[0] > 3, () -> "too few lose theirs: " + before[0]);
        servers.get(0).close();
        var gained = watchersOf(servers.subList(1, 3), before[0]);
        assertTrue(gained[0] > 0 && gained[1] > 0, () -> gained[0] + " and " + gained[1]);
    }
}
