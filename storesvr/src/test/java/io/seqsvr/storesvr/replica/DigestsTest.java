package io.seqsvr.storesvr.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.Stamp;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.storesvr.NativeLibrary;
import io.seqsvr.storesvr.rocks.Applied;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where replicas can be compared. */
class DigestsTest {
    private static final StoreCommand CREATE = new StoreCommand.CreateCluster(
            "cluster-1", new LeaseTerms(3_000_000_000L, 100), List.of(Namespace.ofDefaults(1, "messages")));
    private static final StoreCommand OPEN = new StoreCommand.OpenSession(SessionKind.ALLOCATOR, 1, "a", "a:1");
    private static final StoreCommand RENEW = new StoreCommand.Renew(Stamp.of(0, 2, 0));

    @TempDir
    private Path root = Path.of("");

    private final Replica one = new Replica();
    private final Replica other = new Replica();
    private final Digests ofOne = new Digests(one);
    private final Digests ofOther = new Digests(other);

    @BeforeEach
    void open() throws IOException {
        NativeLibrary.load();
        one.open(root.resolve("one"));
        other.open(root.resolve("other"));
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private static void apply(Replica replica, long index, StoreCommand command) throws IOException {
        replica.apply(new Applied(1, index), List.of(command));
    }

    @Test
    void beforeTheClusterThereIsNothingToCompare() throws IOException {
        assertEquals(List.of(), ofOne.now());
        apply(one, 1, CREATE);
        assertEquals(1, ofOne.now().get(0).index());
    }

    @Test
    void theSameEntriesGiveTheSameDigestAndAnyChangeAnother() throws IOException {
        apply(one, 1, CREATE);
        apply(other, 1, CREATE);
        assertEquals(ofOne.now(), ofOther.now());
        apply(one, 2, OPEN);
        apply(other, 2, OPEN);
        assertEquals(ofOne.now(), ofOther.now());
        var before = ofOne.now().get(0);
        apply(one, 3, RENEW);
        assertNotEquals(before.digest(), ofOne.now().get(0).digest());
        assertEquals(before, ofOther.now().get(0));
    }

    @Test
    void whatWasComputedOnceStands() throws IOException {
        apply(one, 1, CREATE);
        assertSame(ofOne.now().get(0), ofOne.now().get(0));
    }

    @Test
    void replicasThatNeverStandStillAreComparedWhereBothWere() throws IOException {
        apply(one, 1, CREATE);
        apply(one, 2, OPEN);
        one.checkpoint(root.resolve("copy"));
        // The other one begins with a snapshot, and there were entries without commands in between.
        other.open(root.resolve("copy"));
        for (long index : List.of(100L, 4_090L, 4_099L, 4_100L)) {
            apply(one, index, RENEW);
            apply(other, index, RENEW);
        }
        apply(one, 4_101, RENEW);
        assertEquals(
                List.of(4_101L, 4_095L),
                ofOne.now().stream().map(DigestAt::index).toList());
        assertEquals(
                List.of(4_100L, 4_095L),
                ofOther.now().stream().map(DigestAt::index).toList());
        assertEquals(ofOne.now().get(1), ofOther.now().get(1));
        assertNotEquals(ofOne.now().get(0).digest(), ofOther.now().get(0).digest());
    }

    @Test
    void aMarkHoldsTheRowsThatWereThenAndNoneThatCameAfter() throws IOException {
        apply(one, 1, CREATE);
        apply(one, 4_095, OPEN);
        var then = ofOne.now().get(0);
        apply(one, 4_096, new StoreCommand.Renew(Stamp.of(0, 4_095, 0)));
        assertEquals(then, ofOne.now().get(1));
        one.checkpoint(root.resolve("copy"));
        one.open(root.resolve("copy"));
        assertEquals(1, ofOne.now().size(), "it knows nothing of before its snapshot");
    }
}
