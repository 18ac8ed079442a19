package io.seqsvr.node.socket;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.impl.transports.TransportInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetServerOptions;

/**
 * The sockets of a Vert.x whose ports ask a {@link ConnectionRoom} about each connection when it is accepted, before a
 * byte of it is read. The library itself tells of a connection only when it has begun to speak, and callers who say
 * nothing take a file as well.
 */
public final class BoundedAccepts extends NioTransport {
    private final ConnectionRoom room;

    private BoundedAccepts(ConnectionRoom room) {
        this.room = room;
    }

    /** A Vert.x of one event loop, with room for so many connections to all its ports together. */
    public static Vertx newVertx(int mostConnections) {
        var accepts = new BoundedAccepts(new ConnectionRoom(mostConnections));
        return Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(1))
                .withTransport(new TransportInternal("nio", true, null, accepts))
                .build();
    }

    /** The room that the ports of a Vert.x share. */
    public static ConnectionRoom roomOf(Vertx vertx) {
        if (((VertxInternal) vertx).transport() instanceof BoundedAccepts accepts) {
            return accepts.room;
        }
        throw new IllegalArgumentException(
                "connections to this Vert.x are not counted; make it by BoundedAccepts.newVertx");
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        super.configure(options, domainSocket, bootstrap);
        bootstrap.handler(new Door(room));
    }

    /** Stands where a listening socket hands on whom it has accepted. */
    @ChannelHandler.Sharable
    static final class Door extends ChannelInboundHandlerAdapter {
        private final ConnectionRoom room;

        Door(ConnectionRoom room) {
            this.room = room;
        }

        @Override
        public void channelRead(ChannelHandlerContext listening, Object accepted) {
            var connection = (Channel) accepted;
            if (room.enter()) {
                listening.fireChannelRead(accepted);
                if (connection.isOpen()) {
                    connection.closeFuture().addListener(closed -> room.leave());
                } else {
                    // Who takes it over closes by force what it has no event loop for: that is told to nobody.
                    room.leave();
                }
            } else {
                // It belongs to no event loop yet: nothing else has seen it.
                connection.unsafe().closeForcibly();
            }
        }
    }
}
