package io.seqsvr.chaos.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.chaos.process.Endpoint;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whose door is asked, and who was the owner before. */
final class OwnerDoorsTest {
    private static final long ANN = 7;
    private static final List<RouteOwner> THREE = LongStream.rangeClosed(1, 3)
            .mapToObj(session -> new RouteOwner(session, "10.0.0." + session + ":7711", "alloc-" + session))
            .toList();

    private long owner = 1;
    private final OwnerDoors doors =
            new OwnerDoors(doorsOfThree(), new Owners("default", () -> Optional.of(picture())), 1);

    private static Map<String, Endpoint> doorsOfThree() {
        var doors = new LinkedHashMap<String, Endpoint>();
        // As behind proxies: they are asked elsewhere than the routes say.
        THREE.forEach(one -> doors.put(one.address(), Endpoint.parse("127.0.0.1:772" + one.session())));
        return doors;
    }

    private RoutePicture picture() {
        var namespace = new Namespace(1, "default", 1_000L, 1_000, 100, 5, Long.MAX_VALUE);
        var range = new RouteRange(1, 0, 0, owner, 1);
        return new RoutePicture("test", 1, List.of(namespace), THREE, new RouteTable(1, List.of(range)));
    }

    @Test
    void theFormerOwnerIsWhoeverWasItBeforeTheOneThatTheRoutesTell() {
        assertEquals(0, doors.pick(ANN, 1));
        assertFalse(doors.isFormer(ANN, "127.0.0.1:7721"), "it is the owner");
        owner = 2;
        assertTrue(doors.isFormer(ANN, "127.0.0.1:7721"), "a call waits there still");
        assertFalse(doors.isFormer(ANN, "127.0.0.1:7722"), "the next one may not know it yet");
        assertEquals(0, doors.pick(ANN, 2));
        owner = 3;
        assertEquals(1, doors.pick(ANN, 3));
        assertFalse(doors.isFormer(ANN, "127.0.0.1:7721"), "somebody owned her after it");
        assertTrue(doors.isFormer(ANN, "127.0.0.1:7722"));
    }

    @Test
    void whoeverIsAskedForTheFirstTimeHasNoFormerOwner() {
        assertFalse(doors.isFormer(ANN, "127.0.0.1:7722"));
    }
}
