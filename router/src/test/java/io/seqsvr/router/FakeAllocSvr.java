package io.seqsvr.router;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.node.server.UnaryHandler;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
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

    private volatile UnaryHandler<NextRequest, NextReply> next;
    private volatile boolean serving = true;

    /** Answers every request with {@code seq}, by which a test knows who answered. */
    FakeAllocSvr(long seq) {
        next = (request, timeout) -> Future.succeededFuture(NextReply.newBuilder()
                .setUid(request.getUid())
                .setFirst(seq)
                .setLast(seq)
                .setEpoch(EPOCH)
                .build());
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        port = NodeServer.onContext(
                        vertx.getOrCreateContext(),
                        () -> new NodeServer.Builder(vertx, registry, "allocsvr")
                                .method(SequencesRpc.NEXT, (request, timeout) -> {
                                    asked.add(request);
                                    return next.handle(request, timeout);
                                })
                                .method(SequencesRpc.CURRENT, (request, timeout) -> current(request, seq))
                                .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(serving)))
                .await();
    }

    private static Future<CurrentReply> current(CurrentRequest request, long seq) {
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

    @Override
    public void close() {
        vertx.close().await();
    }
}
