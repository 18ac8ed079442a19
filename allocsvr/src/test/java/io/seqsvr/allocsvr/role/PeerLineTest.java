package io.seqsvr.allocsvr.role;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.core.alloc.AllocatorEffect;
import io.seqsvr.core.alloc.PeerMessage;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.core.segment.CounterPage;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreView;
import io.vertx.core.Vertx;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one allocator has to say to another goes in few calls, none of which is too long. */
class PeerLineTest {
    private static final SegmentId SEGMENT = new SegmentId(1, 0);
    private static final PeerMessage SHORT = new PeerMessage.PagesTaken(SEGMENT, 1);

    private static PeerMessage pages(int count) {
        var page = CounterPage.of(0, new int[] {1}, new long[] {2}, new boolean[] {false});
        return new PeerMessage.Pages(SEGMENT, 1, Collections.nCopies(count, page));
    }

    @Test
    void messagesShareCallsAsFarAsTheirPagesGo() {
        var half = pages(128);
        var whole = pages(256);
        assertEquals(List.of(List.of(half, SHORT, half)), PeerLine.inCalls(List.of(half, SHORT, half)));
        assertEquals(
                List.of(List.of(half, half), List.of(whole, SHORT), List.of(half)),
                PeerLine.inCalls(List.of(half, half, whole, SHORT, half)));
    }

    @Test
    void oneThatIsLongerGoesAlone() {
        var longer = pages(300);
        var page = pages(1);
        assertEquals(List.of(List.of(longer), List.of(page)), PeerLine.inCalls(List.of(longer, page)));
    }

    /** Its log may have such sessions from before StoreSvr refused them; whoever threw here would halt the process. */
    @Test
    void whoSaysNoAddressIsNotTold() {
        var vertx = Vertx.vertx();
        try {
            var line = new PeerLine(vertx);
            var unreadable = new StoreView.Member(7, SessionKind.ALLOCATOR, "a", "former-life", 1, false, false, true);
            line.seen(new StoreView(
                    1,
                    new LeaseTerms(3_000_000_000L, 100),
                    List.of(),
                    List.of(unreadable),
                    1,
                    RouteTable.EMPTY,
                    RouteTable.EMPTY));
            assertDoesNotThrow(() -> line.tell("cluster-1", 8, List.of(new AllocatorEffect.Tell(7, SHORT))));
        } finally {
            vertx.close().await();
        }
    }
}
