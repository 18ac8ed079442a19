package io.seqsvr.allocsvr;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.storeclient.fixture.Outcome;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.grpc.common.GrpcStatus;

/** Sends any bytes as a request and waits, with a deadline, for what comes of it. */
final class RawCaller implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context loop = vertx.getOrCreateContext();
    private final HttpClient http2 = vertx.createHttpClient(
            new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
    private final HttpClient http1 = vertx.createHttpClient();
    private final HostPort server;

    RawCaller(HostPort server) {
        this.server = server;
    }

    private HttpClientResponse post(HttpClient http, String path, String type, Buffer body) {
        return post(http, path, type, body, MultiMap.caseInsensitiveMultiMap());
    }

    private HttpClientResponse post(HttpClient http, String path, String type, Buffer body, MultiMap headers) {
        var options = new RequestOptions()
                .setServer(server.socketAddress())
                .setMethod(HttpMethod.POST)
                .setURI(path)
                .putHeader("content-type", type)
                .putHeader("te", "trailers");
        options.getHeaders().addAll(headers);
        Future<HttpClientResponse> whole = NodeServer.onContext(
                loop,
                () -> http.request(options)
                        .compose(request -> request.send(body))
                        .compose(response -> response.body().map(response)));
        return Outcome.replyOf(whole);
    }

    /** What comes of a unary call that says for how long it waits, and waits longer. */
    private HttpClientResponse hasty(RpcMethod<?, ?> method, Message request, long timeoutMillis) {
        var headers = MultiMap.caseInsensitiveMultiMap().add("grpc-timeout", timeoutMillis + "m");
        return post(http2, method.path(), "application/grpc", framed(request.toByteArray()), headers);
    }

    /** The reply to such a call. */
    <Q extends Message, R extends Message> R replyToHasty(RpcMethod<Q, R> method, Q request, long timeoutMillis)
            throws InvalidProtocolBufferException {
        var body = Outcome.replyOf(hasty(method, request, timeoutMillis).body());
        return method.replyParser().parseFrom(body.getBytes(5, body.length()));
    }

    /** The message of the error of such a call. */
    <Q extends Message> String errorOfHasty(RpcMethod<Q, ?> method, Q request, long timeoutMillis) {
        return last(hasty(method, request, timeoutMillis), "grpc-message");
    }

    private static Buffer framed(byte[] message) {
        return Buffer.buffer().appendByte((byte) 0).appendInt(message.length).appendBytes(message);
    }

    /** The status of a unary call with these bytes for its message. */
    GrpcStatus grpc(String path, byte[] message) {
        var response = post(http2, path, "application/grpc", framed(message));
        return GrpcStatus.valueOf(Integer.parseInt(last(response, "grpc-status")));
    }

    /** Of the trailers, or of the headers where a response has nothing else. */
    private static String last(HttpClientResponse response, String name) {
        var trailer = response.trailers().get(name);
        return trailer != null ? trailer : response.getHeader(name);
    }

    /** The status of a request with these bytes for its JSON. */
    int json(String path, byte[] body) {
        return post(http1, path, "application/json", Buffer.buffer(body)).statusCode();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
