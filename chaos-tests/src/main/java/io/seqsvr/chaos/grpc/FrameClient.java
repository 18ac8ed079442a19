package io.seqsvr.chaos.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.seqsvr.chaos.grpc.CallFailure.Kind;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.rpc.UnaryCaller;
import io.seqsvr.proto.v1.AllocateReply;
import io.seqsvr.proto.v1.AllocateRequest;
import io.seqsvr.proto.v1.FrameVerb;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongToIntFunction;

/**
 * Asks one server by frames on a stream of its own, and passes on whatever it says. A stream that ends is opened anew
 * by the next frame; so is one on which a frame was not answered in time. Each frame says how long it waits, or every
 * second one does.
 */
public final class FrameClient implements ManyCaller {
    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;

    private final Vertx vertx;
    private final Context context;
    private final GrpcClient grpc;
    private final SocketAddress server;
    private final Duration timeout;
    private final LongToIntFunction segmentOf;
    private final boolean eachWaits;

    // From here on, all is of the one context.
    private Optional<Stream> stream = Optional.empty();
    private long frames;

    /**
     * A client that connects with its first frame.
     *
     * @param timeout how long a frame may take, at least 1 ms
     * @param segmentOf the segment of a user: replies tell epochs by segment
     */
    public FrameClient(String host, int port, Duration timeout, LongToIntFunction segmentOf) {
        this(host, port, timeout, segmentOf, false);
    }

    /** A client of which each frame says that it waits for so long. */
    public static FrameClient patient(String host, int port, Duration timeout, LongToIntFunction segmentOf) {
        return new FrameClient(host, port, timeout, segmentOf, true);
    }

    private FrameClient(String host, int port, Duration timeout, LongToIntFunction segmentOf, boolean eachWaits) {
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        this.context = vertx.getOrCreateContext();
        this.grpc = GrpcClient.client(
                vertx,
                new GrpcClientOptions().setMaxMessageSize(UnaryCaller.MAX_MESSAGE_BYTES),
                new HttpClientOptions().setHttp2ClearTextUpgrade(false).setConnectTimeout(CONNECT_TIMEOUT_MILLIS));
        this.server = new HostPort(host, port).socketAddress();
        this.timeout = timeout;
        this.segmentOf = segmentOf;
        this.eachWaits = eachWaits;
    }

    @Override
    public CompletionStage<List<Optional<Given>>> nextMany(String namespace, long[] uids) {
        return ask(
                namespace,
                FrameVerb.FRAME_NEXT,
                uids,
                reply -> new FrameAnswer(reply, uids, segmentOf)
                        .each((uid, seq, epoch) -> new Given(uid, seq, seq, epoch)));
    }

    @Override
    public CompletionStage<List<Optional<Told>>> currentMany(String namespace, long[] uids) {
        return ask(
                namespace,
                FrameVerb.FRAME_CURRENT,
                uids,
                reply -> new FrameAnswer(reply, uids, segmentOf).each(Told::new));
    }

    private <R> CompletionStage<R> ask(String namespace, FrameVerb verb, long[] uids, Function<AllocateReply, R> read) {
        var frame = AllocateRequest.newBuilder().setNamespace(namespace).setVerb(verb);
        for (long uid : uids) {
            frame.addUids(uid);
        }
        var answer = new CompletableFuture<AllocateReply>();
        try {
            context.runOnContext(here -> send(frame, answer));
        } catch (RejectedExecutionException closed) {
            answer.completeExceptionally(unknown("the client is closed"));
        }
        // A result of its own: a stage of the answer's would wrap its failures.
        var result = new CompletableFuture<R>();
        var unused = answer.whenComplete((reply, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
                return;
            }
            try {
                result.complete(read.apply(reply));
            } catch (IllegalArgumentException nonsense) {
                result.completeExceptionally(
                        new CallFailure(Kind.DEFECT, String.valueOf(nonsense.getMessage()), Optional.empty()));
            }
        });
        return result;
    }

    private static CallFailure unknown(String why) {
        return new CallFailure(Kind.UNKNOWN, why, Optional.empty());
    }

    private void send(AllocateRequest.Builder frame, CompletableFuture<AllocateReply> answer) {
        long correlation = ++frames;
        var used = stream.filter(open -> !open.over).orElseGet(Stream::new);
        stream = Optional.of(used);
        used.waiting.put(correlation, answer);
        vertx.setTimer(timeout.toMillis(), late -> {
            if (used.waiting.containsKey(correlation)) {
                used.end("no answer within " + timeout.toMillis() + " ms");
            }
        });
        frame.setTimeoutMs(eachWaits || correlation % 2 == 0 ? (int) timeout.toMillis() : 0);
        used.send(Buffer.buffer(frame.setCorrelation(correlation).build().toByteArray()));
    }

    /** One call of Allocate, and the frames on it that wait. */
    private final class Stream {
        private final Map<Long, CompletableFuture<AllocateReply>> waiting = new HashMap<>();
        private Optional<GrpcClientRequest<Buffer, Buffer>> sending = Optional.empty();
        private boolean opening;
        private boolean over;

        private void send(Buffer frame) {
            if (sending.isPresent()) {
                write(sending.get(), frame);
            } else if (opening) {
                // Few frames are under way at a time, and the next one may have a better stream.
                end("the stream was not open yet");
            } else {
                opening = true;
                open(frame);
            }
        }

        private void open(Buffer frame) {
            grpc.request(server).onComplete(opened -> {
                if (opened.failed()) {
                    end(String.valueOf(opened.cause().getMessage()));
                    return;
                }
                var request = opened.result();
                request.serviceName(SequencesRpc.NEXT.serviceName());
                request.methodName(SequencesRpc.ALLOCATE.descriptor().getName());
                sending = Optional.of(request);
                request.response().onSuccess(this::receive).onFailure(lost -> end(String.valueOf(lost.getMessage())));
                if (over) {
                    request.cancel();
                } else {
                    write(request, frame);
                }
            });
        }

        private void write(GrpcClientRequest<Buffer, Buffer> request, Buffer frame) {
            request.write(frame).onFailure(lost -> end(String.valueOf(lost.getMessage())));
        }

        private void receive(GrpcClientResponse<Buffer, Buffer> response) {
            response.handler(this::take);
            response.errorHandler(reset -> end("the stream was reset: " + reset));
            response.end().onComplete(ended -> end("the server ended the stream: " + response.status()));
        }

        private void take(Buffer message) {
            try {
                var reply = AllocateReply.parseFrom(message.getBytes());
                // One that nobody waits for is of a frame that was given up.
                Optional.ofNullable(waiting.remove(reply.getCorrelation())).ifPresent(one -> one.complete(reply));
            } catch (InvalidProtocolBufferException unreadable) {
                end(new CallFailure(
                        Kind.DEFECT, "what came is no AllocateReply: " + unreadable.getMessage(), Optional.empty()));
            }
        }

        private void end(String why) {
            end(unknown(why));
        }

        private void end(CallFailure failure) {
            over = true;
            var left = List.copyOf(waiting.values());
            waiting.clear();
            // After that: what is cancelled ends again at once, with less to say.
            sending.ifPresent(GrpcClientRequest::cancel);
            left.forEach(one -> one.completeExceptionally(failure));
        }
    }

    @Override
    public void close() {
        LoopEnd.of(vertx, context, grpc::close);
    }
}
