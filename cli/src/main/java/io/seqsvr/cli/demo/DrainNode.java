package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.storeclient.AllocatorCaller;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** An allocator hands everything over and goes on running; stopping the fault restarts it, as nothing else helps. */
final class DrainNode implements Fault {
    private static final Duration BEGINS_WITHIN = Duration.ofSeconds(5);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(20);

    private final LocalNode node;
    private final Supplier<Optional<RoutePicture>> routes;

    /**
     * Of an allocator.
     *
     * @param routes who owns what, by the newest picture
     */
    DrainNode(LocalNode node, Supplier<Optional<RoutePicture>> routes) {
        this.node = node;
        this.routes = routes;
    }

    @Override
    public String name() {
        return "drain " + node.name();
    }

    @Override
    public void start() {
        var picture = routes.get().orElseThrow(() -> new NodeFailure("nobody has told the routes yet"));
        var session = self(picture)
                .orElseThrow(() -> new NodeFailure(node.name() + " has no session, so that it owns nothing"))
                .session();
        try (var loop = new EventLoop()) {
            var address = HostPort.parse(node.endpoint().toString());
            var caller = new AllocatorCaller(loop.vertx(), BEGINS_WITHIN);
            var unused = loop.await(() -> caller.drain(address, picture.clusterId(), session));
        } catch (RuntimeException defect) {
            throw defect;
        } catch (Throwable refused) { // await() throws checked causes undeclared
            throw new NodeFailure(node.name() + (begunNothing(refused) ? " did not begin" : " may have begun")
                    + " to drain: " + refused.getMessage());
        }
    }

    private static boolean begunNothing(Throwable failure) {
        return AllocatorCaller.saidNo(failure) || (failure instanceof RpcException call && call.isUnsent());
    }

    private Optional<RouteOwner> self(RoutePicture picture) {
        return picture.owners().stream()
                .filter(owner -> owner.name().equals(node.name()))
                .findFirst();
    }

    @Override
    public boolean isInEffect() {
        return routes.get()
                .filter(picture -> self(picture)
                        .filter(owner ->
                                picture.routes().ranges().stream().anyMatch(range -> range.owner() == owner.session()))
                        .isEmpty())
                .isPresent();
    }

    @Override
    public void stop() {
        node.stop(STOPS_WITHIN);
        node.start();
    }
}
