package io.seqsvr.node.server;

import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests that the library reads by itself, uncompressed ones only: what it unpacks has no bound. It tells of a
 * message when all of it has come, so room for the longest that there may be is taken when a request begins, or for as
 * much as it says, until its end has come. One that does not end is taken back.
 */
final class LibraryPort {
    /** Of calls for many users as gRPC-Web: those of browsers; more go in several. */
    static final int LONG_MESSAGE_BYTES = 256 << 10;
    /** Of what asks for routes, health or the description of the services. */
    static final int SHORT_MESSAGE_BYTES = 4 << 10;

    private static final int PREFIX_BYTES = 5;
    private static final long CANCEL = 8;

    private final Vertx vertx;
    private final GrpcServer grpc;
    private final Set<String> paths = new HashSet<>();
    private final int mostBytes;
    private final UnfinishedBytes room;
    private final RequestMetrics metrics;
    private final long endsWithinMillis;

    /**
     * A port that serves nothing yet.
     *
     * @param mostBytes of the message of a request
     * @param room for all requests that have not ended; nobody else's
     * @param metrics count what is refused here
     * @param endsWithinMillis when one that has not ended is taken back
     */
    LibraryPort(Vertx vertx, int mostBytes, UnfinishedBytes room, RequestMetrics metrics, long endsWithinMillis) {
        this.vertx = vertx;
        this.grpc = GrpcServer.server(vertx, new GrpcServerOptions().setMaxMessageSize(mostBytes));
        this.mostBytes = mostBytes;
        this.room = room;
        this.metrics = metrics;
        this.endsWithinMillis = endsWithinMillis;
    }

    /** Has a method served, by what handles each call of it. */
    void bind(ServiceMethod<Buffer, Buffer> method, Handler<GrpcServerRequest<Buffer, Buffer>> calls) {
        paths.add(method.serviceName().pathOf(method.methodName()));
        grpc.callHandler(method, calls);
    }

    /** Of the message of a request. */
    int mostBytes() {
        return mostBytes;
    }

    /** Has the library serve a request, if it may; else it is refused, and what still comes of it dropped. */
    void handle(HttpServerRequest request, String contentType) {
        if (!paths.contains(request.path())) {
            refuse(request, contentType, unknown(request, contentType));
            return;
        }
        if (!GrpcTrailers.encodingOf(request).equals(GrpcTrailers.IDENTITY)) {
            refuse(request, contentType, GrpcTrailers.unreadEncoding(request, GrpcTrailers.IDENTITY));
            return;
        }
        int bytes = Math.min(PREFIX_BYTES + mostBytes, announced(request.getHeader("content-length")));
        var ofConnection = room.of(request.connection());
        if (!ofConnection.keep(bytes)) {
            refuse(request, contentType, ofConnection.refusal());
            return;
        }
        var place = new Place(ofConnection, bytes);
        long timer = vertx.setTimer(endsWithinMillis, late -> {
            // First: of a request that is taken back here, or was answered before its end, the library may tell no end.
            place.leave();
            takeBack(request);
        });
        request.end().onComplete(ended -> {
            vertx.cancelTimer(timer);
            place.leave();
        });
        grpc.handle(request);
    }

    /** The library would say as much, without a reason. */
    private static RpcException unknown(HttpServerRequest request, String contentType) {
        return RpcException.of(
                GrpcStatus.UNIMPLEMENTED,
                ErrorReason.PATH_UNKNOWN,
                "there is no method at " + request.path() + " for " + contentType + " over " + request.version());
    }

    private void refuse(HttpServerRequest request, String contentType, RpcException error) {
        request.handler(dropped -> {});
        metrics.turnedAway(error.reason().name());
        GrpcTrailers.refuse(request, contentType, error);
    }

    private static void takeBack(HttpServerRequest request) {
        request.response().reset(CANCEL);
        if (request.version() != HttpVersion.HTTP_2) {
            // A reset does nothing where the response has ended.
            request.connection().close();
        }
    }

    /** What one request takes, until it leaves. */
    private static final class Place {
        private final UnfinishedBytes.Share room;
        private int bytes;

        Place(UnfinishedBytes.Share room, int bytes) {
            this.room = room;
            this.bytes = bytes;
        }

        void leave() {
            room.forget(bytes);
            bytes = 0;
        }
    }

    private static int announced(@Nullable String length) {
        try {
            return length == null ? Integer.MAX_VALUE : Math.max(0, Integer.parseInt(length));
        } catch (NumberFormatException none) {
            return Integer.MAX_VALUE;
        }
    }
}
