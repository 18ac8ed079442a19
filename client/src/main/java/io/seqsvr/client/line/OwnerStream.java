package io.seqsvr.client.line;

import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.codec.WireBytes;
import io.seqsvr.proto.rpc.ClusterHeader;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.UnkeptClient;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The Allocate stream to one owner: opened with the first frame, and opened anew with a frame that comes a while after
 * it broke. It has a client of its own, with one connection: only with its client a connection can be given up that
 * was accepted and then never spoke. Use it from one context.
 *
 * <p>Invariant: what is told of a frame is its reply, or that none will come on this stream; never both, never twice.
 */
final class OwnerStream {
    private static final String PATH = "/seqsvr.v1.Sequences/Allocate";
    private static final long LEAST_PAUSE_NANOS = 10_000_000;
    private static final long MOST_PAUSE_NANOS = 1_000_000_000;
    /** Then the connection is doubted. */
    private static final long SILENT_NANOS = 1_000_000_000;
    /** How long a connection may take to come about, from its first packet to the owner's settings. */
    private static final long CONNECTED_NANOS = 3_000_000_000L;

    private static final long CANCEL = 8;
    /** Frames without a reply, those included that were given up by whoever sent them. */
    private static final int MOST_IN_FLIGHT = 1_024;

    private final Supplier<UnkeptClient<HttpClient>> clients;
    private final HostPort address;
    private final Supplier<String> clusterId;
    private final LongSupplier routesVersion;
    private final Listener listener;
    private final Consumer<HttpConnection> doubt;
    private final RandomGenerator random;
    private final FrameCodec codec = new FrameCodec();
    private final FrameReply reply = new FrameReply();
    /** Frames that were not handed to the connection yet. */
    private final WireBytes out = new WireBytes();

    /** The oldest first. */
    private final Map<Long, Sent> inFlight = new LinkedHashMap<>();

    private long lastCorrelation;
    /** Counts the streams; what comes of an earlier one is ignored. */
    private int life;

    private boolean begun;
    private boolean retired;
    /** Null before the first stream, and after a connection was given up that did not come about. */
    private @Nullable UnkeptClient<HttpClient> http;

    private @Nullable HttpClientRequest request;
    private long begunAtNanos;
    private int failures;
    private long retryAtNanos;
    private String trouble = "";
    /** Since when somebody waits and nothing was heard. */
    private long silentSinceNanos;
    /** Whether anything was heard at all, and when last. */
    private boolean heard;

    private long heardAtNanos;

    private record Sent(OutgoingFrame frame, long atNanos) {}

    /** Who is told what becomes of the stream; of frames, these are told themselves. */
    interface Listener {
        /** A reply could not be read. */
        void malformed();

        /** The owner shows who owns what by now, as {@link FrameReply#routes} holds it; before its frame is told. */
        void shown(Buffer routes);

        /** A stream was begun. */
        void connecting();

        /** All that came together was told. */
        void told();
    }

    /**
     * A stream that is not open yet.
     *
     * @param clients makes clients, each with connections of its own
     * @param clusterId which cluster is meant: another process may have the address since
     * @param routesVersion version of the picture that is gone by; 0 if no newer one is to be shown
     * @param doubt is told of a connection over which nothing is heard while somebody waits, again and again
     */
    OwnerStream(
            Supplier<UnkeptClient<HttpClient>> clients,
            HostPort address,
            Supplier<String> clusterId,
            LongSupplier routesVersion,
            Listener listener,
            Consumer<HttpConnection> doubt,
            RandomGenerator random) {
        this.clients = clients;
        this.address = address;
        this.clusterId = clusterId;
        this.routesVersion = routesVersion;
        this.listener = listener;
        this.doubt = doubt;
        this.random = random;
    }

    /** A frame is to be sent; it leaves with the next {@link #flush}. */
    void send(OutgoingFrame frame, long nowNanos) {
        if (!begun && failures > 0 && nowNanos - retryAtNanos < 0) {
            frame.unanswered(trouble);
            return;
        }
        if (inFlight.size() >= MOST_IN_FLIGHT) {
            frame.unanswered(address + ": " + inFlight.size() + " frames wait for its answer");
            return;
        }
        if (inFlight.isEmpty()) {
            silentSinceNanos = nowNanos;
        }
        inFlight.put(++lastCorrelation, new Sent(frame, nowNanos));
        if (!begun) {
            begin(nowNanos);
            if (!begun) {
                // It broke at once, and the frame was told.
                return;
            }
        }
        var calls = frame.calls().correlation(lastCorrelation).routesVersion(routesVersion.getAsLong());
        int start = out.size();
        out.put(0);
        out.putInt(0);
        codec.writeRequest(calls, out);
        out.setInt(start + 1, out.size() - start - MessageReader.PREFIX);
    }

    /** Everything that was sent goes to the connection, unless that has more than it can take. */
    void flush() {
        if (request != null && out.size() > 0 && !request.writeQueueFull()) {
            var bytes = out.toBuffer();
            out.clear();
            int mine = life;
            request.write(bytes).onFailure(lost -> broken(mine, message(lost)));
        }
    }

    private void begin(long nowNanos) {
        begun = true;
        begunAtNanos = nowNanos;
        int mine = ++life;
        var client = http == null ? clients.get() : http;
        http = client;
        listener.connecting();
        var options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(address.socketAddress())
                .setURI(PATH);
        try {
            client.get().request(options).onComplete(opened -> {
                if (opened.failed()) {
                    broken(mine, message(opened.cause()));
                } else if (mine != life || !begun) {
                    opened.result().reset(CANCEL);
                } else {
                    opened(mine, opened.result());
                }
            });
        } catch (IllegalStateException closed) {
            broken(mine, message(closed));
        }
    }

    private void opened(int mine, HttpClientRequest stream) {
        request = stream;
        stream.putHeader("content-type", "application/grpc").putHeader("te", "trailers");
        stream.putHeader(ClusterHeader.NAME, clusterId.get());
        stream.setChunked(true);
        stream.exceptionHandler(lost -> broken(mine, message(lost)));
        stream.drainHandler(drained -> flush());
        stream.response().onComplete(response -> {
            if (response.failed()) {
                broken(mine, message(response.cause()));
            } else {
                hear(mine, response.result());
            }
        });
        flush();
    }

    private void hear(int mine, HttpClientResponse response) {
        if (response.statusCode() != 200) {
            broken(mine, "it answered with HTTP status " + response.statusCode());
            return;
        }
        var reader = new MessageReader(this::answered);
        response.handler(chunk -> {
            if (mine != life || !begun) {
                return;
            }
            heard = true;
            heardAtNanos = System.nanoTime();
            silentSinceNanos = heardAtNanos;
            try {
                reader.read(chunk);
            } catch (MalformedMessageException | BadReplyException unreadable) {
                listener.malformed();
                broken(mine, "it sent what cannot be read: " + message(unreadable));
            }
            retireIfIdle();
            listener.told();
        });
        response.exceptionHandler(lost -> broken(mine, message(lost)));
        response.endHandler(ended -> {
            var trailers = response.trailers().contains("grpc-status") ? response.trailers() : response.headers();
            broken(
                    mine,
                    "it ended the stream with status " + trailers.get("grpc-status") + " "
                            + Objects.requireNonNullElse(trailers.get("grpc-message"), ""));
        });
    }

    private void answered(byte[] in, int from, int to) throws MalformedMessageException {
        codec.readReply(in, from, to, reply);
        var sent = inFlight.remove(reply.correlation());
        if (sent == null) {
            return;
        }
        var frame = sent.frame();
        failures = 0;
        var routes = reply.routes();
        if (routes != null) {
            // First: calls that were refused go out again at once, to whom it shows.
            listener.shown(routes);
        }
        try {
            frame.answered(reply);
        } catch (BadReplyException wrong) {
            listener.malformed();
            frame.unanswered(address + ": " + message(wrong));
        }
    }

    private void broken(int mine, String why) {
        if (mine != life || !begun) {
            return;
        }
        trouble = address + ": " + why;
        long pause = Math.min(MOST_PAUSE_NANOS, LEAST_PAUSE_NANOS << Math.min(failures, 10));
        failures++;
        retryAtNanos = System.nanoTime() + pause / 2 + random.nextLong(pause / 2);
        end();
        var lost = List.copyOf(inFlight.values());
        inFlight.clear();
        lost.forEach(sent -> sent.frame().unanswered(trouble));
        listener.told();
    }

    private void end() {
        begun = false;
        out.clear();
        if (request != null) {
            request.reset(CANCEL);
            request = null;
        }
    }

    private static String message(Throwable cause) {
        return Objects.requireNonNullElse(cause.getMessage(), "the connection broke");
    }

    /** Time passes: who answers nobody for so long, or has left so many unanswered for so long, is taken for gone. */
    void tick(long nowNanos, long patienceNanos) {
        if (!inFlight.isEmpty() && nowNanos - silentSinceNanos >= patienceNanos) {
            broken(life, "it answers nobody");
        } else if (inFlight.size() >= MOST_IN_FLIGHT && nowNanos - oldestNanos() >= patienceNanos) {
            broken(life, "it leaves " + inFlight.size() + " frames unanswered");
        } else if (begun && request == null && nowNanos - begunAtNanos >= CONNECTED_NANOS) {
            // A next stream of this client would wait for the same connection.
            var unused = close();
            broken(life, "it says nothing on the connection that it has accepted");
        } else if (request != null && !inFlight.isEmpty() && nowNanos - silentSinceNanos >= SILENT_NANOS) {
            doubt.accept(request.connection());
        }
    }

    private long oldestNanos() {
        return inFlight.values().iterator().next().atNanos();
    }

    /** Closes its connection; a later frame has another one. */
    Future<Void> close() {
        var closing = http;
        http = null;
        return closing == null ? Future.succeededFuture() : closing.close();
    }

    /** Whether its owner has said anything since then. */
    boolean heardSince(long nanos) {
        return heard && heardAtNanos - nanos > 0;
    }

    /** Whether it holds a stream. */
    boolean isBegun() {
        return begun;
    }

    /** Nothing more is sent here; it ends when everything in flight was answered. */
    void retire() {
        retired = true;
        retireIfIdle();
    }

    private void retireIfIdle() {
        if (retired && begun && inFlight.isEmpty()) {
            var ending = request;
            request = null;
            end();
            if (ending != null) {
                ending.end();
            }
        }
    }
}
