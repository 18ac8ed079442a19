package io.seqsvr.node.server;

import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.OpenShare;
import io.seqsvr.node.socket.ConnectionShare;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;

/**
 * The caller of one request: gone as soon as it takes the request back, or its connection is lost. For one event loop.
 */
class RequestCaller implements Caller, Handler<Throwable> {
    private final OpenShare share;
    private final UnderWay underWay;
    private boolean gone;

    /**
     * One that is there.
     *
     * @param underWay is told when it leaves
     */
    RequestCaller(HttpConnection connection, UnderWay underWay) {
        this.share = ConnectionShare.of(connection);
        this.underWay = underWay;
    }

    /** The caller of a request that has come as a whole. */
    static RequestCaller of(HttpServerRequest request, UnderWay underWay) {
        var caller = new RequestCaller(request.connection(), underWay);
        request.response().exceptionHandler(caller);
        return caller;
    }

    /** What its request, or the response to it, failed with: then nobody hears of it any more. */
    @Override
    public void handle(Throwable lost) {
        leave();
    }

    /** It is gone; repeating it is harmless. */
    final void leave() {
        if (!gone) {
            gone = true;
            underWay.callerLeft();
        }
    }

    @Override
    public final boolean isGone() {
        return gone;
    }

    @Override
    public final OpenShare share() {
        return share;
    }
}
