package io.seqsvr.core.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What somebody tells in passing, who may be behind, ahead, or of another cluster. */
class RoutePictureTest {
    private final RandomPictures pictures = new RandomPictures(new SplittableRandom(7));
    private final RoutePicture one = pictures.next(10);
    private final RoutePicture two = pictures.next(20);
    private final RoutePicture three = pictures.next(30);

    private static void assertSame(RoutePicture expected, Optional<RoutePicture> got) {
        assertEquals(RandomPictures.contents(expected), RandomPictures.contents(got.orElseThrow()));
    }

    @Test
    void hearsayThatBuildsUponThePictureOrUponNothingMakesTheNewerOne() {
        assertSame(two, one.afterHearsay(RouteChanges.between(one, two)));
        assertSame(three, one.afterHearsay(RouteChanges.between(one, two).then(RouteChanges.between(two, three))));
        assertSame(three, one.afterHearsay(three.complete()));
    }

    @Test
    void hearsayThatIsNotNewerTakesNobodyBack() {
        assertEquals(Optional.empty(), two.afterHearsay(one.complete()));
        assertEquals(Optional.empty(), two.afterHearsay(two.complete()));
        assertEquals(Optional.empty(), two.afterHearsay(RouteChanges.between(one, two)));
        assertEquals(Optional.empty(), two.afterHearsay(RouteChanges.between(two, two)));
    }

    @Test
    void hearsayThatBuildsUponAnotherVersionMakesNothing() {
        assertEquals(Optional.empty(), one.afterHearsay(RouteChanges.between(two, three)));
        assertEquals(Optional.empty(), two.afterHearsay(RouteChanges.between(one, three)));
    }

    @Test
    void hearsayOfAnotherClusterMakesNothing() {
        var foreign = new RoutePicture("cluster-2", 99, two.namespaces(), two.owners(), two.routes());
        assertEquals(Optional.empty(), one.afterHearsay(foreign.complete()));
        assertEquals(
                Optional.empty(),
                one.afterHearsay(RouteChanges.between(
                        new RoutePicture("cluster-2", 10, one.namespaces(), one.owners(), one.routes()), foreign)));
    }
}
