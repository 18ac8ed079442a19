package io.seqsvr.proto.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.seqsvr.core.alloc.PeerMessage;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.segment.SegmentCounters;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What allocators tell each other comes as it was said. */
class PeerMessageCodecTest {
    private static final SegmentId SEGMENT = new SegmentId(3, 17);

    static List<PeerMessage> messages() {
        var counters = new SegmentCounters(5, 40, 10_000, 3 * 1_024, Long.MAX_VALUE);
        counters.take(7, 5);
        counters.take(2_500, 1);
        return List.of(
                new PeerMessage.Pages(SEGMENT, 5, counters.table().pages()),
                new PeerMessage.Pages(SEGMENT, 5, List.of()),
                new PeerMessage.PagesTaken(SEGMENT, 5),
                new PeerMessage.TableSealed(SEGMENT, counters.table()),
                new PeerMessage.TableAbandoned(SEGMENT, 5),
                new PeerMessage.TableTaken(SEGMENT, 5));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void itComesAsItWasSaid(PeerMessage message) {
        var decoded = PeerMessageCodec.decode(PeerMessageCodec.encode(message));
        assertEquals(message.getClass(), decoded.getClass());
        assertEquals(
                PeerMessageCodec.encode(message), PeerMessageCodec.encode(decoded), "and says the same when passed on");
        assertEquals(SEGMENT, decoded.segment());
        assertEquals(5, decoded.epoch());
        assertEquals(message.pageCount(), decoded.pageCount());
    }

    @Test
    void everyKindIsAmongThem() {
        assertEquals(
                Stream.of(PeerMessage.class.getPermittedSubclasses()).toList().size(),
                messages().stream().map(Object::getClass).distinct().count());
    }

    @Test
    void whatSaysNothingIsRefused() {
        var empty = io.seqsvr.proto.internal.v1.PeerMessage.getDefaultInstance();
        assertThrows(IllegalArgumentException.class, () -> PeerMessageCodec.decode(empty));
    }
}
