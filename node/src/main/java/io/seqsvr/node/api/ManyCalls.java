package io.seqsvr.node.api;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.CurrentItem;
import io.seqsvr.proto.v1.CurrentManyReply;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.CurrentResult;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.ItemError;
import io.seqsvr.proto.v1.LastSequence;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextResult;
import io.seqsvr.proto.v1.TakenRange;
import io.vertx.core.Future;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Calls for many users: items without a user are answered here, all others together by whoever answers. */
final class ManyCalls {
    private static final ItemError WITHOUT_UID = ManyApi.error(PublicApi.missing("uid"));

    private final Answering answering;
    private final RefusedCalls refused;

    ManyCalls(Answering answering, RefusedCalls refused) {
        this.answering = answering;
        this.refused = refused;
    }

    Future<NextManyReply> nextMany(NextManyRequest request, long timeoutMillis, Caller caller) {
        try {
            ManyApi.check(request);
        } catch (RpcException malformed) {
            return Future.failedFuture(malformed);
        }
        var namespace = request.getNamespace();
        var wanted = request.getItemsList().stream()
                .filter(NextItem::hasUid)
                .map(item -> wanted(namespace, item))
                .toList();
        return answers(wanted, timeoutMillis, caller).map(answers -> {
            var reply = NextManyReply.newBuilder();
            for (var item : request.getItemsList()) {
                reply.addResults(next(item, item.hasUid() ? Optional.of(answers.next()) : Optional.empty()));
            }
            return reply.build();
        });
    }

    Future<CurrentManyReply> currentMany(CurrentManyRequest request, long timeoutMillis, Caller caller) {
        try {
            ManyApi.check(request);
        } catch (RpcException malformed) {
            return Future.failedFuture(malformed);
        }
        var namespace = request.getNamespace();
        var wanted = request.getItemsList().stream()
                .filter(CurrentItem::hasUid)
                .map(item -> new Wanted(new Call.Current(namespace, item.getUid()), item.getMinEpoch()))
                .toList();
        return answers(wanted, timeoutMillis, caller).map(answers -> {
            var reply = CurrentManyReply.newBuilder();
            for (var item : request.getItemsList()) {
                reply.addResults(current(item, item.hasUid() ? Optional.of(answers.next()) : Optional.empty()));
            }
            return reply.build();
        });
    }

    private static Wanted wanted(String namespace, NextItem item) {
        long count = item.hasCount() ? item.getCount() : 1;
        return new Wanted(new Call.Next(namespace, item.getUid(), count, item.getAtLeast()), item.getMinEpoch());
    }

    /** What became of the calls in their order, or the one error of all of them. */
    private Future<Iterator<Future<Answer>>> answers(List<Wanted> wanted, long timeoutMillis, Caller caller) {
        if (wanted.isEmpty()) {
            return Future.succeededFuture(new ArrayList<Future<Answer>>().iterator());
        }
        return answering
                .together(wanted, timeoutMillis, caller)
                .compose(answers -> errorOfAll(answers, caller)
                        .<Future<Iterator<Future<Answer>>>>map(Future::failedFuture)
                        .orElseGet(() -> Future.succeededFuture(answers.iterator())));
    }

    private static Optional<RpcException> errorOfAll(List<Future<Answer>> answers, Caller caller) {
        if (caller.isGone()) {
            // Nobody reads a reply: what is refused in it is not counted either.
            return Optional.of(
                    RpcException.of(GrpcStatus.CANCELLED, ErrorReason.ERROR_REASON_UNSPECIFIED, "the caller is gone"));
        }
        // One owner may not have heard yet of a namespace in which others have served their items.
        Optional<RpcException> error = Optional.empty();
        for (var answer : answers) {
            error = answer.succeeded() ? ManyApi.errorOfAll(answer.result()) : Optional.empty();
            if (error.isEmpty()) {
                return error;
            }
        }
        return error;
    }

    private NextResult next(NextItem item, Optional<Future<Answer>> answer) {
        var result = NextResult.newBuilder().setUid(item.getUid());
        if (answer.isPresent() && answer.get().result() instanceof Answer.Range range) {
            return result.setTaken(TakenRange.newBuilder()
                            .setFirst(range.first())
                            .setLast(range.last())
                            .setEpoch(range.epoch()))
                    .build();
        }
        return result.setError(error(answer)).build();
    }

    private CurrentResult current(CurrentItem item, Optional<Future<Answer>> answer) {
        var result = CurrentResult.newBuilder().setUid(item.getUid());
        if (answer.isPresent() && answer.get().result() instanceof Answer.Reading reading) {
            return result.setLast(LastSequence.newBuilder()
                            .setSeq(reading.seq())
                            .setExactness(reading.exact() ? Exactness.EXACT : Exactness.UPPER_BOUND)
                            .setEpoch(reading.epoch()))
                    .build();
        }
        return result.setError(error(answer)).build();
    }

    private ItemError error(Optional<Future<Answer>> answer) {
        var error = answer.map(ManyCalls::errorOf).orElse(WITHOUT_UID);
        refused.add(error.getReason(), 1);
        return error;
    }

    private static ItemError errorOf(Future<Answer> answer) {
        if (answer.cause() instanceof RpcException error) {
            return ManyApi.error(error);
        }
        if (answer.result() instanceof Answer.Refused refused) {
            return ManyApi.error(PublicApi.error(refused));
        }
        throw new IllegalStateException("an answer of the wrong kind: " + answer);
    }
}
