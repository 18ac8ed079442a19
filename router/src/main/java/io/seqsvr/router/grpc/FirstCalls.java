package io.seqsvr.router.grpc;

import io.seqsvr.core.failover.AssignmentPlan;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.Order;
import io.seqsvr.core.store.StoreView;
import io.vertx.core.Future;
import java.util.stream.IntStream;

/**
 * The first calls of a router are its own, before anybody can connect: they bring its connections to the owners about,
 * and run its code once. A process that has just started takes a good part of a second for both, and whoever came
 * first would wait for it.
 */
public final class FirstCalls {
    /** A few for each owner. */
    private static final int CALLS = 32;
    /** Some owner may be dead, and its segments not yet anybody's. */
    private static final long WITHIN_MILLIS = 500;

    private final ProxyService proxy;

    /** Calls through this proxy. */
    public FirstCalls(ProxyService proxy) {
        this.proxy = proxy;
    }

    /**
     * Reads where users stand who are spread over a namespace: that changes nothing, and in LEASE order an owner
     * answers it from memory. Nobody is asked while a segment has no owner: the sooner this router plans, the better.
     *
     * @return done when the last of them was answered or given up; never fails
     */
    public Future<Void> make(StoreView view) {
        if (!AssignmentPlan.complete(view)) {
            return Future.succeededFuture();
        }
        return view.namespaces().stream()
                .filter(namespace -> namespace.order() == Order.LEASE)
                .findFirst()
                .map(this::make)
                .orElse(Future.succeededFuture());
    }

    private Future<Void> make(Namespace namespace) {
        var calls = IntStream.range(0, CALLS)
                .mapToObj(i -> namespace.capacity() / CALLS * i)
                .map(uid -> new Wanted(new Call.Current(namespace.name(), uid), 0))
                .map(wanted -> proxy.answer(wanted, WITHIN_MILLIS, Caller.ALONE))
                .toList();
        return Future.join(calls).<Void>mapEmpty().otherwiseEmpty();
    }
}
