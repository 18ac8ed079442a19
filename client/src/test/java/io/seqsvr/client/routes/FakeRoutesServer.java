package io.seqsvr.client.routes;

import static org.junit.jupiter.api.Assertions.fail;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.WatchRoutesRequest;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server of routes that tells what a test makes up, to one watcher after the other. */
final class FakeRoutesServer implements AutoCloseable {
    /** Far above what anything in these tests may take. */
    static final long GENEROUS_MILLIS = 15_000;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final BlockingQueue<Watcher> watchers = new LinkedBlockingQueue<>();
    private final HttpServer server;

    /** Somebody who watches. */
    final class Watcher {
        private final GrpcServerRequest<Buffer, Buffer> call;
        private final WatchRoutesRequest request;

        private Watcher(GrpcServerRequest<Buffer, Buffer> call, WatchRoutesRequest request) {
            this.call = call;
            this.request = request;
        }

        WatchRoutesRequest request() {
            return request;
        }

        /** The answer begins, and nothing is said yet. */
        void begin() {
            vertx.runOnContext(here -> call.response().writeHead());
        }

        /** After some time of which the caller knows nothing. */
        void tellAfter(long millis, RouteChanges changes) {
            vertx.setTimer(millis, passed -> tell(changes));
        }

        void tell(RouteChanges changes) {
            tell(Buffer.buffer(RoutesCodec.encode(changes).toByteArray()));
        }

        void tell(Buffer bytes) {
            vertx.runOnContext(here -> call.response().write(bytes));
        }

        void refuse(RpcException error) {
            vertx.runOnContext(here -> {
                error.writeTo(call.response().trailers());
                call.response()
                        .status(error.status())
                        .statusMessage(error.message())
                        .end();
            });
        }

        void end() {
            vertx.runOnContext(here -> call.response().end());
        }

        void cutConnection() {
            vertx.runOnContext(here -> call.connection().close());
        }
    }

    FakeRoutesServer() {
        server = vertx.createHttpServer()
                .requestHandler(GrpcServer.server(vertx).callHandler(this::serve))
                .listen(0, "127.0.0.1")
                .await();
    }

    private void serve(GrpcServerRequest<Buffer, Buffer> call) {
        call.handler(body -> {
            try {
                watchers.add(new Watcher(call, WatchRoutesRequest.parseFrom(body.getBytes())));
            } catch (InvalidProtocolBufferException broken) {
                throw new IllegalArgumentException(broken);
            }
        });
    }

    HostPort address() {
        return new HostPort("127.0.0.1", server.actualPort());
    }

    /** The next one who watches. */
    Watcher next() {
        try {
            var watcher = watchers.poll(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            return watcher == null ? fail("nobody watches") : watcher;
        } catch (InterruptedException interrupted) {
            return fail(interrupted);
        }
    }

    boolean nobodyWatches() {
        return watchers.isEmpty();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
