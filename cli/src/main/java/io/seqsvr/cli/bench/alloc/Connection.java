package io.seqsvr.cli.bench.alloc;

import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.grpc.common.GrpcStatus;
import java.util.Objects;

/** One HTTP/2 connection to a server, for gRPC, with a thread of its own. */
final class Connection implements AutoCloseable {
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
    /** What the server may send before it was read, per stream and per connection. */
    private static final int WINDOW_BYTES = 4 << 20;

    /** Of what is no error of ours. */
    private static final String NO_REASON = "ERROR_REASON_UNSPECIFIED";

    private final HostPort server;
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final HttpClient http;

    Connection(HostPort server) {
        this.server = server;
        this.http = vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setProtocolVersion(HttpVersion.HTTP_2)
                        .setHttp2ClearTextUpgrade(false)
                        .setConnectTimeout(CONNECT_TIMEOUT_MILLIS)
                        .setHttp2ConnectionWindowSize(WINDOW_BYTES)
                        .setInitialSettings(new Http2Settings().setInitialWindowSize(WINDOW_BYTES)))
                .with(new PoolOptions().setHttp2MaxSize(1).setMaxWaitQueueSize(-1))
                // Requests are told of what breaks; without a handler the library would log it as well.
                .withConnectHandler(connection -> connection.exceptionHandler(told -> {}))
                .build();
    }

    /** Does something on its thread. */
    void run(Runnable work) {
        context.runOnContext(here -> work.run());
    }

    /** Does something on its thread, later; to be called there. */
    void after(long millis, Runnable work) {
        vertx.setTimer(millis, fired -> work.run());
    }

    /** A gRPC call whose messages are still to be sent; to be called on its thread. */
    Future<HttpClientRequest> request(String path) {
        var options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(server.socketAddress())
                .setURI(path);
        try {
            return http.request(options)
                    .onSuccess(opened ->
                            opened.putHeader("content-type", "application/grpc").putHeader("te", "trailers"));
        } catch (IllegalStateException closed) {
            return Future.failedFuture(closed);
        }
    }

    /** Whether a response that has ended says that all was well. */
    static boolean isOk(HttpClientResponse response) {
        return "0".equals(status(response));
    }

    private static String status(HttpClientResponse response) {
        var trailers = response.trailers();
        return Objects.requireNonNullElse(
                trailers.contains("grpc-status") ? trailers.get("grpc-status") : response.getHeader("grpc-status"), "");
    }

    /** Why a response that has ended bears no more: its message is one of our reasons, or what else is known. */
    static Exception refusal(HttpClientResponse response) {
        var code = status(response);
        if (code.isEmpty()) {
            return new IllegalStateException("HTTP status " + response.statusCode() + " without a gRPC status");
        }
        var trailers = response.trailers().contains("grpc-status") ? response.trailers() : response.headers();
        var status = GrpcStatus.valueOf(Integer.parseInt(code));
        var message = Objects.requireNonNullElse(trailers.get("grpc-message"), "");
        var reason = String.valueOf(
                RpcException.fromTrailers(status, message, trailers).reason());
        return new IllegalStateException(reason.equals(NO_REASON) ? status + " " + message : reason);
    }

    @Override
    public void close() {
        http.close();
        vertx.close().await();
    }
}
