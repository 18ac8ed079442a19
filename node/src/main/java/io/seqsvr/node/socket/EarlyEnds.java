package io.seqsvr.node.socket;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * HTTP/2 streams whose responses end although their callers have not ended the requests: when the whole response has
 * gone out, the stream is reset with NO_ERROR, which says that nobody reads the rest (RFC 9113, 8.1). Else it would
 * stay half open, and count as open, until its caller does something. For the event loop of the connection.
 */
public final class EarlyEnds {
    private static final AttributeKey<OfConnection> OF_CONNECTION = AttributeKey.valueOf(EarlyEnds.class, "early");

    private EarlyEnds() {}

    /** From now on, on this connection, where {@link #after} says so. */
    public static void on(HttpConnection connection) {
        var channel = ((ConnectionBase) connection).channel();
        var context = channel.pipeline().context(Http2ConnectionHandler.class);
        if (context != null) {
            var its = new OfConnection(context, (Http2ConnectionHandler) context.handler());
            its.http2.connection().addListener(its);
            channel.attr(OF_CONNECTION).set(its);
        }
    }

    /** Nothing more of this request is of use once its response has ended; to be said before that ends. */
    public static void after(HttpServerRequest request) {
        var its = ((ConnectionBase) request.connection())
                .channel()
                .attr(OF_CONNECTION)
                .get();
        if (its != null) {
            its.after(request.response().streamId());
        }
    }

    /** Those of one connection. */
    private static final class OfConnection extends Http2ConnectionAdapter {
        private final ChannelHandlerContext context;
        private final Http2ConnectionHandler http2;
        private final Http2Connection.PropertyKey early;

        OfConnection(ChannelHandlerContext context, Http2ConnectionHandler http2) {
            this.context = context;
            this.http2 = http2;
            this.early = http2.connection().newKey();
        }

        void after(int streamId) {
            var stream = http2.connection().stream(streamId);
            if (stream != null) {
                stream.setProperty(early, true);
            }
        }

        /** Said of the end of a response when that is written, however long it waited for its caller to read. */
        @Override
        public void onStreamHalfClosed(Http2Stream stream) {
            if (stream.getProperty(early) != null) {
                // Not in the midst of that write.
                context.executor().execute(() -> reset(stream));
            }
        }

        private void reset(Http2Stream stream) {
            if (stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
                var unused = http2.resetStream(context, stream.id(), Http2Error.NO_ERROR.code(), context.newPromise());
                context.flush();
            }
        }
    }
}
