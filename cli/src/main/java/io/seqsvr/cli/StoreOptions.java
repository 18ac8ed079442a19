package io.seqsvr.cli;

import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.core.store.StoreView.Member;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.storeclient.AllocatorCaller;
import io.seqsvr.storeclient.NotSubmittedException;
import io.seqsvr.storeclient.PeerStatus;
import io.seqsvr.storeclient.SegmentFacts;
import io.seqsvr.storeclient.StatusCaller;
import io.seqsvr.storeclient.StoreClient;
import io.seqsvr.storeclient.StoreSurvey;
import io.seqsvr.storeclient.StoreSurvey.Finding;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which StoreSvr to talk to, and how long each of its answers may take. */
final class StoreOptions {
    private static final Duration BETWEEN_SURVEYS = Duration.ofMillis(100);

    @Mixin
    private PeerOptions peers = new PeerOptions();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "3s",
            converter = TimeConverter.class,
            description = "How long each peer may take, from 1ms to 1m (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(3);

    /** What every peer says of itself, of those that are given and those that they name. */
    List<Finding> survey() {
        return on(this::survey).result();
    }

    private Future<List<Finding>> survey(Vertx vertx) {
        return StoreSurvey.insistently(new StatusCaller(vertx, timeout)::status, peers.addresses());
    }

    /** The same with what each peer's rows amount to, which costs it a look at all of them. */
    List<Finding> surveyWithDigests() {
        return on(vertx ->
                        StoreSurvey.insistently(new StatusCaller(vertx, timeout)::statusWithDigests, peers.addresses()))
                .result();
    }

    /** What the peer says that knows best. For display: it may be old. */
    PeerStatus status() throws StoreFailure {
        return known(best(survey()));
    }

    /** What a watch shows at the peer that knows best. For display: it may be old. */
    StoreView view() throws StoreFailure {
        var best = best(survey());
        var seen = on(vertx -> client(vertx, best).watch(0, Duration.ZERO));
        if (seen.failed()) {
            throw StoreFailure.unavailable(reason(seen.cause()));
        }
        return seen.result()
                .orElseThrow(() -> StoreFailure.unavailable(best.address() + " does not know its cluster yet"));
    }

    /** What the peer that knows best has of a segment, if it was ever assigned. For display: it may be old. */
    Optional<SegmentFacts> segment(SegmentId segment) throws StoreFailure {
        var best = best(survey());
        var seen = on(vertx -> new StatusCaller(vertx, timeout).segment(best.address(), segment));
        if (seen.failed()) {
            throw StoreFailure.unavailable(reason(seen.cause()));
        }
        return seen.result();
    }

    /** How long each peer may take. */
    Duration timeout() {
        return timeout;
    }

    /** The cluster of the peers. */
    String cluster() throws StoreFailure {
        return status().clusterId();
    }

    /**
     * Has an allocator do something.
     *
     * @param order is given where the allocator serves
     */
    <T> T order(Member allocator, BiFunction<AllocatorCaller, HostPort, Future<T>> order) throws StoreFailure {
        var address = Nodes.address(allocator)
                .orElseThrow(() -> StoreFailure.unavailable(
                        allocator.name() + " did not begin: nobody can be called at '" + allocator.address() + "'"));
        var answer = on(vertx -> order.apply(new AllocatorCaller(vertx, timeout), address));
        if (answer.succeeded()) {
            return answer.result();
        }
        throw orderFailed(allocator.name() + " (" + address + ")", answer.cause(), lookWith("nodes"));
    }

    /** Why an order came to nothing, or to nothing that is known. */
    static StoreFailure orderFailed(String allocator, Throwable failure, String lookWith) {
        if (AllocatorCaller.saidNo(failure)) {
            return StoreFailure.refused(allocator + " did not begin: " + reason(failure));
        }
        return isUnsent(failure)
                ? StoreFailure.unavailable(allocator + " did not begin: " + reason(failure))
                : StoreFailure.unknownOutcome(allocator + " may have begun: " + reason(failure), lookWith);
    }

    private static boolean isUnsent(Throwable failure) {
        return failure instanceof RpcException call && call.isUnsent();
    }

    private String lookWith(String command) {
        return "seqsvr " + command + " --store "
                + peers.addresses().stream().map(HostPort::toString).collect(Collectors.joining(","));
    }

    /**
     * Puts a command through the log, once, as soon as a peer takes commands.
     *
     * @param lookWith the command that shows whether it happened
     */
    StoreReply execute(StoreCommand command, String lookWith) throws StoreFailure {
        var leader = leader();
        var answer = on(vertx -> client(vertx, leader).execute(command));
        if (answer.succeeded()) {
            return answer.result();
        }
        throw commandFailed(answer.cause(), lookWith(lookWith));
    }

    /** Why a command came to nothing, or to nothing that is known. */
    static StoreFailure commandFailed(Throwable failure, String lookWith) {
        return failure instanceof NotSubmittedException || isUnsent(failure)
                ? StoreFailure.unavailable("nothing was changed: " + reason(failure))
                : StoreFailure.unknownOutcome(reason(failure), lookWith);
    }

    /** The peer that takes commands; where none does, one is elected perhaps, for which there is one timeout. */
    private Finding leader() throws StoreFailure {
        long start = System.nanoTime();
        var best = best(survey());
        while (!known(best).ready()) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw StoreFailure.unavailable("nothing was changed: no peer that answered takes commands");
            }
            best = best(on(vertx -> vertx.timer(BETWEEN_SURVEYS.toMillis()).compose(now -> survey(vertx)))
                    .result());
        }
        return best;
    }

    private static Finding best(List<Finding> findings) throws StoreFailure {
        var clusters = findings.stream()
                .flatMap(finding -> finding.status().stream())
                .map(PeerStatus::clusterId)
                .distinct()
                .sorted()
                .toList();
        if (clusters.size() > 1) {
            throw StoreFailure.refused("the peers are of different clusters: " + String.join(", ", clusters)
                    + "; name those of one with --store");
        }
        var apart = StoreSurvey.livesApart(findings);
        if (apart.isPresent()) {
            throw StoreFailure.refused(apart.get());
        }
        return StoreSurvey.best(findings)
                .orElseThrow(() -> StoreFailure.unavailable(
                        findings.stream().map(Finding::failure).collect(Collectors.joining("; "))));
    }

    private static PeerStatus known(Finding best) {
        return best.status().orElseThrow();
    }

    /** Of the cluster that the survey found: a peer of another one takes nothing from it. */
    private StoreClient client(Vertx vertx, Finding peer) {
        return new StoreClient(
                vertx, List.of(peer.address()), timeout, known(peer).clusterId());
    }

    /** Does something on an event loop of its own, and waits for what comes of it. */
    static <T> AsyncResult<T> on(Function<Vertx, Future<T>> call) {
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try {
            return NodeServer.onContext(vertx.getOrCreateContext(), () -> call.apply(vertx))
                    .<AsyncResult<T>>transform(Future::succeededFuture)
                    .await();
        } finally {
            vertx.close().await();
        }
    }

    private static String reason(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }
}
