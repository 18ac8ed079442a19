package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.Message;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Calls a port over one HTTP/2 connection, as a library would or byte by byte, and waits with a deadline. */
final class TestClient implements AutoCloseable {
    /** Far above what anything in these tests may take. */
    static final long GENEROUS_MILLIS = 10_000;

    static final String NEXT = "/seqsvr.v1.Sequences/Next";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final UnaryCaller caller = new UnaryCaller(vertx);
    private final HttpClient http;
    private final SocketAddress server;

    TestClient(TestPort port) {
        this(port.socket());
    }

    TestClient(SocketAddress server) {
        this(server, Http2Settings.DEFAULT_INITIAL_WINDOW_SIZE);
    }

    private TestClient(SocketAddress server, int window) {
        this.server = server;
        this.http = vertx.createHttpClient(new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setInitialSettings(new Http2Settings().setInitialWindowSize(window)));
    }

    /** One that takes in so many bytes of a reply. */
    static TestClient takingIn(TestPort port, int window) {
        return new TestClient(port.socket(), window);
    }

    /** Runs on the event loop of this client, where its requests have to be made. */
    <T> Future<T> onLoop(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        context.runOnContext(here -> work.get().onComplete(done));
        return done.future();
    }

    <Q extends Message, R extends Message> Future<R> call(RpcMethod<Q, R> method, Q request) {
        return onLoop(() -> caller.call(server, method, request, GENEROUS_MILLIS));
    }

    /** A request of which nothing was sent yet. */
    Future<HttpClientRequest> open(HttpMethod method, String path) {
        return http.request(
                new RequestOptions().setServer(server).setMethod(method).setURI(path));
    }

    /** A gRPC request of which nothing was sent yet. */
    Future<HttpClientRequest> open(String path) {
        return open(HttpMethod.POST, path)
                .map(request ->
                        request.putHeader("content-type", "application/grpc").putHeader("te", "trailers"));
    }

    /** Sends any bytes as the body of a gRPC request and takes whatever comes. */
    GrpcAnswer post(String path, MultiMap headers, Buffer body) {
        return await(onLoop(() -> open(path)
                .compose(request -> {
                    request.headers().addAll(headers);
                    return request.send(body);
                })
                .compose(TestClient::wholeAnswer)));
    }

    GrpcAnswer post(String path, Buffer body) {
        return post(path, MultiMap.caseInsensitiveMultiMap(), body);
    }

    static Future<GrpcAnswer> wholeAnswer(HttpClientResponse response) {
        return response.body().map(body -> new GrpcAnswer(response.headers(), response.trailers(), body));
    }

    /** A message as gRPC frames it. */
    static Buffer frame(Message message) {
        return frame(message.toByteArray());
    }

    /** Any bytes as if they were a message. */
    static Buffer frame(byte... bytes) {
        return Buffer.buffer().appendByte((byte) 0).appendInt(bytes.length).appendBytes(bytes);
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            return fail("failed", failed.getCause());
        } catch (TimeoutException | InterruptedException hanging) {
            return fail("nothing came within " + GENEROUS_MILLIS + " ms", hanging);
        }
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
