package io.seqsvr.proto.rpc;

import com.google.protobuf.Message;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;

/** A server on a free port that answers each call as a test tells it to, byte by byte if need be. */
final class BadServer implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final int port;

    private BadServer(Handler<HttpServerRequest> http, Handler<NetSocket> tcp, boolean speaksHttp) {
        port = speaksHttp
                ? vertx.createHttpServer()
                        .requestHandler(http)
                        .listen(0, LOOPBACK)
                        .await()
                        .actualPort()
                : vertx.createNetServer()
                        .connectHandler(tcp)
                        .listen(0, LOOPBACK)
                        .await()
                        .actualPort();
    }

    /** Speaks HTTP/2; the handler sees each request when its body has come. */
    static BadServer http(Handler<HttpServerRequest> handler) {
        return new BadServer(request -> request.endHandler(ended -> handler.handle(request)), unused -> {}, true);
    }

    /** Speaks nothing but TCP. */
    static BadServer tcp(Handler<NetSocket> handler) {
        return new BadServer(unused -> {}, handler, false);
    }

    SocketAddress address() {
        return SocketAddress.inetSocketAddress(port, LOOPBACK);
    }

    /** Begins a gRPC reply. */
    static HttpServerResponse reply(HttpServerRequest request) {
        return request.response().putHeader("content-type", "application/grpc");
    }

    /** Ends a gRPC reply with a status. */
    static void end(HttpServerResponse response, int status) {
        response.putTrailer("grpc-status", Integer.toString(status)).end();
    }

    /** A message as gRPC frames it. */
    static Buffer frame(Message message) {
        return frame(message.toByteArray());
    }

    /** Any bytes as if they were a message. */
    static Buffer frame(byte... bytes) {
        return Buffer.buffer().appendByte((byte) 0).appendInt(bytes.length).appendBytes(bytes);
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
