package io.seqsvr.storeclient;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Keying;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.codec.ReplyEncoder;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The greatest picture that a cluster can come to show: as many segments, namespaces and processes as may be, no two
 * neighbouring segments with one owner, everything given back, and every number as long as numbers get after a thousand
 * restores.
 */
class GreatestViewTest {
    /** What docs and proto say that a reply with routes has at most. */
    private static final int MOST_ROUTES_BYTES = 10 << 20;

    /** As callers are told: with more, and names as long as these, their replies are longer. */
    private static final int PROCESSES = 1_000;

    private static final long STAMP = Long.MAX_VALUE - StoreCommand.MAX_SESSIONS;
    private static final long EPOCH = (1L << 53) - 1;
    /** One namespace has all the segments but one for each other: so their numbers are long. */
    private static final int SEGMENTS_OF_FIRST = Namespace.MAX_SEGMENTS - StoreCommand.MAX_NAMESPACES + 1;

    /** Of three bytes each, which is the most. */
    private static final String LONGEST = "\u4e16".repeat(StoreCommand.MAX_NAME);

    private static int namespaceId(int number) {
        return Integer.MAX_VALUE - StoreCommand.MAX_NAMESPACES + number;
    }

    private static StoreView greatest(int processes) {
        var namespaces = new ArrayList<Namespace>();
        var ranges = new ArrayList<RouteRange>();
        for (int number = 0; number < StoreCommand.MAX_NAMESPACES; number++) {
            int segments = number == 0 ? SEGMENTS_OF_FIRST : 1;
            var name = "n" + "0".repeat(Namespace.MOST_NAME_CHARS - 1 - 4) + (1_000 + number);
            namespaces.add(new Namespace(
                    namespaceId(number),
                    name,
                    segments * 10_000_000L,
                    10_000_000,
                    Keying.HASHED,
                    Order.QUORUM,
                    Long.MAX_VALUE,
                    1_000_000,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE));
            for (int segment = 0; segment < segments; segment++) {
                ranges.add(new RouteRange(
                        namespaceId(number), segment, segment, STAMP + segment % processes, EPOCH - segment % 2));
            }
        }
        var members = new ArrayList<StoreView.Member>();
        for (int process = 0; process < processes; process++) {
            members.add(new StoreView.Member(
                    STAMP + process, SessionKind.ALLOCATOR, LONGEST, LONGEST, STAMP, true, true, false));
        }
        var routes = new RouteTable(STAMP, ranges);
        return new StoreView(
                Long.MAX_VALUE, new LeaseTerms(3_000_000_000L, 100), namespaces, members, STAMP, routes, routes);
    }

    @Test
    void passesFromStoreSvrToItsCallers() {
        var view = greatest(StoreCommand.MAX_SESSIONS);
        assertEquals(Namespace.MAX_SEGMENTS, view.routes().ranges().size());
        var reply = WatchReply.newBuilder()
                .setClusterId(FakePeer.CLUSTER)
                .setVersion(view.version())
                .setView(ReplyEncoder.encode(view))
                .build();
        assertTrue(
                reply.getSerializedSize() < UnaryCaller.MAX_REPLY_BYTES,
                () -> "it has " + reply.getSerializedSize() + " bytes");
        try (var loop = new Loop()) {
            var peer = new FakePeer(loop).answersWatches(watch -> Future.succeededFuture(reply));
            var client = new StoreClient(loop.vertx(), List.of(peer.address()), Duration.ofSeconds(60));
            var seen = loop.result(60, () -> client.watch(0, Duration.ofSeconds(1)))
                    .orElseThrow();
            // Not by assertEquals, which would print them.
            assertTrue(seen.routes().ranges().equals(view.routes().ranges()));
            assertTrue(seen.released().ranges().equals(view.released().ranges()));
            assertTrue(seen.namespaces().equals(view.namespaces()));
            assertTrue(seen.sessions().equals(view.sessions()));
        }
    }

    @Test
    void isNotLongerForCallersThanTheyAreTold() {
        var view = greatest(PROCESSES);
        var owners = view.sessions().stream()
                .map(member -> new RouteOwner(member.id(), member.address(), member.name()))
                .toList();
        var picture = new RoutePicture(FakePeer.CLUSTER, view.version(), view.namespaces(), owners, view.routes());
        int bytes = RoutesCodec.encode(picture.complete()).getSerializedSize();
        assertTrue(bytes < MOST_ROUTES_BYTES, () -> "it has " + bytes + " bytes");
    }
}
