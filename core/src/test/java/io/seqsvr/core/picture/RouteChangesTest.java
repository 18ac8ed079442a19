package io.seqsvr.core.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.Seed;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreCommand.Move;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is told of a change makes the new picture out of the old one, and no more is told than that. */
class RouteChangesTest {
    private static final Namespace MESSAGES = new Namespace(1, "messages", 100, 10, 100, 1_000, Long.MAX_VALUE);

    private final FakeStore store = new FakeStore(new LeaseTerms(3_000_000_000L, 100), MESSAGES);

    private RoutePicture seen() {
        return RoutePicture.of("cluster-1", store.view());
    }

    @Test
    void changesMakeTheNewPictureOutOfTheOldOneAndBack() {
        Seed.announcedFor(RouteChangesTest.class).run(random -> {
            var pictures = new RandomPictures(random);
            for (int pair = 0; pair < 5_000; pair++) {
                var one = pictures.next(1);
                var other = pictures.next(2);
                var there = RouteChanges.between(one, other);
                assertEquals(RandomPictures.contents(other), RandomPictures.contents(one.after(there)));
                var back = RouteChanges.between(other, one);
                assertEquals(RandomPictures.contents(one), RandomPictures.contents(other.after(back)));
            }
        });
    }

    @Test
    void changesInARowAreOneChange() {
        Seed.announcedFor(RouteChangesTest.class).run(random -> {
            var pictures = new RandomPictures(random);
            for (int story = 0; story < 2_000; story++) {
                var first = pictures.next(1);
                var last = first;
                var joined = RouteChanges.between(first, first);
                for (int version = 2; version <= 6; version++) {
                    var next = pictures.next(version);
                    joined = joined.then(RouteChanges.between(last, next));
                    last = next;
                }
                assertEquals(RandomPictures.contents(last), RandomPictures.contents(first.after(joined)));
            }
        });
    }

    @Test
    void ofAChangeOfOwnerOnlyTheSegmentsThatMovedAreTold() {
        long one = store.open("alloc-1");
        store.publish(new Move(1, 0, 9, one));
        var before = seen();
        long other = store.open("alloc-2");
        var joined = seen();
        assertEquals(
                List.of(new RouteOwner(other, "alloc-2:7401", "alloc-2")),
                RouteChanges.between(before, joined).owners().put());
        store.expire(one);
        var orphaned = seen();
        var death = RouteChanges.between(joined, orphaned);
        assertEquals(List.of(one), death.owners().gone());
        assertEquals(List.of(new RouteRange(1, 0, 9, 0, 1)), death.ranges(), "nobody has them, and all can see it");
        store.publish(new Move(1, 3, 9, other));
        var after = seen();
        assertEquals(
                List.of(new RouteRange(1, 3, 9, other, 2)),
                RouteChanges.between(orphaned, after).ranges());
        assertEquals(0, RouteChanges.between(orphaned, after).namespaces().size());
        assertEquals(
                RandomPictures.contents(after),
                RandomPictures.contents(before.after(RouteChanges.between(before, after))));
    }

    @Test
    void whatItsOwnerGaveBackNobodyHas() {
        long one = store.open("alloc-1");
        store.publish(new Move(1, 0, 9, one));
        store.execute(new StoreCommand.Release(one, List.of(new StoreCommand.Sealed(new SegmentId(1, 4), 1, 0))));
        assertEquals(
                List.of(
                        new RouteRange(1, 0, 3, one, 1),
                        new RouteRange(1, 4, 4, 0, 1),
                        new RouteRange(1, 5, 9, one, 1)),
                seen().routes().ranges());
        assertEquals(
                List.of(one), seen().owners().stream().map(RouteOwner::session).toList());
    }

    @Test
    void routersAreNobodysBusiness() {
        store.execute(new StoreCommand.OpenSession(SessionKind.ROUTER, 1, "router-1", "router-1:7700"));
        assertEquals(List.of(), seen().owners());
        assertTrue(seen().version() > 0);
    }

    @Test
    void changesAreNotAppliedToAnotherVersionOrCluster() {
        var pictures = new RandomPictures(new SplittableRandom(1));
        var one = pictures.next(1);
        var two = pictures.next(2);
        var three = pictures.next(3);
        var changes = RouteChanges.between(two, three);
        assertThrows(IllegalArgumentException.class, () -> one.after(changes));
        var foreign = new RoutePicture("cluster-2", 2, two.namespaces(), two.owners(), two.routes());
        assertThrows(IllegalArgumentException.class, () -> foreign.after(changes));
    }
}
