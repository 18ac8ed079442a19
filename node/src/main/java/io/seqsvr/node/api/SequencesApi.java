package io.seqsvr.node.api;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.node.server.NodeServer;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentReply;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.RaiseFloorReply;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.vertx.core.Future;

/** The calls of the public API that are no streams, with the same fields and errors at every router and AllocSvr. */
public final class SequencesApi {
    private final Answering answering;
    private final RefusedCalls refused;

    /**
     * The API in front of whoever answers.
     *
     * @param refused counts what is refused within replies
     */
    public SequencesApi(Answering answering, RefusedCalls refused) {
        this.answering = answering;
        this.refused = refused;
    }

    /** Binds the methods to a port. */
    public void bind(NodeServer.Builder port) {
        var many = new ManyCalls(answering, refused);
        port.method(SequencesRpc.NEXT, this::next)
                .method(SequencesRpc.CURRENT, this::current)
                .method(SequencesRpc.RAISE_FLOOR, this::raiseFloor)
                .method(SequencesRpc.NEXT_MANY, many::nextMany)
                .method(SequencesRpc.CURRENT_MANY, many::currentMany);
    }

    private Future<NextReply> next(NextRequest request, long timeoutMillis, Caller caller) {
        try {
            PublicApi.check(request);
        } catch (RpcException incomplete) {
            return Future.failedFuture(incomplete);
        }
        long count = request.hasCount() ? request.getCount() : 1;
        var call = new Call.Next(request.getNamespace(), request.getUid(), count, request.getAtLeast());
        return answering
                .answer(new Wanted(call, request.getMinEpoch()), timeoutMillis, caller)
                .compose(SequencesApi::nextReply);
    }

    private Future<CurrentReply> current(CurrentRequest request, long timeoutMillis, Caller caller) {
        try {
            PublicApi.check(request);
        } catch (RpcException incomplete) {
            return Future.failedFuture(incomplete);
        }
        var call = new Call.Current(request.getNamespace(), request.getUid());
        return answering
                .answer(new Wanted(call, request.getMinEpoch()), timeoutMillis, caller)
                .compose(SequencesApi::currentReply);
    }

    private Future<RaiseFloorReply> raiseFloor(RaiseFloorRequest request, long timeoutMillis, Caller caller) {
        try {
            PublicApi.check(request);
        } catch (RpcException incomplete) {
            return Future.failedFuture(incomplete);
        }
        var call = new Call.RaiseFloor(request.getNamespace(), request.getUid(), request.getFloor());
        return answering
                .answer(new Wanted(call, request.getMinEpoch()), timeoutMillis, caller)
                .compose(SequencesApi::raiseFloorReply);
    }

    private static Future<NextReply> nextReply(Answer answer) {
        if (answer instanceof Answer.Range range) {
            return Future.succeededFuture(NextReply.newBuilder()
                    .setUid(range.uid())
                    .setFirst(range.first())
                    .setLast(range.last())
                    .setEpoch(range.epoch())
                    .build());
        }
        return refused(answer, "at_least");
    }

    private static Future<CurrentReply> currentReply(Answer answer) {
        if (answer instanceof Answer.Reading reading) {
            return Future.succeededFuture(CurrentReply.newBuilder()
                    .setUid(reading.uid())
                    .setSeq(reading.seq())
                    .setExactness(reading.exact() ? Exactness.EXACT : Exactness.UPPER_BOUND)
                    .setEpoch(reading.epoch())
                    .build());
        }
        return refused(answer, "at_least");
    }

    private static Future<RaiseFloorReply> raiseFloorReply(Answer answer) {
        if (answer instanceof Answer.Lifted lifted) {
            return Future.succeededFuture(RaiseFloorReply.newBuilder()
                    .setUid(lifted.uid())
                    .setSeq(lifted.seq())
                    .setEpoch(lifted.epoch())
                    .build());
        }
        return refused(answer, "floor");
    }

    private static <T> Future<T> refused(Answer answer, String lift) {
        if (answer instanceof Answer.Refused refused) {
            return Future.failedFuture(PublicApi.error(refused, lift));
        }
        throw new IllegalStateException("an answer of the wrong kind: " + answer);
    }
}
