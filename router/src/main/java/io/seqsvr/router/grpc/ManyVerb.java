package io.seqsvr.router.grpc;

import com.google.protobuf.Message;
import io.seqsvr.node.api.ManyApi;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.rpc.RpcMethod;
import io.seqsvr.proto.rpc.SequencesRpc;
import io.seqsvr.proto.v1.CurrentItem;
import io.seqsvr.proto.v1.CurrentManyReply;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.CurrentResult;
import io.seqsvr.proto.v1.NextItem;
import io.seqsvr.proto.v1.NextManyReply;
import io.seqsvr.proto.v1.NextManyRequest;
import io.seqsvr.proto.v1.NextResult;
import java.util.List;
import java.util.OptionalLong;

/**
 * How the messages of one verb for many users are read and made.
 *
 * @param <I> one item of a request
 * @param <X> one result of a reply
 * @param <Q> request message
 * @param <R> reply message
 */
interface ManyVerb<I, X, Q extends Message, R extends Message> {
    RpcMethod<Q, R> method();

    Q request(String namespace, List<I> items);

    R reply(List<X> results);

    List<X> results(R reply);

    /** The user that an item names, if it names one. */
    OptionalLong uid(I item);

    /** The user that a result is about. */
    long answered(X result);

    /** The epoch under which an owner answered an item; none if it refused. */
    OptionalLong epoch(X result);

    /** An item that got no answer. */
    X refused(I item, RpcException error);

    /** NextMany. */
    final class Next implements ManyVerb<NextItem, NextResult, NextManyRequest, NextManyReply> {
        @Override
        public RpcMethod<NextManyRequest, NextManyReply> method() {
            return SequencesRpc.NEXT_MANY;
        }

        @Override
        public NextManyRequest request(String namespace, List<NextItem> items) {
            return NextManyRequest.newBuilder()
                    .setNamespace(namespace)
                    .addAllItems(items)
                    .build();
        }

        @Override
        public NextManyReply reply(List<NextResult> results) {
            return NextManyReply.newBuilder().addAllResults(results).build();
        }

        @Override
        public List<NextResult> results(NextManyReply reply) {
            return reply.getResultsList();
        }

        @Override
        public OptionalLong uid(NextItem item) {
            return item.hasUid() ? OptionalLong.of(item.getUid()) : OptionalLong.empty();
        }

        @Override
        public long answered(NextResult result) {
            return result.getUid();
        }

        @Override
        public OptionalLong epoch(NextResult result) {
            return result.hasTaken() ? OptionalLong.of(result.getTaken().getEpoch()) : OptionalLong.empty();
        }

        @Override
        public NextResult refused(NextItem item, RpcException error) {
            return NextResult.newBuilder()
                    .setUid(item.getUid())
                    .setError(ManyApi.error(error))
                    .build();
        }
    }

    /** CurrentMany. */
    final class Current implements ManyVerb<CurrentItem, CurrentResult, CurrentManyRequest, CurrentManyReply> {
        @Override
        public RpcMethod<CurrentManyRequest, CurrentManyReply> method() {
            return SequencesRpc.CURRENT_MANY;
        }

        @Override
        public CurrentManyRequest request(String namespace, List<CurrentItem> items) {
            return CurrentManyRequest.newBuilder()
                    .setNamespace(namespace)
                    .addAllItems(items)
                    .build();
        }

        @Override
        public CurrentManyReply reply(List<CurrentResult> results) {
            return CurrentManyReply.newBuilder().addAllResults(results).build();
        }

        @Override
        public List<CurrentResult> results(CurrentManyReply reply) {
            return reply.getResultsList();
        }

        @Override
        public OptionalLong uid(CurrentItem item) {
            return item.hasUid() ? OptionalLong.of(item.getUid()) : OptionalLong.empty();
        }

        @Override
        public long answered(CurrentResult result) {
            return result.getUid();
        }

        @Override
        public OptionalLong epoch(CurrentResult result) {
            return result.hasLast() ? OptionalLong.of(result.getLast().getEpoch()) : OptionalLong.empty();
        }

        @Override
        public CurrentResult refused(CurrentItem item, RpcException error) {
            return CurrentResult.newBuilder()
                    .setUid(item.getUid())
                    .setError(ManyApi.error(error))
                    .build();
        }
    }
}
