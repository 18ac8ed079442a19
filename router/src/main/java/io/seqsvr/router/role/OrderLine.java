package io.seqsvr.router.role;

import io.seqsvr.core.failover.BalancePlan;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storeclient.AllocatorCaller;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller's line to the owners of segments: orders to hand over. An order that is lost is given again, if it is
 * still wanted. Use it from one context.
 */
final class OrderLine {
    private static final Logger LOG = LoggerFactory.getLogger(OrderLine.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final AllocatorCaller caller;

    OrderLine(Vertx vertx) {
        this.caller = new AllocatorCaller(vertx, TIMEOUT);
    }

    /**
     * Gives an order.
     *
     * @param cluster the cluster of both
     */
    void give(String cluster, BalancePlan.Order order) {
        LOG.info(
                "event=hand_over_ordered from={} to={} segments={}",
                order.owner().name(),
                order.to().name(),
                order.segments().stream().mapToLong(RouteRange::size).sum());
        var address = order.owner().address();
        HostPort.reachable(address)
                .map(known -> caller.handOver(
                        known, cluster, order.owner().id(), order.to().id(), order.segments()))
                // StoreSvr takes no such address in any more, but its log may have one.
                .orElseGet(() -> Future.failedFuture("nobody can be called at '" + address + "'"))
                .onFailure(lost -> LOG.warn(
                        "event=hand_over_not_ordered from={} error=\"{}\"",
                        order.owner().name(),
                        lost.getMessage()));
    }

    /** Closes the connections. */
    Future<Void> close() {
        return caller.close();
    }
}
