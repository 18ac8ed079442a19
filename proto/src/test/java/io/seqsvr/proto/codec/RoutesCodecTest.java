package io.seqsvr.proto.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.proto.v1.RouteNamespace;
import io.seqsvr.proto.v1.RoutesReply;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Routes pass the wire unchanged, and what no picture can be is refused there. */
class RoutesCodecTest {
    private static final Namespace DIRECT =
            new Namespace(1, "messages", 1_000, 100, Keying.DIRECT, Order.LEASE, 7, 50, 9, 1L << 53);
    private static final Namespace HASHED =
            new Namespace(2, "files", 10, 1, Keying.HASHED, Order.QUORUM, 10, 50, 0, Long.MAX_VALUE);
    private static final RoutePicture BEFORE = new RoutePicture(
            "cluster-1",
            1_024,
            List.of(DIRECT, HASHED),
            List.of(new RouteOwner(1_000, "10.0.0.1:7721", "a1")),
            new RouteTable(1_024, List.of(new RouteRange(1, 0, 9, 1_000, 1), new RouteRange(2, 0, 3, 1_000, 1))));
    private static final RoutePicture AFTER = new RoutePicture(
            "cluster-1",
            4_097,
            List.of(DIRECT.withOrder(Order.QUORUM)),
            List.of(new RouteOwner(3_000, "10.0.0.2:7721", "a2")),
            new RouteTable(4_097, List.of(new RouteRange(1, 0, 4, 0, 1), new RouteRange(1, 5, 9, 3_000, 2))));

    private static RouteChanges overTheWire(RouteChanges changes) {
        try {
            return RoutesCodec.decode(
                    RoutesReply.parseFrom(RoutesCodec.encode(changes).toByteArray()));
        } catch (InvalidProtocolBufferException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void aCompletePictureAndItsChangesPassUnchanged() {
        assertEquals(BEFORE.complete(), overTheWire(BEFORE.complete()));
        var changes = RouteChanges.between(BEFORE, AFTER);
        assertEquals(changes, overTheWire(changes));
        assertEquals(List.of(2L), changes.namespaces().gone());
        assertEquals(List.of(1_000L), changes.owners().gone());
        assertEquals(
                AFTER.routes().ranges(),
                BEFORE.after(overTheWire(changes)).routes().ranges());
        assertEquals(RouteChanges.between(AFTER, AFTER), overTheWire(RouteChanges.between(AFTER, AFTER)));
    }

    @Test
    void theVersionOfTheMixingIsNamed() {
        var reply = RoutesCodec.encode(BEFORE.complete());
        assertEquals(
                List.of(0, 1),
                reply.getNamespacesList().stream()
                        .map(RouteNamespace::getKeyingVersion)
                        .toList());
    }

    private static String refused(Consumer<RoutesReply.Builder> spoil) {
        var reply = RoutesCodec.encode(BEFORE.complete()).toBuilder();
        spoil.accept(reply);
        return String.valueOf(assertThrows(
                        IllegalArgumentException.class,
                        () -> RoutePicture.empty("cluster-1").after(RoutesCodec.decode(reply.build())))
                .getMessage());
    }

    @Test
    void whatNoPictureCanBeIsRefused() {
        assertTrue(refused(reply -> reply.setSet(1)).contains("set 1"));
        assertTrue(refused(reply -> reply.setClusterId("")).contains("cluster ''"));
        assertTrue(refused(reply -> reply.setVersion(0)).contains("version 0"));
        assertTrue(refused(reply -> reply.setSince(-1)).contains("since -1"));
        assertTrue(refused(reply -> reply.getNamespacesBuilder(1).setKeyingVersion(2))
                .contains("version 2"));
        assertTrue(refused(reply -> reply.getNamespacesBuilder(1).setKeyingValue(9))
                .contains("keying"));
        assertTrue(
                refused(reply -> reply.getNamespacesBuilder(0).setOrderValue(9)).contains("order"));
        assertTrue(
                refused(reply -> reply.getNamespacesBuilder(0).setCapacity(-1)).contains("capacity"));
        assertTrue(
                refused(reply -> reply.getRangesBuilder(0).setFirstSegment(-1)).contains("4294967295"));
        assertTrue(
                refused(reply -> reply.getRangesBuilder(0).setLastSegment(-1)).contains("4294967295"));
        assertTrue(
                refused(reply -> reply.getRangesBuilder(1).setFirstSegment(4)).contains("from segment 4 to 3"));
        assertTrue(refused(reply -> reply.getRangesBuilder(0).setNamespaceId(0)).contains("namespace 0"));
        refused(reply -> reply.addRanges(reply.getRanges(0)));
    }
}
