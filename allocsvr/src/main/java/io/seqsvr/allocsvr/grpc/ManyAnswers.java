package io.seqsvr.allocsvr.grpc;

import io.seqsvr.allocsvr.role.AllocatorLoop;
import io.seqsvr.allocsvr.role.Wanted;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import io.seqsvr.node.api.ManyApi;
import io.seqsvr.node.api.PublicApi;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.CurrentItem;
import io.seqsvr.proto.v1.CurrentManyReply;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.CurrentResult;
import io.seqsvr.proto.v1.Exactness;
import io.seqsvr.proto.v1.ItemError;
import io.seqsvr.proto.v1.LastSequence;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextResult;
import io.seqsvr.proto.v1.TakenRange;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Calls for many users at one AllocSvr: items without a user are answered here, all others by the allocator together.
 */
final class ManyAnswers {
    private static final NextResult NEXT_WITHOUT_UID = NextResult.newBuilder()
            .setError(ManyApi.error(PublicApi.missing("uid")))
            .build();
    private static final CurrentResult CURRENT_WITHOUT_UID = CurrentResult.newBuilder()
            .setError(ManyApi.error(PublicApi.missing("uid")))
            .build();

    private ManyAnswers() {}

    /** Answers a NextMany; without a loop, that the allocator is starting. */
    static Future<NextManyReply> nextMany(Optional<AllocatorLoop> loop, NextManyRequest request) {
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
        return answers(loop, wanted).map(answers -> {
            var reply = NextManyReply.newBuilder();
            for (var item : request.getItemsList()) {
                reply.addResults(item.hasUid() ? result(item, answers.next()) : NEXT_WITHOUT_UID);
            }
            return reply.build();
        });
    }

    /** Answers a CurrentMany; without a loop, that the allocator is starting. */
    static Future<CurrentManyReply> currentMany(Optional<AllocatorLoop> loop, CurrentManyRequest request) {
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
        return answers(loop, wanted).map(answers -> {
            var reply = CurrentManyReply.newBuilder();
            for (var item : request.getItemsList()) {
                reply.addResults(item.hasUid() ? result(item, answers.next()) : CURRENT_WITHOUT_UID);
            }
            return reply.build();
        });
    }

    private static Wanted wanted(String namespace, NextItem item) {
        long count = item.hasCount() ? item.getCount() : 1;
        return new Wanted(new Call.Next(namespace, item.getUid(), count, item.getAtLeast()), item.getMinEpoch());
    }

    /** The answers in the order of the calls, or the one error of all of them. */
    private static Future<Iterator<Answer>> answers(Optional<AllocatorLoop> loop, List<Wanted> wanted) {
        if (loop.isEmpty()) {
            return Future.failedFuture(PublicApi.error(SequencesService.STARTING));
        }
        if (wanted.isEmpty()) {
            return Future.succeededFuture(new ArrayList<Answer>().iterator());
        }
        return loop.get()
                .together(wanted)
                .compose(answers -> ManyApi.errorOfAll(answers.get(0))
                        .<Future<Iterator<Answer>>>map(Future::failedFuture)
                        .orElseGet(() -> Future.succeededFuture(answers.iterator())));
    }

    private static NextResult result(NextItem item, Answer answer) {
        var result = NextResult.newBuilder().setUid(item.getUid());
        if (answer instanceof Answer.Range range) {
            return result.setTaken(TakenRange.newBuilder()
                            .setFirst(range.first())
                            .setLast(range.last())
                            .setEpoch(range.epoch()))
                    .build();
        }
        return result.setError(error(answer)).build();
    }

    private static CurrentResult result(CurrentItem item, Answer answer) {
        var result = CurrentResult.newBuilder().setUid(item.getUid());
        if (answer instanceof Answer.Reading reading) {
            return result.setLast(LastSequence.newBuilder()
                            .setSeq(reading.seq())
                            .setExactness(reading.exact() ? Exactness.EXACT : Exactness.UPPER_BOUND)
                            .setEpoch(reading.epoch()))
                    .build();
        }
        return result.setError(error(answer)).build();
    }

    private static ItemError error(Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            return ManyApi.error(PublicApi.error(refused));
        }
        throw new IllegalStateException("an answer of the wrong kind: " + answer);
    }
}
