package io.seqsvr.cli.bench.alloc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.proto.rpc.HostPort;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every user is called by one connection, and at its owner. */
final class PartsTest {
    private static final Namespace NAMESPACE = new Namespace(1, "default", 60, 10, 100, 10, 1L << 31);
    private static final HostPort ADA = new HostPort("ada", 7721);
    private static final HostPort BOB = new HostPort("bob", 7721);

    /** Ada has the first 20 users and the 30 behind, Bob 10 between, and nobody the last. */
    private static final RoutePicture PICTURE = new RoutePicture(
            "cluster",
            9,
            List.of(NAMESPACE),
            List.of(new RouteOwner(5, ADA.toString(), "ada"), new RouteOwner(6, BOB.toString(), "bob")),
            new RouteTable(
                    9,
                    List.of(
                            new RouteRange(1, 0, 1, 5, 1),
                            new RouteRange(1, 2, 2, 6, 2),
                            new RouteRange(1, 3, 4, 5, 1),
                            new RouteRange(1, 5, 5, 0, 1))));

    @Test
    void usersAreSplitByOwnerAndThenByConnection() throws NotMeasured {
        var parts = Parts.atOwners(PICTURE, NAMESPACE, 24, 2);
        assertEquals(
                List.of(ADA, ADA, BOB, BOB),
                parts.stream().map(Parts.Part::server).toList());
        assertArrayEquals(
                new int[] {0, 2, 4, 6, 8, 10, 12, 14, 16, 18}, parts.get(0).uids());
        assertArrayEquals(
                new int[] {1, 3, 5, 7, 9, 11, 13, 15, 17, 19}, parts.get(1).uids());
        assertArrayEquals(new int[] {20, 22}, parts.get(2).uids());
        assertArrayEquals(new int[] {21, 23}, parts.get(3).uids());
    }

    @Test
    void aConnectionWithoutUsersIsNotMade() throws NotMeasured {
        var parts = Parts.atOwners(PICTURE, NAMESPACE, 21, 2);
        assertEquals(
                List.of(ADA, ADA, BOB), parts.stream().map(Parts.Part::server).toList());
    }

    @Test
    void throughOneServerAllGoThere() {
        var parts = Parts.atOne(BOB, 5, 2);
        assertEquals(List.of(BOB, BOB), parts.stream().map(Parts.Part::server).toList());
        assertArrayEquals(new int[] {0, 2, 4}, parts.get(0).uids());
        assertArrayEquals(new int[] {1, 3}, parts.get(1).uids());
    }

    @Test
    void aUserWithoutAnOwnerCannotBeMeasured() {
        var impossible = assertThrows(NotMeasured.class, () -> Parts.atOwners(PICTURE, NAMESPACE, 51, 1));
        assertEquals("segment 5 of namespace 'default' has no owner now", impossible.getMessage());
    }
}
