package io.seqsvr.node.server;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of a port, and messages of its streams, that have begun and not ended: what they take together is bounded,
 * and one that does not end in time is told to give that up. Else a few callers who never send the last byte would keep
 * the room of all others for ever. For one event loop.
 */
final class UnfinishedRequests {
    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedRequests.class);

    private final Vertx vertx;
    private final UnfinishedBytes room;
    private final long endsWithinMillis;
    /** In the order in which they began. */
    private final Set<Begun> begun = new LinkedHashSet<>();
    /** Whether there will be a look at who is late: one timer for all, as most end at once. */
    private boolean looking;

    /**
     * None yet.
     *
     * @param room for the bytes of all of them
     * @param endsWithinMillis how long each may take
     */
    UnfinishedRequests(Vertx vertx, UnfinishedBytes room, long endsWithinMillis) {
        this.vertx = vertx;
        this.room = room;
        this.endsWithinMillis = endsWithinMillis;
    }

    /** For the bytes of those that come over a connection. */
    UnfinishedBytes.Share roomOf(HttpConnection connection) {
        return room.of(connection);
    }

    /**
     * One begins.
     *
     * @param late is run if it has not ended in time; then it is over here
     */
    Begun begins(Runnable late) {
        var one = new Begun(late);
        begun.add(one);
        if (!looking) {
            lookIn(endsWithinMillis);
        }
        return one;
    }

    private void lookIn(long millis) {
        looking = true;
        vertx.setTimer(millis, fired -> {
            looking = false;
            look(System.nanoTime());
        });
    }

    private void look(long nowNanos) {
        var late = new ArrayList<Begun>();
        for (var oldest = begun.iterator(); oldest.hasNext(); oldest.remove()) {
            var one = oldest.next();
            long leftMillis = endsWithinMillis - TimeUnit.NANOSECONDS.toMillis(nowNanos - one.sinceNanos);
            if (leftMillis > 0) {
                lookIn(leftMillis);
                break;
            }
            late.add(one);
        }
        for (var one : late) {
            try {
                one.late.run();
            } catch (RuntimeException failed) {
                // The others are late all the same.
                LOG.warn("event=late_request_not_refused error=\"{}\"", failed.getMessage(), failed);
            }
        }
    }

    /** What is said of one that is late. */
    RpcException refusal(String what) {
        return RpcException.of(
                GrpcStatus.DEADLINE_EXCEEDED,
                ErrorReason.DEADLINE_PASSED,
                what + " was to end within " + endsWithinMillis + " ms; send it faster, or in several");
    }

    /** One of them. */
    final class Begun {
        private final Runnable late;
        private final long sinceNanos = System.nanoTime();

        private Begun(Runnable late) {
            this.late = late;
        }

        /** It has ended, well or not; repeating it is harmless. */
        void ends() {
            begun.remove(this);
        }
    }
}
