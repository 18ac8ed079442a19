package io.seqsvr.node.server;

import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A gRPC stream that stays open: messages go in one by one, and what comes back queues up. */
final class GrpcStream {
    private final TestClient client;
    private final HttpClientRequest request;
    private final BlockingQueue<Buffer> messages = new LinkedBlockingQueue<>();
    private final Promise<GrpcStatus> ended = Promise.promise();
    private final Promise<HttpClientResponse> begun = Promise.promise();
    private final Promise<Throwable> reset = Promise.promise();
    private Buffer received = Buffer.buffer();

    private GrpcStream(TestClient client, HttpClientRequest request) {
        this.client = client;
        this.request = request;
    }

    static GrpcStream open(TestClient client, String path) {
        return open(client, path, MultiMap.caseInsensitiveMultiMap());
    }

    /** With headers more. */
    static GrpcStream open(TestClient client, String path, MultiMap headers) {
        return TestClient.await(client.onLoop(() -> client.open(path).map(request -> {
            request.headers().addAll(headers);
            var stream = new GrpcStream(client, request.setChunked(true));
            request.exceptionHandler(stream.reset::tryComplete);
            request.response().onSuccess(stream::receive);
            return stream;
        })));
    }

    private void receive(HttpClientResponse response) {
        begun.complete(response);
        response.handler(this::split);
        response.end()
                .onSuccess(end ->
                        ended.tryComplete(new GrpcAnswer(response.headers(), response.trailers(), received).status()))
                .onFailure(ended::tryFail);
    }

    private void split(Buffer chunk) {
        received = received.copy().appendBuffer(chunk);
        while (received.length() >= 5 && received.length() >= 5 + received.getInt(1)) {
            int end = 5 + received.getInt(1);
            messages.add(received.getBuffer(5, end));
            received = received.getBuffer(end, received.length());
        }
    }

    void send(Message message) {
        send(TestClient.frame(message));
    }

    void send(Buffer bytes) {
        TestClient.await(client.onLoop(() -> request.write(bytes)));
    }

    /** Says no more than that it begins. */
    void sendHead() {
        TestClient.await(client.onLoop(request::sendHead));
    }

    /** Reads no more of the replies, once they have begun. */
    void pause() {
        TestClient.await(client.onLoop(() -> begun.future().map(HttpClientResponse::pause)));
    }

    /** Reads on. */
    void resume() {
        TestClient.await(client.onLoop(() -> begun.future().map(HttpClientResponse::resume)));
    }

    void halfClose() {
        TestClient.await(client.onLoop(() -> request.end()));
    }

    void cancel() {
        TestClient.await(client.onLoop(() -> request.reset(8)));
    }

    void closeConnection() {
        TestClient.await(client.onLoop(() -> request.connection().close()));
    }

    <M extends Message> M take(Parser<M> parser) {
        try {
            var message = messages.poll(TestClient.GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            return message == null ? fail("no message came") : parser.parseFrom(message.getBytes());
        } catch (InterruptedException | InvalidProtocolBufferException none) {
            return fail(none);
        }
    }

    boolean nothingCame() {
        return messages.isEmpty();
    }

    /** The head of the response. */
    Future<HttpClientResponse> head() {
        return begun.future();
    }

    /** Why nothing more can be sent, where it was not this side that ended it. */
    Future<Throwable> reset() {
        return reset.future();
    }

    Future<GrpcStatus> ended() {
        return ended.future();
    }
}
