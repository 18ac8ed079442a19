package io.seqsvr.storesvr.grpc;

import com.google.protobuf.UnsafeByteOperations;
import io.seqsvr.core.store.Cluster;
import io.seqsvr.core.store.StoreChange;
import io.seqsvr.core.store.StoreChange.PutCluster;
import io.seqsvr.core.store.StoreChange.PutNamespace;
import io.seqsvr.core.store.StoreChange.PutSegment;
import io.seqsvr.core.store.StoreChange.PutSession;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreState;
import io.seqsvr.proto.internal.v1.BackupReply;
import io.seqsvr.proto.internal.v1.BackupRequest;
import io.seqsvr.proto.internal.v1.Command;
import io.seqsvr.proto.internal.v1.Renew;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.storesvr.backup.Growth;
import io.seqsvr.storesvr.raft.EntryQueue;
import io.seqsvr.storesvr.replica.Replay;
import io.seqsvr.storesvr.replica.Replica;
import io.seqsvr.storesvr.rocks.Applied;
import io.seqsvr.storesvr.rocks.BackupRowsCodec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Pictures of the state for backups, page by page. Everything runs on the port's context.
 *
 * <p>Invariant: all pages of a picture are of the state at one place of the log. A picture that a leader began holds
 * all that was acknowledged before: the leader has put an entry through the log first, which only a leader can. A
 * picture of any other peer holds all that is in its log, applied or not: a peer that was started without a leader has
 * applied its last snapshot alone, and any entry after that may have been acknowledged. If it was not, a restore raises
 * a little more than it had to.
 */
final class BackupAnswer {
    /** Rows of one page: some hundred kilobytes at most, encoded in a few milliseconds. */
    static final int PAGE_ROWS = 1_024;

    private static final int MOST_PICTURES = 4;
    private static final long KEPT_MILLIS = 60_000;
    private static final long BETWEEN_TICKS_MILLIS = 1_000;
    private static final long BETWEEN_LOOKS_NANOS = 60_000_000_000L;
    /** The renewal of no session: an entry that changes nothing. */
    private static final Command NOTHING =
            Command.newBuilder().setRenew(Renew.newBuilder().setSession(-1)).build();

    private final Vertx vertx;
    private final Context context;
    private final String peerId;
    private final EntryQueue queue;
    private final Replica replica;
    private final Log log;
    private final BooleanSupplier ready;
    private final Growth growth = new Growth();
    private final Map<String, Picture> pictures = new LinkedHashMap<>();
    private long lookedAtNanos = Long.MIN_VALUE;

    private static final class Picture {
        private final BackupReply about;
        private final List<StoreChange> rows;
        private long timer;

        private Picture(BackupReply about, List<StoreChange> rows) {
            this.about = about;
            this.rows = rows;
        }
    }

    /** The log of this peer. */
    interface Log {
        /** Reads the entries after one, whether a majority has them or not; blocks. */
        void readAfter(long index, BiConsumer<Applied, List<StoreCommand>> reader) throws IOException;
    }

    /**
     * No picture yet; looks at the growth from now on.
     *
     * @param ready whether this peer leads and takes commands
     * @param follows whether this peer leads or knows who does: before that it may still read its log
     */
    BackupAnswer(
            Vertx vertx,
            Context context,
            String peerId,
            EntryQueue queue,
            Replica replica,
            Log log,
            BooleanSupplier ready,
            BooleanSupplier follows) {
        this.vertx = vertx;
        this.context = context;
        this.peerId = peerId;
        this.queue = queue;
        this.replica = replica;
        this.log = log;
        this.ready = ready;
        vertx.setPeriodic(BETWEEN_TICKS_MILLIS, tick -> {
            if (follows.getAsBoolean()) {
                look();
            }
        });
    }

    private void look() {
        long now = System.nanoTime();
        if (lookedAtNanos != Long.MIN_VALUE && now - lookedAtNanos < BETWEEN_LOOKS_NANOS) {
            return;
        }
        var segments = replica.look(state -> List.copyOf(state.segments()));
        long floor = replica.cluster().map(Cluster::floor).orElse(0L);
        growth.look(now, segments, floor);
        lookedAtNanos = now;
    }

    /** The page that is asked for, of a new picture or of one that is kept. */
    Future<BackupReply> page(BackupRequest request) {
        if (!request.getPicture().isEmpty()) {
            return page(request.getPicture(), request.getPage());
        }
        if (!ready.getAsBoolean()) {
            return begin(false);
        }
        var nothing = queue.offer(NOTHING);
        if (nothing.isEmpty()) {
            return refused("too many commands wait for the log of this peer; try again a little later");
        }
        return Future.fromCompletionStage(nothing.get(), context)
                .recover(unknown -> refused("this peer could not confirm that it leads: " + unknown.getMessage()))
                .compose(applied -> begin(true));
    }

    private Future<BackupReply> begin(boolean confirmed) {
        return context.executeBlocking(() -> taken(confirmed))
                .recover(unreadable -> refused("the state cannot be read: " + unreadable.getMessage()))
                .compose(taken -> begin(taken, confirmed));
    }

    private Replay taken(boolean confirmed) throws IOException {
        var taken = new Replay(replica.picture());
        if (!confirmed) {
            log.readAfter(taken.last().index(), taken::add);
        }
        return taken;
    }

    private Future<BackupReply> begin(Replay taken, boolean confirmed) {
        var cluster = taken.state().cluster();
        if (cluster.isEmpty()) {
            return refused("this peer does not know the cluster yet");
        }
        if (pictures.size() == MOST_PICTURES) {
            drop(pictures.keySet().iterator().next());
        }
        var seen = growth.seen(System.nanoTime(), taken.state().segments());
        var about = BackupReply.newBuilder()
                .setPicture(UUID.randomUUID().toString())
                .setPeerId(peerId)
                .setClusterId(cluster.get().id())
                .setIncarnation(cluster.get().incarnation())
                .setTerm(taken.last().term())
                .setIndex(taken.last().index())
                .setConfirmed(confirmed)
                .setUnapplied(taken.entries())
                .setGrowthPerSecond(seen.perSecond())
                .setGrowthOverSeconds(seen.over().toSeconds())
                .build();
        pictures.put(about.getPicture(), new Picture(about, rows(taken.state())));
        return page(about.getPicture(), 0);
    }

    private static List<StoreChange> rows(StoreState state) {
        var rows = new ArrayList<StoreChange>();
        state.cluster().ifPresent(cluster -> rows.add(new PutCluster(cluster)));
        state.namespaces().forEach(namespace -> rows.add(new PutNamespace(namespace)));
        state.sessions().forEach(session -> rows.add(new PutSession(session)));
        state.segments().forEach(segment -> rows.add(new PutSegment(segment)));
        return rows;
    }

    private Future<BackupReply> page(String id, int number) {
        var picture = pictures.get(id);
        if (picture == null) {
            return refused("this peer keeps no picture " + id + " any more; begin the backup again");
        }
        int size = picture.rows.size();
        long from = Integer.toUnsignedLong(number) * PAGE_ROWS;
        if (from >= size) {
            return Future.failedFuture(RpcException.of(
                    GrpcStatus.INVALID_ARGUMENT,
                    ErrorReason.MALFORMED_REQUEST,
                    "page is " + Integer.toUnsignedString(number) + "; the picture has " + size + " rows, " + PAGE_ROWS
                            + " to a page"));
        }
        vertx.cancelTimer(picture.timer);
        picture.timer = vertx.setTimer(KEPT_MILLIS, unused -> drop(id));
        int to = (int) Math.min(size, from + PAGE_ROWS);
        // The last page may be asked for again, so the picture stays until its time is over.
        return Future.succeededFuture(picture.about.toBuilder()
                .setRows(UnsafeByteOperations.unsafeWrap(BackupRowsCodec.encode(picture.rows.subList((int) from, to))))
                .setLast(to == size)
                .build());
    }

    private void drop(String id) {
        var dropped = pictures.remove(id);
        if (dropped != null) {
            vertx.cancelTimer(dropped.timer);
        }
    }

    private static <T> Future<T> refused(String why) {
        return Future.failedFuture(RpcException.of(GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, why));
    }
}
