package io.seqsvr.cli;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.route.RouteTable;
import io.seqsvr.node.api.FrameApi;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.node.server.StreamReplies;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.codec.FrameRefusal;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RoutesRpc;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/**
 * A router within the test that tells that one owner has every user, and answers each call by itself: with 7, or with a
 * refusal.
 */
final class FakeRouter implements AutoCloseable {
    static final long SEQ = 7;

    private static final long SESSION = 5;
    private static final long EPOCH = 3;
    private static final Namespace NAMESPACE = Namespace.ofDefaults(1, "default");

    private final Vertx vertx = NodeServer.newVertx();
    private final FrameCodec codec = new FrameCodec();
    private final RoutePicture picture;
    private final Optional<ErrorReason> refusal;
    private final NodeServer server;

    /**
     * A router on a free port.
     *
     * @param owner address of the owner of every user
     * @param refusal why it answers nobody; empty if it does
     */
    FakeRouter(HostPort owner, Optional<ErrorReason> refusal) {
        this.refusal = refusal;
        this.picture = new RoutePicture(
                "test",
                1,
                List.of(NAMESPACE),
                List.of(new RouteOwner(SESSION, owner.toString(), "a1")),
                new RouteTable(1, List.of(new RouteRange(1, 0, NAMESPACE.segmentCount() - 1, SESSION, EPOCH))));
        server = NodeServer.onContext(vertx.getOrCreateContext(), this::listen).await();
    }

    private Future<NodeServer> listen() {
        return new NodeServer.Builder(vertx, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), "router")
                .stream(SequencesRpc.ALLOCATE, replies -> (bytes, from, to) -> {
                            var calls = new FrameCalls();
                            FrameApi.read(codec, bytes, from, to, calls);
                            answer(calls, replies);
                        })
                        .watch(
                                RoutesRpc.WATCH,
                                (request, replies) -> replies.write(Buffer.buffer(
                                        RoutesCodec.encode(picture.complete()).toByteArray())))
                        .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true));
    }

    private void answer(FrameCalls calls, StreamReplies replies) {
        var reply = new FrameReply().correlation(calls.correlation());
        if (refusal.isPresent()) {
            reply.refusals().add(new FrameRefusal(refusal.get().getNumber(), "not now", 0, new IntColumn()));
        } else {
            for (int i = 0; i < calls.uids().size(); i++) {
                reply.seqs().add(SEQ);
            }
            reply.segments().add(0);
            reply.epochs().add(EPOCH);
        }
        codec.writeReply(reply, replies.begin());
        replies.sent();
    }

    HostPort address() {
        return server.address();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
