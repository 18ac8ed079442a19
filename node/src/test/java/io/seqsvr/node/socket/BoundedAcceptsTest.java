package io.seqsvr.node.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** Each connection that was let in is counted until it has gone, whichever way it goes. */
class BoundedAcceptsTest {
    private final ConnectionRoom room = new ConnectionRoom(1);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    BoundedAcceptsTest() {
        room.show(registry, "test");
    }

    private double open() {
        return registry.get("seqsvr.connections").gauge().value();
    }

    /** What the library does with a connection that no event loop takes. */
    private static final class Refusing extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext listening, Object accepted) {
            ((Channel) accepted).unsafe().closeForcibly();
        }
    }

    @Test
    void oneThatIsClosedByForceTakesNoRoomAnyMore() {
        var listening = new EmbeddedChannel(new BoundedAccepts.Door(room), new Refusing());
        var closed = new EmbeddedChannel();
        listening.pipeline().fireChannelRead(closed);
        assertFalse(closed.closeFuture().isDone(), "nobody is told of that");
        assertEquals(0, open());
        var next = new EmbeddedChannel();
        new EmbeddedChannel(new BoundedAccepts.Door(room)).pipeline().fireChannelRead(next);
        assertEquals(1, open());
        assertTrue(next.isOpen());
    }

    @Test
    void oneThatLeavesGivesItsPlaceBackOnce() {
        var listening = new EmbeddedChannel(new BoundedAccepts.Door(room));
        var first = new EmbeddedChannel();
        listening.pipeline().fireChannelRead(first);
        var tooMany = new EmbeddedChannel();
        listening.pipeline().fireChannelRead(tooMany);
        assertFalse(tooMany.isOpen());
        assertEquals(1, open());
        first.close().syncUninterruptibly();
        assertEquals(0, open());
    }
}
