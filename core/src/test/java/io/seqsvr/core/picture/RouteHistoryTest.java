package io.seqsvr.core.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.Seed;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever version a caller has, what it is told brings it to the newest picture, and costs no more than that. */
class RouteHistoryTest {
    private static final int SEGMENTS = 1_000;

    private final RouteHistory history = new RouteHistory();

    /** A picture in which one owner has every second segment in epoch 1, and one segment in an epoch of its own. */
    private static RoutePicture withEpoch(long version, int segment, long epoch) {
        var ranges = new ArrayList<RouteRange>();
        for (int i = 0; i < SEGMENTS; i++) {
            ranges.add(new RouteRange(1, i, i, 1 + i % 2, i == segment ? epoch : 1));
        }
        return new RoutePicture(
                "cluster-1",
                version,
                List.of(),
                List.of(new RouteOwner(1, "a:1", "a"), new RouteOwner(2, "b:1", "b")),
                new RouteTable(version, ranges));
    }

    @Test
    void whoeverHasAPictureIsToldWhatMakesTheNewestOfIt() {
        Seed.announcedFor(RouteHistoryTest.class).run(random -> {
            var pictures = new RandomPictures(random);
            var seen = new ArrayList<RoutePicture>();
            seen.add(RoutePicture.empty(RandomPictures.CLUSTER));
            for (int version = 1; version <= 200; version++) {
                var newest = pictures.next(version * 3L);
                assertTrue(history.learn(newest));
                seen.add(newest);
                for (var had : seen.subList(Math.max(0, seen.size() - 80), seen.size())) {
                    var told = history.since(had.version());
                    var from = told.complete() ? seen.get(0) : had;
                    assertEquals(RandomPictures.contents(newest), RandomPictures.contents(from.after(told)));
                    assertTrue(told.size() <= newest.complete().size(), "no more than the complete picture");
                }
            }
        });
    }

    @Test
    void aSmallChangeOfALargePictureIsToldAloneAndComputedOnce() {
        history.learn(withEpoch(10, 5, 1));
        history.learn(withEpoch(20, 5, 2));
        history.learn(withEpoch(30, 5, 3));
        var told = history.since(10);
        assertEquals(List.of(new RouteRange(1, 5, 5, 2, 3)), told.ranges());
        assertEquals(10, told.since());
        assertEquals(30, told.version());
        assertSame(told, history.since(10), "a thousand watchers share it");
    }

    @Test
    void whoHasAVersionThatIsNotKnownGetsAll() {
        history.learn(withEpoch(10, 5, 1));
        history.learn(withEpoch(20, 5, 2));
        assertTrue(history.since(0).complete());
        assertTrue(history.since(15).complete(), "of another server, which saw what this one did not");
        assertTrue(history.since(9).complete());
        assertTrue(history.since(-1).complete(), "no version, whoever made it up");
    }

    @Test
    void whoHasTheNewestOrANewerOneIsToldThatThereIsNoNews() {
        history.learn(withEpoch(10, 5, 1));
        for (long has : new long[] {10, 11, Long.MAX_VALUE}) {
            var told = history.since(has);
            assertEquals(0, told.size());
            assertEquals(10, told.version());
            assertEquals(10, told.since());
        }
    }

    @Test
    void versionsThatAreLongPastAreForgotten() {
        for (int version = 1; version <= 70; version++) {
            history.learn(withEpoch(version, 5, version));
        }
        assertFalse(history.since(6).complete());
        assertTrue(history.since(5).complete());
    }

    @Test
    void changesThatAreLargeAreForgottenSooner() {
        for (int version = 1; version <= 40; version++) {
            var ranges = new ArrayList<RouteRange>();
            for (int i = 0; i < SEGMENTS; i++) {
                ranges.add(new RouteRange(1, i, i, 1, i < 900 ? version + i % 2 : 1 + i % 2));
            }
            history.learn(
                    new RoutePicture("cluster-1", version, List.of(), List.of(), new RouteTable(version, ranges)));
        }
        assertFalse(history.since(39).complete(), "900 of 1,000 segments");
        assertFalse(history.since(20).complete());
        assertTrue(history.since(10).complete(), "27,000 changes since");
    }

    @Test
    void anOlderPictureIsNotTakenInNorOneOfAnotherCluster() {
        assertTrue(history.learn(withEpoch(10, 5, 1)));
        assertFalse(history.learn(withEpoch(9, 5, 7)));
        assertFalse(history.learn(withEpoch(10, 5, 7)));
        assertEquals(10, history.newest().orElseThrow().version());
        var foreign = new RoutePicture("cluster-2", 11, List.of(), List.of(), RouteTable.EMPTY);
        assertThrows(IllegalArgumentException.class, () -> history.learn(foreign));
    }

    @Test
    void beforeTheFirstPictureNothingCanBeTold() {
        assertThrows(IllegalStateException.class, () -> history.since(0));
    }
}
