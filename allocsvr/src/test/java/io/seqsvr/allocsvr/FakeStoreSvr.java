package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.fail;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.Session;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreRules;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.codec.CommandDecoder;
import io.seqsvr.proto.codec.ReplyEncoder;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
import io.seqsvr.proto.internal.v1.Holding;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.internal.v1.WatchRequest;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.proto.rpc.StoreRpc;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * StoreSvr without Raft on a real port: the real rules over a state in memory, one log index for each command. Sessions
 * expire and routes change when the test says so; while it is silent it takes nothing in and answers nothing.
 */
final class FakeStoreSvr implements AutoCloseable {
    private static final String CLUSTER = "test-cluster";
    private static final long GENEROUS_MILLIS = 10_000;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final StoreRules rules = new StoreRules();
    private final StoreState state = new StoreState();
    private final BlockingQueue<StoreCommand> executed = new LinkedBlockingQueue<>();
    private final BlockingQueue<ExecuteRequest> ignored = new LinkedBlockingQueue<>();
    private final List<Poll> polls = new ArrayList<>();
    private final List<Namespace> namespaces;
    private final NodeServer port;
    private long index;
    private boolean silent;

    private record Poll(long since, Promise<WatchReply> answer) {}

    FakeStoreSvr(LeaseTerms lease, Namespace... namespaces) {
        this.namespaces = List.of(namespaces);
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        port = here(() -> {
            apply(new StoreCommand.CreateCluster(CLUSTER, lease, this.namespaces));
            return new NodeServer.Builder(vertx, registry, "storesvr")
                    .method(StoreRpc.EXECUTE, (request, timeout) -> execute(request))
                    .method(StoreRpc.WATCH, (request, timeout) -> watch(request))
                    .listen(new HostPort("127.0.0.1", 0), () -> Future.succeededFuture(true));
        });
    }

    /** Runs on the event loop, to which the state belongs. */
    private <T> T here(Supplier<Future<T>> work) {
        return NodeServer.onContext(context, work).await();
    }

    private Future<ExecuteReply> execute(ExecuteRequest request) {
        if (silent) {
            ignored.add(request);
            return Promise.<ExecuteReply>promise().future();
        }
        return Future.succeededFuture(ExecuteReply.newBuilder()
                .setClusterId(CLUSTER)
                .setReply(ReplyEncoder.encode(apply(CommandDecoder.decode(request.getCommand()))))
                .build());
    }

    private StoreReply apply(StoreCommand command) {
        index++;
        var decision = rules.decide(state, rules.stamp(state, index, 0), command);
        decision.changes().forEach(state::apply);
        executed.add(command);
        answerPolls();
        return decision.reply();
    }

    private Future<WatchReply> watch(WatchRequest request) {
        var poll = new Poll(request.getSince(), Promise.promise());
        polls.add(poll);
        answerPolls();
        vertx.setTimer(request.getWaitMillis(), fired -> {
            polls.remove(poll);
            poll.answer()
                    .tryComplete(WatchReply.newBuilder().setClusterId(CLUSTER).build());
        });
        return poll.answer().future();
    }

    private void answerPolls() {
        if (silent) {
            return;
        }
        var view = StoreView.of(state).orElseThrow();
        for (var poll : List.copyOf(polls)) {
            if (view.version() > poll.since()) {
                polls.remove(poll);
                poll.answer()
                        .tryComplete(WatchReply.newBuilder()
                                .setClusterId(CLUSTER)
                                .setVersion(view.version())
                                .setView(ReplyEncoder.encode(view))
                                .build());
            }
        }
    }

    String cluster() {
        return CLUSTER;
    }

    HostPort address() {
        return port.address();
    }

    /** From now on nothing is answered, as if the process hung. */
    void fallSilent() {
        here(() -> {
            silent = true;
            return Future.succeededFuture();
        });
    }

    /** Answers again; what came meanwhile is lost. */
    void speak() {
        here(() -> {
            silent = false;
            answerPolls();
            return Future.succeededFuture();
        });
    }

    /** A command of somebody else, or of the leader's own timer. */
    StoreReply command(StoreCommand command) {
        return here(() -> Future.succeededFuture(apply(command)));
    }

    /** Gives all segments, which must be free, to the allocator of that name; waits for its session. */
    void assignAll(String allocator) {
        long session = awaitSession(allocator).id();
        var moves = namespaces.stream()
                .map(namespace -> new StoreCommand.Move(namespace.id(), 0, namespace.segmentCount() - 1, session))
                .toList();
        assertInstanceOf(
                StoreReply.RoutesPublished.class, command(new StoreCommand.PublishRoutes(publishVersion(), moves)));
    }

    private long publishVersion() {
        return here(() -> Future.succeededFuture(state.cluster().orElseThrow().publishVersion()));
    }

    /** The timer of a session ran out. */
    void expire(Session session) {
        var renewal = session(session.name()).orElseThrow().renewal();
        assertInstanceOf(StoreReply.SessionEnded.class, command(new StoreCommand.ExpireSession(session.id(), renewal)));
    }

    Optional<Session> session(String allocator) {
        return here(() -> Future.succeededFuture(state.sessions().stream()
                .filter(session -> session.name().equals(allocator))
                .findFirst()));
    }

    /** The session of an allocator, once it has one. */
    Session awaitSession(String allocator) {
        for (var session = session(allocator); ; session = session(allocator)) {
            if (session.isPresent()) {
                return session.get();
            }
            awaitCommand(StoreCommand.OpenSession.class);
        }
    }

    /** The next command of a kind that is taken in; those before it count as seen. */
    <C extends StoreCommand> C awaitCommand(Class<C> kind) {
        while (true) {
            var command = poll(executed);
            if (kind.isInstance(command)) {
                return kind.cast(command);
            }
        }
    }

    /** Waits until a command of this kind was ignored in silence. */
    void awaitIgnored(Command.KindCase kind) {
        while (poll(ignored).getCommand().getKindCase() != kind) {
            // Another kind; renewals come at any time.
        }
    }

    /** Waits until a renewal that confirms something was ignored in silence; tells what it was to confirm. */
    List<Holding> awaitIgnoredConfirmation() {
        while (true) {
            var holdings = poll(ignored).getCommand().getRenew().getHoldingsList();
            if (!holdings.isEmpty()) {
                return holdings;
            }
        }
    }

    private static <T> T poll(BlockingQueue<T> queue) {
        try {
            var one = queue.poll(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            return one == null ? fail("no such command came") : one;
        } catch (InterruptedException stopped) {
            return fail(stopped);
        }
    }

    /** Durable upper bound of a segment. */
    long maxSeq(Namespace namespace, int segment) {
        return here(() -> Future.succeededFuture(state.segment(new SegmentId(namespace.id(), segment))
                .orElseThrow()
                .maxSeq()));
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
