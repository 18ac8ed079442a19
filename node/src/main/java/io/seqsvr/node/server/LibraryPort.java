package io.seqsvr.node.server;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import org.jspecify.annotations.Nullable;

/**
 * Requests that the library reads by itself. It tells of a message when all of it has come, so room for the longest
 * that there may be is taken when a request begins, or for as much as it says, until its end has come. One that does
 * not end is taken back.
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
    private final int mostBytes;
    private final UnfinishedBytes room;
    private final long endsWithinMillis;

    /**
     * A port that serves nothing yet.
     *
     * @param mostBytes of the message of a request
     * @param room for all requests that have not ended; nobody else's
     * @param endsWithinMillis when one that has not ended is taken back
     */
    LibraryPort(Vertx vertx, int mostBytes, UnfinishedBytes room, long endsWithinMillis) {
        this.vertx = vertx;
        this.grpc = GrpcServer.server(vertx, new GrpcServerOptions().setMaxMessageSize(mostBytes));
        this.mostBytes = mostBytes;
        this.room = room;
        this.endsWithinMillis = endsWithinMillis;
    }

    /** Where methods are bound. */
    GrpcServer grpc() {
        return grpc;
    }

    /** Of the message of a request. */
    int mostBytes() {
        return mostBytes;
    }

    /** Has the library serve a request, if there is room; else it is refused, and what still comes of it dropped. */
    void handle(HttpServerRequest request, String contentType) {
        int bytes = Math.min(PREFIX_BYTES + mostBytes, announced(request.getHeader("content-length")));
        var ofConnection = room.of(request.connection());
        if (!ofConnection.keep(bytes)) {
            request.handler(dropped -> {});
            GrpcTrailers.refuse(request.response(), contentType, ofConnection.refusal());
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
