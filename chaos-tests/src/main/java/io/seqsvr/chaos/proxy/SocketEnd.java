package io.seqsvr.chaos.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;

/**
 * One of the two sockets of a connection. Vert.x does not let its users reset a socket or close one half of it, so
 * this class, and no other, reaches through to Netty's channel.
 */
final class SocketEnd implements Source {
    private final NetSocketInternal socket;
    private final ChannelHandlerContext channel;
    private Future<Void> lastWrite = Future.succeededFuture();
    private boolean closed;

    /** Who is told what happens to a socket; on the event loop. */
    interface Listener {
        /** Bytes, or the end of what the peer sends. */
        void came(Parcel parcel);

        /** It takes more again after it was full. */
        void drained();

        /** It is closed, by whomever. */
        void closed();
    }

    /** Takes over a socket that has just connected; it is not read from yet. */
    SocketEnd(NetSocket connected, Listener listener) {
        this.socket = (NetSocketInternal) connected;
        this.channel = socket.channelHandlerContext();
        // Not socket.pause(): it would let the end of the stream overtake bytes that it keeps.
        read(false);
        channel.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        socket.handler(bytes -> listener.came(new Parcel.Data(bytes)));
        socket.eventHandler(event -> {
            if (event instanceof ChannelInputShutdownEvent) {
                listener.came(Parcel.Last.END);
            }
        });
        socket.drainHandler(drained -> listener.drained());
        socket.exceptionHandler(reset -> {
            // Vert.x closes the socket next, and the listener hears of that.
        });
        socket.closeHandler(gone -> {
            closed = true;
            listener.closed();
        });
    }

    @Override
    public void read(boolean on) {
        if (channel.channel().config().isAutoRead() != on) {
            channel.channel().config().setAutoRead(on);
        }
    }

    boolean isClosed() {
        return closed;
    }

    boolean isFull() {
        return !closed && socket.writeQueueFull();
    }

    void write(Buffer bytes) {
        if (!closed) {
            lastWrite = socket.write(bytes);
        }
    }

    /** Says that no more comes, once all is written; the peer may still send. */
    void endOutput() {
        lastWrite.onComplete(written -> {
            if (channel.channel() instanceof DuplexChannel duplex && duplex.isActive()) {
                // It fails where the peer has broken off, which the close handler tells.
                var unused = duplex.shutdownOutput();
            }
        });
    }

    /** Closes it once all is written. */
    void closeWhenWritten() {
        lastWrite.onComplete(written -> closeNow());
    }

    /** Closes it now. */
    void closeNow() {
        var unused = channel.close();
    }

    /** Closes it now, by a reset and not by an orderly end. */
    void reset() {
        if (!closed && channel.channel().isOpen()) {
            channel.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            closeNow();
        }
    }
}
