package io.seqsvr.core.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.Seed;
import io.seqsvr.core.picture.FollowedRoutes.Outcome;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A caller that goes from server to server, some of them behind, some of them foreign. */
class FollowedRoutesTest {
    private final RandomPictures pictures = new RandomPictures(new SplittableRandom(7));
    private final RoutePicture one = pictures.next(10);
    private final RoutePicture two = pictures.next(20);
    private final RoutePicture three = pictures.next(30);
    private final FollowedRoutes followed = new FollowedRoutes();

    private void assertHas(RoutePicture picture) {
        assertEquals(
                RandomPictures.contents(picture),
                RandomPictures.contents(followed.picture().orElseThrow()));
        assertEquals(picture.version(), followed.version());
    }

    @Test
    void aPictureGrowsByWhatChanged() {
        assertEquals(0, followed.version());
        assertEquals("", followed.clusterId());
        assertEquals(Outcome.NEWER, followed.take(one.complete()));
        assertHas(one);
        assertEquals(Outcome.NEWER, followed.take(RouteChanges.between(one, two)));
        assertHas(two);
        assertEquals(RandomPictures.CLUSTER, followed.clusterId());
    }

    @Test
    void aServerThatIsBehindTakesNobodyBack() {
        followed.take(two.complete());
        assertEquals(Outcome.NOTHING_NEW, followed.take(one.complete()));
        assertEquals(Outcome.NOTHING_NEW, followed.take(RouteChanges.between(one, one)));
        assertEquals(Outcome.NOTHING_NEW, followed.take(RouteChanges.between(two, two)), "a sign of life");
        assertHas(two);
    }

    @Test
    void changesThatBuildUponAnotherVersionAreNotApplied() {
        assertEquals(Outcome.MISSED, followed.take(RouteChanges.between(two, three)));
        assertEquals(0, followed.version());
        followed.take(one.complete());
        assertEquals(Outcome.MISSED, followed.take(RouteChanges.between(two, three)));
        assertHas(one);
        assertEquals(Outcome.NEWER, followed.take(three.complete()));
        assertHas(three);
    }

    @Test
    void anotherClusterIsNotBelieved() {
        followed.take(one.complete());
        var foreign = new RoutePicture("cluster-2", 99, two.namespaces(), two.owners(), two.routes());
        assertEquals(Outcome.OTHER_CLUSTER, followed.take(foreign.complete()));
        assertHas(one);
    }

    /** Messages of several servers' streams, lost and doubled and out of order, never make a wrong picture. */
    @Test
    void whateverComesThePictureIsOneThatThereWas() {
        Seed.announcedFor(FollowedRoutesTest.class).run(random -> {
            var drawn = new RandomPictures(random);
            var all = new RoutePicture[30];
            for (int i = 0; i < all.length; i++) {
                all[i] = drawn.next(i + 1);
            }
            for (int story = 0; story < 300; story++) {
                var caller = new FollowedRoutes();
                long before = 0;
                for (int told = 0; told < 60; told++) {
                    var now = all[random.nextInt(all.length)];
                    var from = all[random.nextInt((int) now.version())];
                    caller.take(random.nextInt(4) == 0 ? now.complete() : RouteChanges.between(from, now));
                    if (caller.picture().isPresent()) {
                        var has = caller.picture().get();
                        assertEquals(
                                RandomPictures.contents(all[(int) has.version() - 1]), RandomPictures.contents(has));
                        assertEquals(true, has.version() >= before, "it never goes back");
                        before = has.version();
                    }
                }
            }
        });
    }
}
