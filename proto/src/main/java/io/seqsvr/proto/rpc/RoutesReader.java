package io.seqsvr.proto.rpc;

import io.seqsvr.core.picture.RouteChanges;
import io.seqsvr.proto.codec.RoutesCodec;
import io.seqsvr.proto.v1.WatchRoutesRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/** Watches the routes at routers and AllocSvrs, one call per watch. Use it from one context. */
public final class RoutesReader {
    private final ReplyReader replies;

    /** A reader with connections of its own. */
    public RoutesReader(Vertx vertx) {
        replies = new ReplyReader(vertx);
    }

    /** Who is told what a server says. */
    public interface Listener {
        /** An answer has begun to come; the first picture may be long. */
        void begun();

        /** Something, news or not. */
        void told(RouteChanges changes);

        /** Nothing more comes, or what came cannot be read; told once, unless the watch was cancelled. */
        void ended(String why);
    }

    /**
     * Begins a watch.
     *
     * @param clusterId the cluster that the server must be of; empty: whichever it is
     * @param since version of the picture that is there; 0 for none
     * @return cancels it: the listener is told nothing more
     */
    public Runnable watch(HostPort server, String clusterId, long since, Listener listener) {
        var request = WatchRoutesRequest.newBuilder()
                .setClusterId(clusterId)
                .setSet(RoutesCodec.SET)
                .setSince(since)
                .build();
        return replies.read(server.socketAddress(), RoutesRpc.WATCH, request, new ReplyReader.Listener() {
            @Override
            public void begun() {
                listener.begun();
            }

            @Override
            public void message(Buffer message) {
                RouteChanges changes;
                try {
                    changes = RoutesCodec.decode(message);
                } catch (IllegalArgumentException unreadable) {
                    listener.ended("it sent what cannot be read: " + unreadable.getMessage());
                    return;
                }
                listener.told(changes);
            }

            @Override
            public void ended(String why) {
                listener.ended(why);
            }
        });
    }

    /** Closes the connections. */
    public Future<Void> close() {
        return replies.close();
    }
}
