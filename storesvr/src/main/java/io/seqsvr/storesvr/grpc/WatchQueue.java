package io.seqsvr.storesvr.grpc;

import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.codec.ReplyEncoder;
import io.seqsvr.proto.internal.v1.View;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.replica.ReplicaListener;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The long polls that wait for something newer. All but {@link #applied} and {@link #replaced} runs on the port's
 * context.
 */
final class WatchQueue implements ReplicaListener {
    private final Vertx vertx;
    private final Context context;
    private final Replica replica;
    private final String clusterId;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private List<Waiting> waiting = new ArrayList<>();
    private @Nullable View encoded;
    private long encodedVersion;

    private record Waiting(long since, Promise<WatchReply> promise) {}

    WatchQueue(Vertx vertx, Context context, Replica replica, String clusterId) {
        this.vertx = vertx;
        this.context = context;
        this.replica = replica;
        this.clusterId = clusterId;
    }

    /** Answers with a view newer than {@code since} as soon as there is one, or without after {@code waitMillis}. */
    Future<WatchReply> watch(long since, long waitMillis) {
        var view = replica.view();
        boolean newer = view.isPresent() && view.get().version() > since;
        if (newer || waitMillis < 1) {
            return Future.succeededFuture(reply(view.orElse(null), since));
        }
        Promise<WatchReply> promise = Promise.promise();
        waiting.add(new Waiting(since, promise));
        long timer = vertx.setTimer(waitMillis, fired -> {
            waiting.removeIf(one -> one.promise() == promise);
            promise.tryComplete(reply(replica.view().orElse(null), since));
        });
        return promise.future().onComplete(done -> vertx.cancelTimer(timer));
    }

    @Override
    public void applied(long stamp, List<StoreChange> changes) {
        if (changes.stream().anyMatch(change -> change instanceof StoreChange.PutCluster)) {
            schedule();
        }
    }

    /** A snapshot may hold what no entry told of. */
    @Override
    public void replaced() {
        schedule();
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            context.runOnContext(ready -> answerAll());
        }
    }

    private void answerAll() {
        scheduled.set(false);
        var view = replica.view().orElse(null);
        var asked = waiting;
        waiting = new ArrayList<>();
        for (var one : asked) {
            if (view != null && view.version() > one.since()) {
                one.promise().tryComplete(reply(view, one.since()));
            } else {
                waiting.add(one);
            }
        }
    }

    private WatchReply reply(@Nullable StoreView view, long since) {
        var reply = WatchReply.newBuilder().setClusterId(clusterId);
        if (view != null) {
            reply.setVersion(view.version()).setIncarnation(view.incarnation());
            if (view.version() > since) {
                reply.setView(encode(view));
            }
        }
        return reply.build();
    }

    /** Many watchers get the same view: it is encoded once. */
    private View encode(StoreView view) {
        if (encoded == null || encodedVersion != view.version()) {
            encoded = ReplyEncoder.encode(view);
            encodedVersion = view.version();
        }
        return encoded;
    }
}
