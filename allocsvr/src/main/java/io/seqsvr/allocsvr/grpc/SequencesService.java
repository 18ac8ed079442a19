package io.seqsvr.allocsvr.grpc;

import io.seqsvr.allocsvr.role.AllocatorLoop;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.node.api.PublicApi;
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
import java.util.Optional;

/** The public service of one AllocSvr: it answers for the segments that its allocator owns, and refuses the others. */
public final class SequencesService {
    static final Answer.Refused STARTING = new Answer.Refused(Refusal.NOT_READY, "the allocator is starting");

    private Optional<AllocatorLoop> loop = Optional.empty();

    /** Binds the methods to a port; until {@link #serve} they refuse. */
    public void bind(NodeServer.Builder port) {
        port
                .method(SequencesRpc.NEXT, (request, timeout) -> next(request))
                .method(SequencesRpc.CURRENT, (request, timeout) -> current(request))
                .method(SequencesRpc.RAISE_FLOOR, (request, timeout) -> raiseFloor(request))
                .method(SequencesRpc.NEXT_MANY, (request, timeout) -> ManyAnswers.nextMany(loop, request))
                .method(SequencesRpc.CURRENT_MANY, (request, timeout) -> ManyAnswers.currentMany(loop, request))
                .stream(SequencesRpc.ALLOCATE, replies -> new FrameStream(replies, () -> loop));
    }

    /** Answers from this allocator from now on. */
    public void serve(AllocatorLoop ready) {
        loop = Optional.of(ready);
    }

    /** Whether requests would be answered. */
    public boolean ready() {
        return loop.map(AllocatorLoop::ready).orElse(false);
    }

    private Future<NextReply> next(NextRequest request) {
        try {
            PublicApi.check(request);
        } catch (RpcException incomplete) {
            return Future.failedFuture(incomplete);
        }
        long count = request.hasCount() ? request.getCount() : 1;
        return loop.map(ready -> ready.next(
                        request.getNamespace(), request.getUid(), count, request.getAtLeast(), request.getMinEpoch()))
                .orElse(Future.succeededFuture(STARTING))
                .compose(SequencesService::nextReply);
    }

    private Future<CurrentReply> current(CurrentRequest request) {
        try {
            PublicApi.check(request);
        } catch (RpcException incomplete) {
            return Future.failedFuture(incomplete);
        }
        return loop.map(ready -> ready.current(request.getNamespace(), request.getUid(), request.getMinEpoch()))
                .orElse(Future.succeededFuture(STARTING))
                .compose(SequencesService::currentReply);
    }

    private Future<RaiseFloorReply> raiseFloor(RaiseFloorRequest request) {
        try {
            PublicApi.check(request);
        } catch (RpcException incomplete) {
            return Future.failedFuture(incomplete);
        }
        return loop.map(ready -> ready.raiseFloor(
                        request.getNamespace(), request.getUid(), request.getFloor(), request.getMinEpoch()))
                .orElse(Future.succeededFuture(STARTING))
                .compose(SequencesService::raiseFloorReply);
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
