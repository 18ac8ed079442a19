package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.fail;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.AllocateReply;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One stream of frames to an AllocSvr, over a connection of its own; replies are read by protobuf's own parser. */
final class FrameCaller implements AutoCloseable {
    static final long GENEROUS_MILLIS = 20_000;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context loop = vertx.getOrCreateContext();
    private final BlockingQueue<AllocateReply> replies = new LinkedBlockingQueue<>();
    private final Promise<GrpcStatus> ended = Promise.promise();
    private final HttpClientRequest request;
    private @Nullable HttpClientResponse response;
    private Buffer rest = Buffer.buffer();
    private volatile boolean reads = true;

    FrameCaller(HostPort server) {
        HttpClient http = vertx.createHttpClient(
                new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false));
        var options = new RequestOptions()
                .setServer(server.socketAddress())
                .setMethod(HttpMethod.POST)
                .setURI(SequencesRpc.ALLOCATE.path())
                .putHeader("content-type", "application/grpc")
                .putHeader("te", "trailers");
        request = await(onLoop(() -> http.request(options).onSuccess(opened -> {
            opened.setChunked(true);
            opened.response().onSuccess(this::receive).onFailure(ended::tryFail);
            opened.sendHead();
        })));
    }

    /** A caller that takes nothing in until it {@link #read reads}. */
    static FrameCaller slow(HostPort server) {
        var caller = new FrameCaller(server);
        caller.reads = false;
        return caller;
    }

    private <T> Future<T> onLoop(Supplier<Future<T>> work) {
        return NodeServer.onContext(loop, work);
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (Exception failed) {
            return fail("it did not end well", failed);
        }
    }

    private void receive(HttpClientResponse got) {
        response = got;
        if (!reads) {
            got.pause();
        }
        got.handler(this::split);
        got.exceptionHandler(ended::tryFail);
        got.endHandler(end -> {
            var trailers = got.trailers().contains("grpc-status") ? got.trailers() : got.headers();
            ended.tryComplete(GrpcStatus.valueOf(Integer.parseInt(trailers.get("grpc-status"))));
        });
    }

    void read() {
        await(onLoop(() -> {
            reads = true;
            if (response != null) {
                response.resume();
            }
            return Future.succeededFuture();
        }));
    }

    private void split(Buffer chunk) {
        rest = rest.copy().appendBuffer(chunk);
        try {
            while (rest.length() >= 5 && rest.length() >= 5 + rest.getInt(1)) {
                int end = 5 + rest.getInt(1);
                replies.add(AllocateReply.parseFrom(rest.getBytes(5, end)));
                rest = rest.getBuffer(end, rest.length());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static FrameCalls calls(long correlation, long... uids) {
        var calls = new FrameCalls()
                .correlation(correlation)
                .namespaceName("messages")
                .verb(FrameVerb.NEXT);
        for (long uid : uids) {
            calls.uids().add(uid);
        }
        return calls;
    }

    static Buffer framed(Buffer message) {
        return Buffer.buffer().appendByte((byte) 0).appendInt(message.length()).appendBuffer(message);
    }

    void send(FrameCalls calls) {
        send(framed(new FrameCodec().writeRequest(calls)));
    }

    void send(Buffer bytes) {
        await(onLoop(() -> request.write(bytes)));
    }

    /** The same without waiting until it is on its way. */
    void push(Buffer bytes) {
        loop.runOnContext(now -> request.write(bytes));
    }

    AllocateReply take() {
        try {
            var reply = replies.poll(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            return reply == null ? fail("no reply came") : reply;
        } catch (InterruptedException interrupted) {
            return fail(interrupted);
        }
    }

    /** The reply to one frame that is alone in flight. */
    AllocateReply ask(FrameCalls calls) {
        send(calls);
        var reply = take();
        return reply.getCorrelation() == calls.correlation() ? reply : fail("another correlation: " + reply);
    }

    AllocateReply ask(FrameCalls calls, Consumer<FrameCalls> more) {
        more.accept(calls);
        return ask(calls);
    }

    void halfClose() {
        await(onLoop(() -> request.end()));
    }

    void reset() {
        await(onLoop(() -> request.reset(8)));
    }

    GrpcStatus end() {
        return await(ended.future());
    }

    boolean nothingCame() {
        return replies.isEmpty();
    }

    @Override
    public void close() {
        // A connection with an open stream is long in closing.
        await(onLoop(() -> request.reset(8).otherwiseEmpty()));
        vertx.close().await();
    }
}
