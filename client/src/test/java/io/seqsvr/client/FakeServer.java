package io.seqsvr.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.function.Function;

/** A gRPC server on a free port that answers whatever a test makes up; all its work is on one event loop. */
final class FakeServer implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Function<Message, Future<? extends Message>> answers;
    private final HttpServer server;

    FakeServer(Function<Message, Future<? extends Message>> answers) {
        this.answers = answers;
        this.server = vertx.createHttpServer()
                .requestHandler(GrpcServer.server(vertx).callHandler(this::serve))
                .listen(0, "127.0.0.1")
                .await();
    }

    int port() {
        return server.actualPort();
    }

    private void serve(GrpcServerRequest<Buffer, Buffer> call) {
        call.handler(body -> answers.apply(request(call.methodName(), body)).onComplete(answer -> {
            if (answer.succeeded()) {
                call.response().end(Buffer.buffer(answer.result().toByteArray()));
            } else {
                fail(call, (RpcException) answer.cause());
            }
        }));
    }

    private static void fail(GrpcServerRequest<Buffer, Buffer> call, RpcException error) {
        call.response().status(error.status()).statusMessage(error.message());
        error.writeTo(call.response().trailers());
        call.response().end();
    }

    private static Message request(String method, Buffer body) {
        try {
            return method.equals("Next")
                    ? SequencesRpc.NEXT.requestParser().parseFrom(body.getBytes())
                    : SequencesRpc.CURRENT.requestParser().parseFrom(body.getBytes());
        } catch (InvalidProtocolBufferException broken) {
            throw new IllegalArgumentException(GrpcStatus.INVALID_ARGUMENT.name(), broken);
        }
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
