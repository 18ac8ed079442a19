package io.seqsvr.node.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.server.GrpcServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Room for requests that the library reads by itself. It tells of a message when all of it has come, so room for the
 * longest that there may be is taken when a request begins, or for as much as it says, until its end has come.
 */
final class LibraryRoom {
    /** Of calls for many users as gRPC-Web: those of browsers; more go in several. */
    static final int LONG_MESSAGE_BYTES = 256 << 10;
    /** Of what asks for routes, health or the description of the services. */
    static final int SHORT_MESSAGE_BYTES = 4 << 10;

    private static final int PREFIX_BYTES = 5;

    private final UnfinishedBytes unfinished;
    private final int most;

    /** Room for requests of one message of so many bytes at most. */
    LibraryRoom(UnfinishedBytes unfinished, int most) {
        this.unfinished = unfinished;
        this.most = most;
    }

    int most() {
        return most;
    }

    /**
     * Reads a request; whoever finds no room is refused.
     *
     * @param body takes its messages
     * @param whole run when all has come, unless it was refused or has gone before
     */
    void read(GrpcServerRequest<Buffer, Buffer> request, GrpcEndpoint.FirstMessage body, Runnable whole) {
        int bytes = Math.min(PREFIX_BYTES + most, announced(request.headers().get("content-length")));
        if (!unfinished.keep(bytes)) {
            request.handler(ignored -> {});
            request.endHandler(ignored -> {});
            GrpcEndpoint.fail(request.response(), unfinished.refusal());
            return;
        }
        var place = new Place(bytes);
        request.invalidMessageHandler(tooLarge -> body.refuse());
        request.handler(body::take);
        request.endHandler(ended -> {
            place.leave();
            whole.run();
        });
        // The first tells of a stream taken back, the second of a connection lost.
        request.errorHandler(reset -> place.leave());
        request.response().exceptionHandler(lost -> place.leave());
    }

    private static int announced(@Nullable String length) {
        try {
            return length == null ? Integer.MAX_VALUE : Math.max(0, Integer.parseInt(length));
        } catch (NumberFormatException none) {
            return Integer.MAX_VALUE;
        }
    }

    /** What one request takes, until it leaves. */
    private final class Place {
        private int bytes;

        Place(int bytes) {
            this.bytes = bytes;
        }

        void leave() {
            unfinished.forget(bytes);
            bytes = 0;
        }
    }
}
