package io.seqsvr.router;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.store.SessionKind;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreRules;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.codec.CommandDecoder;
import io.seqsvr.proto.codec.ReplyEncoder;
import io.seqsvr.proto.internal.v1.ExecuteReply;
import io.seqsvr.proto.internal.v1.ExecuteRequest;
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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * StoreSvr without Raft on a real port: the real rules over a state in memory, one log index for each command. Sessions
 * open and end when the test says so; it may keep silent about plans, about watches, or both.
 */
final class FakeStoreSvr implements AutoCloseable {
    private static final String CLUSTER = "test-cluster";
    private static final long GENEROUS_MILLIS = 10_000;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final StoreRules rules = new StoreRules();
    private final StoreState state = new StoreState();
    private final BlockingQueue<StoreReply> published = new LinkedBlockingQueue<>();
    private final BlockingQueue<ExecuteRequest> ignored = new LinkedBlockingQueue<>();
    private final List<Poll> polls = new ArrayList<>();
    private final NodeServer port;
    private long index;
    private boolean ignorePlans;
    private boolean ignoreSessions;
    private boolean hideViews;
    private long answerMillis;

    private record Poll(long since, Promise<WatchReply> answer) {}

    FakeStoreSvr(LeaseTerms lease, Namespace... namespaces) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        port = here(() -> {
            apply(new StoreCommand.CreateCluster(CLUSTER, lease, List.of(namespaces)));
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
        boolean plan = request.getCommand().hasPublishRoutes();
        if (ignoreSessions || ignorePlans) {
            if (plan) {
                ignored.add(request);
            }
            if (plan || ignoreSessions) {
                return Promise.<ExecuteReply>promise().future();
            }
        }
        var reply = apply(CommandDecoder.decode(request.getCommand()));
        if (plan) {
            published.add(reply);
        }
        var answer = ExecuteReply.newBuilder()
                .setClusterId(CLUSTER)
                .setReply(ReplyEncoder.encode(reply))
                .build();
        return answerMillis == 0
                ? Future.succeededFuture(answer)
                : vertx.timer(answerMillis, TimeUnit.MILLISECONDS).map(fired -> answer);
    }

    private StoreReply apply(StoreCommand command) {
        index++;
        var decision = rules.decide(state, rules.stamp(state, index, 0), command);
        decision.changes().forEach(state::apply);
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
        if (hideViews) {
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

    HostPort address() {
        return port.address();
    }

    /** Whether plans and watches are left without an answer, as if the process hung. */
    void silence(boolean plans, boolean views) {
        here(() -> {
            ignorePlans = plans;
            hideViews = views;
            answerPolls();
            return Future.succeededFuture();
        });
    }

    /** Whether no command whatever is answered, as if there were no leader; watches are. */
    void leaderless(boolean ignore) {
        here(() -> {
            ignoreSessions = ignore;
            return Future.succeededFuture();
        });
    }

    /** The watch that is open, or comes next, is told nothing any more; the next one is. */
    void loseWatch() {
        long startedAt = System.nanoTime();
        boolean lost = false;
        while (!lost && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt) < GENEROUS_MILLIS) {
            lost = here(() -> {
                boolean any = !polls.isEmpty();
                polls.clear();
                return Future.succeededFuture(any);
            });
        }
        assertTrue(lost, "nobody watches");
    }

    /** How long commands that were applied wait for their answer. */
    void answerLate(long millis) {
        here(() -> {
            answerMillis = millis;
            return Future.succeededFuture();
        });
    }

    /** The session of a router of this name, once it is open. */
    long awaitRouter(String name) {
        long startedAt = System.nanoTime();
        while (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt) < GENEROUS_MILLIS) {
            for (var member : view().sessions()) {
                if (member.kind() == SessionKind.ROUTER && member.name().equals(name)) {
                    return member.id();
                }
            }
        }
        return fail(name + " opened no session");
    }

    /** An allocator registers and renews, as it has heard of it; tells its session. */
    long open(String name, HostPort address) {
        var opened =
                command(new StoreCommand.OpenSession(SessionKind.ALLOCATOR, name.hashCode(), name, address.toString()));
        long session = assertInstanceOf(StoreReply.SessionOpened.class, opened).session();
        assertInstanceOf(StoreReply.Renewed.class, command(new StoreCommand.Renew(session)));
        return session;
    }

    /** An allocator is no more. */
    void end(long session) {
        assertInstanceOf(StoreReply.SessionEnded.class, command(new StoreCommand.CloseSession(session)));
    }

    /** A command of somebody else. */
    StoreReply command(StoreCommand command) {
        return here(() -> Future.succeededFuture(apply(command)));
    }

    /** What was answered to the next plan of a router. */
    StoreReply awaitPlan() {
        return poll(published);
    }

    boolean noPlanCame() {
        return published.isEmpty() && ignored.isEmpty();
    }

    void awaitIgnoredPlan() {
        poll(ignored);
    }

    private static <T> T poll(BlockingQueue<T> queue) {
        try {
            var one = queue.poll(GENEROUS_MILLIS, TimeUnit.MILLISECONDS);
            return one == null ? fail("no plan came") : one;
        } catch (InterruptedException stopped) {
            return fail(stopped);
        }
    }

    StoreView view() {
        return here(() -> Future.succeededFuture(StoreView.of(state).orElseThrow()));
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
