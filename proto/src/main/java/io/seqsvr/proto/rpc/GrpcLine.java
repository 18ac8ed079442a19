package io.seqsvr.proto.rpc;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.client.GrpcClientRequest;

/**
 * A client of the library's for one server, with one connection. The library bounds how long TCP takes to connect, not
 * how long HTTP/2 takes to begin, and what does not come about can be left only together with its client.
 */
final class GrpcLine {
    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    /** A picture of megabytes needs few round trips with that; 64 KiB, what HTTP/2 begins with, would need hundreds. */
    private static final int STREAM_WINDOW_BYTES = 1 << 20;

    private static final int CONNECTION_WINDOW_BYTES = 8 << 20;

    private final UnkeptClient<GrpcClient> grpc;
    private final SocketAddress server;

    GrpcLine(Vertx vertx, SocketAddress server) {
        this.grpc = new UnkeptClient<>(vertx, () -> newClient(vertx), GrpcClient::close);
        this.server = server;
    }

    private static GrpcClient newClient(Vertx vertx) {
        var http = new HttpClientOptions()
                .setHttp2ClearTextUpgrade(false)
                .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
                .setConnectTimeout(CONNECT_TIMEOUT_MILLIS);
        http.getInitialSettings().setInitialWindowSize(STREAM_WINDOW_BYTES);
        return GrpcClient.client(vertx, new GrpcClientOptions().setMaxMessageSize(UnaryCaller.MAX_REPLY_BYTES), http);
    }

    /** A call to be sent; fails if the connection cannot be had. */
    Future<GrpcClientRequest<Buffer, Buffer>> open() {
        try {
            return grpc.get().request(server);
        } catch (IllegalStateException closed) {
            // The library throws where its client, or Vert.x, was closed.
            return Future.failedFuture(closed);
        }
    }

    /** Leaves the connection, and all calls on it; repeating it is harmless. */
    Future<Void> close() {
        return grpc.close();
    }
}
