package io.seqsvr.storesvr.grpc;

import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreView;
import io.seqsvr.proto.codec.ReplyEncoder;
import io.seqsvr.proto.internal.v1.WatchReply;
import io.seqsvr.proto.rpc.HostPort;
import io.seqsvr.storesvr.raft.RaftPeers;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.replica.ReplicaListener;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The long polls that wait for something newer. All but {@link #applied}, {@link #replaced} and {@link #regrouped} runs
 * on the port's context.
 */
final class WatchQueue implements ReplicaListener {
    private final Vertx vertx;
    private final Context context;
    private final Replica replica;
    private final String clusterId;
    private final Supplier<List<RaftPeers.Peer>> members;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicBoolean regrouped = new AtomicBoolean();
    private List<Waiting> waiting = new ArrayList<>();
    private List<RaftPeers.Peer> toldMembers;
    private @Nullable WatchReply news;

    private record Waiting(long since, Promise<WatchReply> promise) {}

    /**
     * A queue of nobody.
     *
     * @param members the group as this peer knows it now
     */
    WatchQueue(
            Vertx vertx, Context context, Replica replica, String clusterId, Supplier<List<RaftPeers.Peer>> members) {
        this.vertx = vertx;
        this.context = context;
        this.replica = replica;
        this.clusterId = clusterId;
        this.members = members;
        this.toldMembers = members.get();
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

    /** Says at once of which cluster this peer is, and of which life of it. */
    WatchReply withoutView() {
        return reply(replica.view().orElse(null), Long.MAX_VALUE);
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

    /**
     * The group may have other members. If so, everybody is answered at once, as who waits may know none of them: the
     * next fault may take the last one that it knows.
     */
    void regrouped() {
        regrouped.set(true);
        schedule();
    }

    /** A configuration may say what the one before it said: each leader begins with one, and a start repeats them. */
    private boolean hasOtherMembers() {
        var now = members.get();
        boolean others = !now.equals(toldMembers);
        toldMembers = now;
        return others;
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            context.runOnContext(ready -> answerAll());
        }
    }

    private void answerAll() {
        scheduled.set(false);
        boolean all = regrouped.getAndSet(false) && hasOtherMembers();
        var view = replica.view().orElse(null);
        var asked = waiting;
        waiting = new ArrayList<>();
        for (var one : asked) {
            if (all || (view != null && view.version() > one.since())) {
                one.promise().tryComplete(reply(view, one.since()));
            } else {
                waiting.add(one);
            }
        }
    }

    private WatchReply reply(@Nullable StoreView view, long since) {
        var reply = WatchReply.newBuilder().setClusterId(clusterId).addAllPeers(services());
        if (view == null) {
            return reply.build();
        }
        reply.setVersion(view.version()).setIncarnation(view.incarnation());
        return view.version() > since ? news(view, reply) : reply.build();
    }

    /** A port 0 takes a free one, which nobody else can know. */
    private List<String> services() {
        return members.get().stream()
                .map(RaftPeers.Peer::service)
                .filter(service -> service.port() != 0)
                .map(HostPort::toString)
                .toList();
    }

    /** Many watchers get the same view: as the same object, it is encoded and kept once for all of them. */
    private WatchReply news(StoreView view, WatchReply.Builder reply) {
        if (news == null
                || news.getVersion() != view.version()
                || !news.getPeersList().equals(reply.getPeersList())) {
            news = reply.setView(ReplyEncoder.encode(view)).build();
        }
        return news;
    }
}
