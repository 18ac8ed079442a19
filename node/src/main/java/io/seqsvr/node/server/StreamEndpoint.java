package io.seqsvr.node.server;

import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.proto.rpc.StreamMethod;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves one method that streams both ways, without the library's own server: that copies the rest of a chunk after
 * each message, which is quadratic where many small messages come together.
 */
final class StreamEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(StreamEndpoint.class);

    /** A stream over which nothing comes for as long keeps no memory for what may come. */
    private static final long IDLE_MILLIS = 5_000;

    private final Vertx vertx;
    private final StreamMethod method;
    private final StreamHandler handler;
    private final RequestMetrics metrics;
    private final UnfinishedRequests unfinished;
    private final UnfinishedBytes unreadBytes;
    private final UnreadReplies unread;
    private final UnderWay underWay;
    private final Set<StreamCall> open = new HashSet<>();
    /** Whether there will be a look at who is idle. */
    private boolean looking;

    private boolean stopping;

    StreamEndpoint(
            Vertx vertx,
            StreamMethod method,
            StreamHandler handler,
            RequestMetrics metrics,
            UnfinishedRequests unfinished,
            UnfinishedBytes unreadBytes,
            UnreadReplies unread,
            UnderWay underWay) {
        this.vertx = vertx;
        this.method = method;
        this.handler = handler;
        this.metrics = metrics;
        this.unfinished = unfinished;
        this.unreadBytes = unreadBytes;
        this.unread = unread;
        this.underWay = underWay;
    }

    /** Whether a request is gRPC as it is served here; anything else is refused. */
    static boolean takes(HttpServerRequest request, String contentType) {
        return request.version() == HttpVersion.HTTP_2
                && HttpMethod.POST.equals(request.method())
                && (contentType.equals("application/grpc")
                        || contentType.startsWith("application/grpc+proto")
                        || contentType.startsWith("application/grpc;"));
    }

    void open(HttpServerRequest request) {
        var replies = new StreamReplyBytes(request, unreadBytes.of(request.connection()), unread);
        var call = new StreamCall(
                vertx, method.descriptor().getName(), request, metrics, unfinished, underWay, replies, open::remove);
        open.add(call);
        if (!looking) {
            later();
        }
        call.begin(handler);
        if (stopping) {
            call.stop(UnderWay.refusal());
        }
    }

    private void later() {
        looking = true;
        vertx.setTimer(IDLE_MILLIS, fired -> {
            looking = false;
            each(StreamCall::restIfIdle);
            if (!open.isEmpty()) {
                later();
            }
        });
    }

    /** One that fails keeps no other from it. */
    private void each(Consumer<StreamCall> work) {
        // A copy: what is done may end it, and others.
        for (var call : List.copyOf(open)) {
            try {
                work.accept(call);
            } catch (RuntimeException defect) {
                LOG.error(
                        "event=defect verb={} error=\"{}\"",
                        method.descriptor().getName(),
                        defect.getMessage(),
                        defect);
            }
        }
    }

    /** Ends every stream at once: a connection with one that is open is long in closing. */
    void close() {
        each(StreamCall::breakOff);
    }

    /** Ends every stream when what it holds was answered, and each that begins. */
    void stop() {
        stopping = true;
        each(call -> call.stop(UnderWay.refusal()));
    }

    /** Whether no stream is open. */
    boolean isIdle() {
        return open.isEmpty();
    }
}
