package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.process.LocalCluster;
import io.seqsvr.chaos.process.LocalNode;
import io.seqsvr.chaos.process.LocalNodes;
import io.seqsvr.chaos.process.NamespacePlan;
import io.seqsvr.chaos.process.NodeFailure;
import io.seqsvr.chaos.process.Tier;
import io.seqsvr.core.picture.RouteOwner;
import io.seqsvr.core.picture.RoutePicture;
import io.seqsvr.core.route.RouteRange;
import io.seqsvr.core.store.StoreCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An operator has an allocator hand half of its segments over to another one. When it has started it is over: there is
 * nothing to be undone.
 */
final class MoveSegments implements Fault {
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);
    /** A command line is not to be endless. */
    private static final int MOST_RANGES = 200;

    private final LocalNodes parent;
    private final LocalCluster cluster;
    private final LocalNode node;
    private final Supplier<Optional<RoutePicture>> routes;
    private @Nullable RouteRange moved;

    /**
     * Of an allocator.
     *
     * @param parent runs the command
     * @param routes who owns what, by the newest picture
     */
    MoveSegments(LocalNodes parent, LocalCluster cluster, LocalNode node, Supplier<Optional<RoutePicture>> routes) {
        this.parent = parent;
        this.cluster = cluster;
        this.node = node;
        this.routes = routes;
    }

    @Override
    public String name() {
        return "move " + node.name();
    }

    @Override
    public void start() {
        var picture = routes.get().orElseThrow(() -> new NodeFailure("nobody has told the routes yet"));
        var giver = picture.owners().stream()
                .filter(owner -> owner.name().equals(node.name()))
                .findFirst()
                .orElseThrow(() -> new NodeFailure(node.name() + " has no session, so that it owns nothing"));
        var receiver = picture.owners().stream()
                .filter(owner -> owner.session() != giver.session())
                .map(RouteOwner::name)
                .findFirst()
                .orElseThrow(() -> new NodeFailure("nobody is there to whom " + node.name() + " could give anything"));
        var owned = picture.routes().ranges().stream()
                .filter(range -> range.owner() == giver.session())
                .limit(MOST_RANGES)
                .toList();
        if (owned.isEmpty()) {
            throw new NodeFailure(node.name() + " owns nothing that could be moved");
        }
        var half = owned.subList(0, Math.min(half(owned), most(owned)));
        moved = half.get(half.size() - 1);
        parent.operate(
                List.of(
                        "move",
                        "--namespace",
                        NamespacePlan.NAME,
                        "--segments",
                        half.stream()
                                .map(range -> range.first() + "-" + range.last())
                                .collect(Collectors.joining(",")),
                        "--to",
                        receiver,
                        "--store",
                        cluster.endpoints(Tier.STORESVR).stream()
                                .map(Object::toString)
                                .collect(Collectors.joining(","))),
                ENDS_WITHIN);
    }

    /** How many of these ranges have half of the segments, or a little more. */
    private static int half(List<RouteRange> ranges) {
        long all = ranges.stream().mapToLong(RouteRange::size).sum();
        long some = 0;
        int count = 0;
        while (2 * some < all) {
            some += ranges.get(count).size();
            count++;
        }
        return count;
    }

    /** How many of these ranges a command may name, and one at least. */
    private static int most(List<RouteRange> ranges) {
        long segments = 0;
        int count = 0;
        while (count < ranges.size() && segments + ranges.get(count).size() <= StoreCommand.MAX_SEGMENTS) {
            segments += ranges.get(count).size();
            count++;
        }
        return Math.max(1, count);
    }

    /** The command has waited for it; callers may be told a little later. */
    @Override
    public boolean isInEffect() {
        var before = moved;
        return before != null
                && routes.get().stream()
                        .flatMap(picture -> picture.routes().ranges().stream())
                        .filter(range -> range.namespaceId() == before.namespaceId())
                        .filter(range -> range.first() <= before.first() && before.first() <= range.last())
                        .anyMatch(range -> range.epoch() > before.epoch());
    }

    @Override
    public void stop() {}
}
