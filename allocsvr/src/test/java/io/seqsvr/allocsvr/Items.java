package io.seqsvr.allocsvr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.seqsvr.proto.rpc.SequencesRpc;
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
import java.util.List;

/** Items of calls for many users, and what their results should be. */
final class Items {
    private Items() {}

    static NextItem next(long uid, long count) {
        return NextItem.newBuilder().setUid(uid).setCount(count).build();
    }

    static CurrentItem current(long uid) {
        return CurrentItem.newBuilder().setUid(uid).build();
    }

    static Future<NextManyReply> nextMany(TestAllocSvr alloc, String namespace, NextItem... items) {
        return alloc.call(
                SequencesRpc.NEXT_MANY,
                NextManyRequest.newBuilder()
                        .setNamespace(namespace)
                        .addAllItems(List.of(items))
                        .build());
    }

    static Future<CurrentManyReply> currentMany(TestAllocSvr alloc, String namespace, CurrentItem... items) {
        return alloc.call(
                SequencesRpc.CURRENT_MANY,
                CurrentManyRequest.newBuilder()
                        .setNamespace(namespace)
                        .addAllItems(List.of(items))
                        .build());
    }

    static NextResult taken(long uid, long first, long last) {
        return NextResult.newBuilder()
                .setUid(uid)
                .setTaken(TakenRange.newBuilder().setFirst(first).setLast(last).setEpoch(1))
                .build();
    }

    static CurrentResult last(long uid, long seq, Exactness exactness) {
        return CurrentResult.newBuilder()
                .setUid(uid)
                .setLast(LastSequence.newBuilder()
                        .setSeq(seq)
                        .setExactness(exactness)
                        .setEpoch(1))
                .build();
    }

    static void assertError(GrpcStatus code, ErrorReason reason, String message, ItemError error) {
        assertEquals(message, error.getMessage());
        assertEquals(code.code, error.getCode());
        assertEquals(reason, error.getReason());
    }
}
