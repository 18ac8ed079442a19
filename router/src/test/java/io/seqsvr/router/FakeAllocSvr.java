package io.seqsvr.router;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.node.server.UnaryHandler;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentManyReply;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.CurrentResult;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.LastSequence;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.NextResult;
import io.seqsvr.proto.v1.RaiseFloorReply;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.seqsvr.proto.v1.TakenRange;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An allocator on a real port that answers what the test wants and remembers what it was asked. */
final class FakeAllocSvr implements AutoCloseable {
    /** Not older than any table of these tests. */
    static final long EPOCH = 100;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Queue<NextRequest> asked = new ConcurrentLinkedQueue<>();
    private final NodeServer port;

    private final Queue<NextManyRequest> askedMany = new ConcurrentLinkedQueue<>();
    private final Queue<RaiseFloorRequest> raised = new ConcurrentLinkedQueue<>();
    private final Queue<CurrentRequest> read = new ConcurrentLinkedQueue<>();
    private volatile UnaryHandler<NextRequest, NextReply> next;
    private volatile UnaryHandler<NextManyRequest, NextManyReply> nextMany;
    private volatile boolean serving = true;

    /** Answers every request with {@code seq}, by which a test knows who answered. */
    FakeAllocSvr(long seq) {
        next = (request, timeout) -> Future.succeededFuture(NextReply.newBuilder()
                .setUid(request.getUid())
                .setFirst(seq)
                .setLast(seq)
                .setEpoch(EPOCH)
                .build());
        nextMany = (request, timeout) -> Future.succeededFuture(manyReply(request, seq, EPOCH));
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        port = NodeServer.onContext(
                        vertx.getOrCreateContext(),
                        () -> new NodeServer.Builder(vertx, registry, "allocsvr")
                                .method(SequencesRpc.NEXT, (request, timeout) -> {
                                    asked.add(request);
                                    return next.handle(request, timeout);
                                })
                                .method(SequencesRpc.CURRENT, (request, timeout) -> current(request, seq))
                                .method(SequencesRpc.RAISE_FLOOR, (request, timeout) -> raiseFloor(request))
                                .method(SequencesRpc.NEXT_MANY, (request, timeout) -> {
                                    askedMany.add(request);
                                    return nextMany.handle(request, timeout);
                                })
                                .method(SequencesRpc.CURRENT_MANY, (request, timeout) -> currentMany(request, seq))
                                .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(serving)))
                .await();
    }

    /** For each item the sequence {@code seq}, under an epoch. */
    static NextManyReply manyReply(NextManyRequest request, long seq, long epoch) {
        var reply = NextManyReply.newBuilder();
        for (var item : request.getItemsList()) {
            reply.addResults(NextResult.newBuilder()
                    .setUid(item.getUid())
                    .setTaken(TakenRange.newBuilder().setFirst(seq).setLast(seq).setEpoch(epoch)));
        }
        return reply.build();
    }

    private static Future<CurrentManyReply> currentMany(CurrentManyRequest request, long seq) {
        var reply = CurrentManyReply.newBuilder();
        for (var item : request.getItemsList()) {
            reply.addResults(CurrentResult.newBuilder()
                    .setUid(item.getUid())
                    .setLast(LastSequence.newBuilder()
                            .setSeq(seq)
                            .setExactness(Exactness.UPPER_BOUND)
                            .setEpoch(EPOCH)));
        }
        return Future.succeededFuture(reply.build());
    }

    private Future<RaiseFloorReply> raiseFloor(RaiseFloorRequest request) {
        raised.add(request);
        return Future.succeededFuture(RaiseFloorReply.newBuilder()
                .setUid(request.getUid())
                .setSeq(request.getFloor())
                .setEpoch(EPOCH)
                .build());
    }

    private Future<CurrentReply> current(CurrentRequest request, long seq) {
        read.add(request);
        return Future.succeededFuture(CurrentReply.newBuilder()
                .setUid(request.getUid())
                .setSeq(seq)
                .setExactness(Exactness.EXACT)
                .setEpoch(EPOCH)
                .build());
    }

    void onNext(UnaryHandler<NextRequest, NextReply> handler) {
        next = handler;
    }

    void onNextMany(UnaryHandler<NextManyRequest, NextManyReply> handler) {
        nextMany = handler;
    }

    void serves(boolean well) {
        serving = well;
    }

    HostPort address() {
        return port.address();
    }

    /** What it was asked so far. */
    Queue<NextRequest> asked() {
        return asked;
    }

    /** What it was asked for many users so far. */
    Queue<NextManyRequest> askedMany() {
        return askedMany;
    }

    /** Floors that it was asked to raise so far. */
    Queue<RaiseFloorRequest> raised() {
        return raised;
    }

    /** Readings that it was asked for so far. */
    Queue<CurrentRequest> read() {
        return read;
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
