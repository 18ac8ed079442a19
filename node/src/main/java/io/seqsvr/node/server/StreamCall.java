package io.seqsvr.node.server;

import io.seqsvr.core.front.OpenShare;
import io.seqsvr.node.metrics.RequestMetrics;
import io.seqsvr.node.socket.ConnectionShare;
import io.seqsvr.proto.codec.WireBytes;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpc.common.GrpcStatus;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream of gRPC messages both ways over HTTP/2.
 *
 * <p>Invariant: while the caller does not read, or too many of its messages are held, nothing more is read from it; so
 * what one stream can make the process keep is bounded, and no other stream waits for it. It ends once.
 */
final class StreamCall implements StreamReplies {
    /** Messages of one stream that may be held. */
    static final int MOST_HELD = 32;
    /** What is held takes so many times what it took on the wire, about: each call of it is waited for by itself. */
    private static final int HELD_WEIGHT = 4;
    /** Replies that leave together are at most about so long. */
    private static final int FLUSH_BYTES = 1 << 18;

    private static final Logger LOG = LoggerFactory.getLogger(StreamCall.class);

    private final Vertx vertx;
    private final String verb;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final RequestMetrics metrics;
    private final Consumer<StreamCall> whenOver;
    private final long startedAt = System.nanoTime();
    private final Deframer deframer = new Deframer();
    private final UnfinishedRequests unfinished;
    private final UnfinishedBytes.Share room;
    private final UnderWay underWay;
    private final StreamReplyBytes replies;
    private final OpenShare share;
    private final WireBytes out = new WireBytes();
    private StreamHandler.@Nullable Receiver receiver;
    /** The message of which only a part has come; null where none is, or nothing may be read. */
    private UnfinishedRequests.@Nullable Begun partial;

    private long timer = -1;
    private int prefixAt;
    private int held;
    /** What of this stream counts as unfinished: of what has come in part, or waits, and of what is held. */
    private int counted;

    private int countedAsHeld;
    /** Whether there was no room for the message that is held last: it goes on when one before is done with. */
    private boolean crowded;
    /** Whether nothing has come since it began, or was last asked to rest. */
    private boolean idle = true;

    private boolean reading;
    private boolean paused;
    private boolean flushScheduled;
    private boolean halfClosed;
    /** With what it ends as soon as nothing is held; null while it goes on. */
    private @Nullable RpcException stopped;
    /** Whether more has come since. */
    private boolean ignored;

    private boolean over;

    /**
     * A stream that has not begun.
     *
     * @param unfinished messages that have come in part, and room for them and those that wait
     * @param underWay is told when it is over before all that it holds was answered
     * @param replies takes what it answers
     * @param whenOver told, perhaps more than once, when it has ended and its last bytes have left, or will not
     */
    StreamCall(
            Vertx vertx,
            String verb,
            HttpServerRequest request,
            RequestMetrics metrics,
            UnfinishedRequests unfinished,
            UnderWay underWay,
            StreamReplyBytes replies,
            Consumer<StreamCall> whenOver) {
        this.vertx = vertx;
        this.verb = verb;
        this.request = request;
        this.response = request.response();
        this.metrics = metrics;
        this.unfinished = unfinished;
        this.room = unfinished.roomOf(request.connection());
        this.underWay = underWay;
        this.replies = replies;
        this.share = ConnectionShare.of(request.connection());
        this.whenOver = whenOver;
    }

    void begin(StreamHandler handler) {
        response.putHeader("content-type", "application/grpc");
        response.exceptionHandler(lost -> gone());
        response.closeHandler(closed -> gone());
        response.drainHandler(drained -> goOn());
        request.exceptionHandler(lost -> gone());
        request.handler(this::chunk);
        request.endHandler(ended -> {
            halfClosed = true;
            paused = false;
            goOn();
        });
        if (!GrpcTrailers.encodingOf(request).equals(GrpcTrailers.IDENTITY)) {
            fail(GrpcTrailers.unreadEncoding(request, GrpcTrailers.IDENTITY));
            return;
        }
        long timeout = GrpcTimeout.millis(request.getHeader("grpc-timeout"));
        if (timeout > 0) {
            timer = vertx.setTimer(timeout, fired -> fail(deadlinePassed(timeout)));
        }
        receiver = handler.open(this);
        // Some callers, as tonic's in Rust, send nothing before they have the head. Others may be refused by it alone.
        vertx.runOnContext(later -> {
            if (!over && idle && !response.headWritten()) {
                response.writeHead();
            }
        });
    }

    private RpcException deadlinePassed(long timeoutMillis) {
        return RpcException.of(
                GrpcStatus.DEADLINE_EXCEEDED,
                ErrorReason.DEADLINE_PASSED,
                "the stream was to end within " + timeoutMillis + " ms");
    }

    private void chunk(Buffer chunk) {
        idle = false;
        if (stopped != null) {
            ignored = true;
        } else if (!over) {
            deframer.append(chunk);
            goOn();
        }
    }

    /** Handles what has come as far as it may; reads on, or pauses; ends the stream when all is done. */
    private void goOn() {
        if (over || reading) {
            return;
        }
        reading = true;
        try {
            while (mayRead() && deframer.next()) {
                endPartial();
                read();
                if (out.size() > FLUSH_BYTES) {
                    flush();
                }
            }
            count();
            endIfDone();
        } catch (RpcException problem) {
            fail(problem);
        } catch (RuntimeException defect) {
            LOG.error("event=defect verb={} error=\"{}\"", verb, defect.getMessage(), defect);
            fail(RpcException.of(
                    GrpcStatus.INTERNAL,
                    ErrorReason.INTERNAL_DEFECT,
                    verb + " failed by a defect of the server; its log tells more"));
        } finally {
            reading = false;
        }
        flush();
        pauseOrResume();
    }

    /** Takes nothing more, and ends with this when what it holds was answered. */
    void stop(RpcException error) {
        stopped = error;
        goOn();
    }

    /** Ends at once, whatever it holds. */
    void breakOff() {
        fail(held > 0 ? UnderWay.brokenOff() : UnderWay.refusal());
    }

    /** Asked now and then: a stream over which nothing has come since the last time keeps no room for more. */
    void restIfIdle() {
        replies.takeBackIfUnread(System.nanoTime());
        if (idle && !reading && !flushScheduled) {
            deframer.rest();
            out.rest();
        }
        idle = true;
    }

    private void count() throws RpcException {
        if (over) {
            return;
        }
        int more = deframer.size() - counted;
        if (more > 0 && !room.keep(more)) {
            throw room.refusal();
        }
        if (more < 0) {
            room.forget(-more);
        }
        counted += more;
    }

    private void endPartial() {
        if (partial != null) {
            partial.ends();
            partial = null;
        }
    }

    private boolean mayRead() {
        return !over && stopped == null && !crowded && held < MOST_HELD && !response.writeQueueFull();
    }

    private void read() throws RpcException {
        if (receiver == null) {
            return;
        }
        int before = held;
        int bytes = HELD_WEIGHT * (deframer.to() - deframer.from());
        boolean counts = room.keep(bytes);
        if (!counts && before == 0) {
            throw room.refusal();
        }
        try {
            receiver.message(deframer.bytes(), deframer.from(), deframer.to());
        } finally {
            if (held > before) {
                countedAsHeld += counts ? bytes : 0;
                crowded = !counts;
            } else if (counts) {
                room.forget(bytes);
            }
        }
    }

    private void pauseOrResume() {
        if (over) {
            return;
        }
        timePartial();
        // After a stop it reads on, to see whether its caller has ended it. Then there is nothing to pause or resume.
        boolean may = halfClosed || mayRead() || stopped != null;
        if (paused && may) {
            paused = false;
            request.resume();
        } else if (!paused && !may) {
            paused = true;
            request.pause();
        }
    }

    /** Where nothing may be read, the rest of a message does not wait for its caller. */
    private void timePartial() {
        if (!mayRead() || deframer.isEmpty()) {
            endPartial();
        } else if (partial == null) {
            partial = unfinished.begins(() -> fail(unfinished.refusal("a message")));
        }
    }

    private void endIfDone() throws RpcException {
        if (over || held > 0) {
            return;
        }
        if (stopped != null && (ignored || !halfClosed || !deframer.isEmpty())) {
            throw stopped;
        }
        if (stopped == null && (!halfClosed || !mayRead())) {
            return;
        }
        if (!deframer.isEmpty()) {
            throw RpcException.of(
                    GrpcStatus.INVALID_ARGUMENT, ErrorReason.MALFORMED_REQUEST, "the stream ends within a message");
        }
        finish(GrpcStatus.OK, GrpcTrailers::end);
    }

    @Override
    public WireBytes begin() {
        prefixAt = out.size();
        out.put(0);
        out.putInt(0);
        return out;
    }

    @Override
    public void sent() {
        out.setInt(prefixAt + 1, out.size() - prefixAt - 5);
        if (!reading && !flushScheduled) {
            flushScheduled = true;
            vertx.runOnContext(later -> {
                flushScheduled = false;
                flush();
                goOn();
            });
        }
    }

    private void flush() {
        if (over || out.size() == 0) {
            out.clear();
            return;
        }
        var bytes = out.toBuffer();
        out.clear();
        if (!replies.write(bytes)) {
            fail(replies.refusal());
        }
    }

    @Override
    public void hold() {
        held++;
    }

    @Override
    public void release() {
        // Which of them it is does not matter: with the last one all is forgotten.
        int share = countedAsHeld / held;
        room.forget(share);
        countedAsHeld -= share;
        crowded = false;
        held--;
        if (!reading) {
            // Not at once: who releases is in the midst of something, and more may be released together.
            vertx.runOnContext(later -> goOn());
        }
    }

    @Override
    public void fail(RpcException error) {
        if (!over) {
            finish(error.status(), said -> GrpcTrailers.end(said, error));
        }
    }

    @Override
    public boolean over() {
        return over;
    }

    @Override
    public OpenShare share() {
        return share;
    }

    private void finish(GrpcStatus status, Function<HttpServerRequest, Future<Void>> end) {
        flush();
        if (over) {
            return;
        }
        close(status);
        end.apply(request).onComplete(gone -> whenOver.accept(this));
        if (paused) {
            // What the caller still sends is read, and dropped by chunk().
            request.resume();
        }
    }

    /** The caller is gone, or the connection: nobody hears anything any more. */
    private void gone() {
        if (!over) {
            close(GrpcStatus.CANCELLED);
        }
        whenOver.accept(this);
    }

    private void close(GrpcStatus status) {
        over = true;
        out.clear();
        endPartial();
        room.forget(counted);
        counted = 0;
        if (timer >= 0) {
            vertx.cancelTimer(timer);
        }
        metrics.ended(verb, status, System.nanoTime() - startedAt);
        if (held > 0) {
            underWay.callerLeft();
        }
    }
}
