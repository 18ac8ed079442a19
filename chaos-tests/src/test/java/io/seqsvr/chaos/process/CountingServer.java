package io.seqsvr.chaos.process;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.ArrayList;
import java.util.List;

/** A gRPC server of next in this JVM, right or wrong as its {@link Counting} is; all its work is on one event loop. */
final class CountingServer implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final Counting counting;
    private final List<HttpConnection> connections = new ArrayList<>();
    private final HttpServer server;

    CountingServer(Counting counting) {
        this.counting = counting;
        this.server = vertx.createHttpServer()
                .requestHandler(GrpcServer.server(vertx).callHandler(this::serve))
                .listen(0, "127.0.0.1")
                .await();
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", server.actualPort());
    }

    private void serve(GrpcServerRequest<Buffer, Buffer> call) {
        call.handler(body -> {
            try {
                var request = SequencesRpc.NEXT.requestParser().parseFrom(body.getBytes());
                var reply = counting.answer(numberOf(call.connection()), request);
                call.response().end(Buffer.buffer(reply.toByteArray()));
            } catch (RpcException refusal) {
                call.response().status(refusal.status()).statusMessage(refusal.message());
                refusal.writeTo(call.response().trailers());
                call.response().end();
            } catch (InvalidProtocolBufferException unreadable) {
                call.response().status(GrpcStatus.INVALID_ARGUMENT).end();
            }
        });
    }

    private int numberOf(HttpConnection connection) {
        if (!connections.contains(connection)) {
            connections.add(connection);
        }
        return connections.indexOf(connection);
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
