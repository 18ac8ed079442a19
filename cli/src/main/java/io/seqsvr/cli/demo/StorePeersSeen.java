package io.seqsvr.cli.demo;

import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.StatusCaller;
import io.seqsvr.storeclient.StoreSurvey;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the StoreSvr peers of a local cluster say of themselves. */
final class StorePeersSeen implements AutoCloseable {
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(2);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final StatusCaller caller = new StatusCaller(vertx, ANSWERS_WITHIN);
    private final LocalCluster cluster;
    private final List<HostPort> addresses;

    StorePeersSeen(LocalCluster cluster) {
        this.cluster = cluster;
        this.addresses = cluster.endpoints(Tier.STORESVR).stream()
                .map(endpoint -> HostPort.parse(endpoint.toString()))
                .toList();
    }

    /** The peer that leads and is ready, if one says so. */
    Optional<LocalNode> leader() {
        return NodeServer.onContext(context, () -> new StoreSurvey(caller::status).of(addresses)).await().stream()
                .flatMap(finding -> finding.status().stream())
                .filter(peer -> peer.leads() && peer.ready())
                .flatMap(peer -> cluster.node(peer.id()).stream())
                .findFirst();
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
