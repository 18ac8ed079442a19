package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.HostPort;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/** How the library listens on a port: what one request, one stream and one connection may have of it. */
final class PortOptions {
    private static final int MAX_CONCURRENT_STREAMS = 10_000;
    /** Within it a connection may take back as many as it may have: a thousand a second, again and again. */
    static final int RESET_WINDOW_SECONDS = 10;
    /** All headers of a request together; those of gRPC take some hundred bytes. */
    private static final int MOST_HEADER_BYTES = 8 << 10;

    private static final int MOST_REQUEST_LINE_BYTES = 4 << 10;
    private static final int STREAM_WINDOW_BYTES = 1 << 20;
    private static final int CONNECTION_WINDOW_BYTES = 8 << 20;

    private PortOptions() {}

    /** Of a port at that address, which closes a connection over which nothing comes for so long. */
    static HttpServerOptions of(HostPort address, int idleMillis) {
        var options = new HttpServerOptions()
                .setHost(address.host())
                .setPort(address.port())
                .setReadIdleTimeout(idleMillis)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setHandle100ContinueAutomatically(true)
                .setMaxHeaderSize(MOST_HEADER_BYTES)
                .setMaxInitialLineLength(MOST_REQUEST_LINE_BYTES)
                .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
                // gRPC libraries reset each call whose deadline passed; the default is 200 within 30 s.
                .setHttp2RstFloodMaxRstFramePerWindow(MAX_CONCURRENT_STREAMS)
                .setHttp2RstFloodWindowDuration(RESET_WINDOW_SECONDS)
                .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS);
        options.getInitialSettings()
                .setMaxConcurrentStreams(MAX_CONCURRENT_STREAMS)
                .setMaxHeaderListSize(MOST_HEADER_BYTES)
                .setInitialWindowSize(STREAM_WINDOW_BYTES);
        return options;
    }
}
