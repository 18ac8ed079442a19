package io.seqsvr.chaos.process;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentReply;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A gRPC server of next in this JVM, right or wrong as its {@link Counting} is; all its work is on one event loop. Of
 * everybody it tells that the last number is the greatest one that it has given.
 */
final class CountingServer implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final Counting counting;
    private final List<HttpConnection> connections = new ArrayList<>();
    private final HttpServer server;
    private final AtomicLong readings = new AtomicLong();
    private long greatest;

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

    /** How often it was asked for the last number. */
    long readings() {
        return readings.get();
    }

    private MessageLite answer(GrpcServerRequest<Buffer, Buffer> call, byte[] body)
            throws InvalidProtocolBufferException, RpcException {
        if (call.methodName().equals("Current")) {
            readings.incrementAndGet();
            var asked = SequencesRpc.CURRENT.requestParser().parseFrom(body);
            return CurrentReply.newBuilder()
                    .setUid(asked.getUid())
                    .setSeq(greatest)
                    .build();
        }
        var request = SequencesRpc.NEXT.requestParser().parseFrom(body);
        var reply = counting.answer(numberOf(call.connection()), request);
        greatest = Math.max(greatest, reply.getLast());
        return reply;
    }

    private void serve(GrpcServerRequest<Buffer, Buffer> call) {
        call.handler(body -> {
            try {
                var reply = answer(call, body.getBytes());
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
