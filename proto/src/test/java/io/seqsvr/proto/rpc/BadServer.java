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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/** A server on a free port that answers each call as a test tells it to, byte by byte if need be. */
final class BadServer implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final String host;
    private final int port;

    private BadServer(ToIntFunction<Vertx> listening) {
        this(LOOPBACK, listening);
    }

    private BadServer(String host, ToIntFunction<Vertx> listening) {
        this.host = host;
        port = listening.applyAsInt(vertx);
    }

    private static int listenHttp(Vertx vertx, Handler<HttpServerRequest> handler) {
        return listenHttp(vertx, LOOPBACK, handler);
    }

    private static int listenHttp(Vertx vertx, String host, Handler<HttpServerRequest> handler) {
        return vertx.createHttpServer()
                .requestHandler(request -> request.endHandler(ended -> handler.handle(request)))
                .listen(0, host)
                .await()
                .actualPort();
    }

    private static int listenTcp(Vertx vertx, Handler<NetSocket> handler) {
        return vertx.createNetServer()
                .connectHandler(handler)
                .listen(0, LOOPBACK)
                .await()
                .actualPort();
    }

    /** Speaks HTTP/2; the handler sees each request when its body has come. */
    static BadServer http(Handler<HttpServerRequest> handler) {
        return new BadServer(vertx -> listenHttp(vertx, handler));
    }

    /** The same at another address of this machine. */
    static BadServer http(String host, Handler<HttpServerRequest> handler) {
        return new BadServer(host, vertx -> listenHttp(vertx, host, handler));
    }

    /** Speaks nothing but TCP. */
    static BadServer tcp(Handler<NetSocket> handler) {
        return new BadServer(vertx -> listenTcp(vertx, handler));
    }

    /** The first connection comes about and stays, and nothing is ever said on it; on all others it speaks HTTP/2. */
    static BadServer deafAtFirst(Handler<HttpServerRequest> handler) {
        return new BadServer(vertx -> {
            int http = listenHttp(vertx, handler);
            var connections = new AtomicInteger();
            return listenTcp(vertx, from -> {
                if (connections.incrementAndGet() > 1) {
                    from.pause();
                    vertx.createNetClient().connect(http, LOOPBACK).onSuccess(to -> {
                        to.pipeTo(from);
                        from.pipeTo(to);
                    });
                }
            });
        });
    }

    SocketAddress address() {
        return new HostPort(host, port).socketAddress();
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
