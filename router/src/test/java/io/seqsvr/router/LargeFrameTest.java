package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.front.FramePart;
import io.seqsvr.core.front.FrameSplit;
import io.seqsvr.core.front.RouteBook;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.proto.codec.FrameCodec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The largest frame that a caller may send, which a router passes on with an epoch for each of its segments. */
class LargeFrameTest {
    private static final int LONGEST_MESSAGE = 256 << 10;
    private static final int CALLS = 10_000;

    private final FrameCodec codec = new FrameCodec();

    @Test
    void whatACallerMaySendItsOwnerReads() {
        var namespace = new Namespace(1, "messages", 1L << 32, 100_000, 10, 50, Long.MAX_VALUE);
        int segments = namespace.segmentCount();
        var book = new RouteBook();
        book.learn(new RoutePicture(
                "test",
                1,
                List.of(namespace),
                List.of(new RouteOwner(1, "127.0.0.1:1", "a")),
                new RouteTable(1, List.of(new RouteRange(1, 0, segments - 1, 1, Long.MAX_VALUE)))));
        // In wire bytes: 8 for each user, 10 for a count that makes no sense, 8 for a floor; and the epochs of none.
        var frame = new FrameCalls().namespaceName("messages").verb(FrameVerb.NEXT);
        for (int i = 0; i < CALLS; i++) {
            frame.uids().add((long) i * segments % (1L << 32));
            frame.counts().add(-1);
            frame.floors().add(1);
        }
        assertTrue(codec.writeRequest(frame).length() <= LONGEST_MESSAGE, "it is no legal frame");
        var parts = FrameSplit.of(book, frame, FrameVerb.NEXT).parts();
        assertEquals(CALLS, parts.stream().mapToInt(FramePart::size).sum());
        for (var part : parts) {
            int bytes = codec.writeRequest(part.calls().timeoutMillis(60_000)).length();
            assertTrue(bytes <= LONGEST_MESSAGE, () -> bytes + " bytes");
        }
    }
}
