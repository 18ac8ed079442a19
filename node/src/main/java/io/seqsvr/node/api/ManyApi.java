package io.seqsvr.node.api;

import com.google.protobuf.util.Durations;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.proto.rpc.RequestItems;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.CurrentManyRequest;
import io.seqsvr.proto.v1.ItemError;
import io.seqsvr.proto.v1.NextManyRequest;
import java.util.Optional;

/** What calls for many users share at every router and AllocSvr: their bound, and the errors of single items. */
public final class ManyApi {
    /** Of an item's message: so many as there may be must pass as one reply. */
    private static final int MAX_MESSAGE_CHARS = 200;

    private ManyApi() {}

    /** Checks what a request says of all its items together. */
    public static void check(NextManyRequest request) throws RpcException {
        check(request.getNamespace(), request.getItemsCount());
    }

    /** Checks what a request says of all its items together. */
    public static void check(CurrentManyRequest request) throws RpcException {
        check(request.getNamespace(), request.getItemsCount());
    }

    private static void check(String namespace, int items) throws RpcException {
        PublicApi.checkName(namespace);
        RequestItems.check(items);
    }

    /** An error of a call as that of an item. */
    public static ItemError error(RpcException error) {
        var message = error.message();
        var item = ItemError.newBuilder()
                .setCode(error.status().code)
                .setReason(error.reason())
                .setMessage(message.length() <= MAX_MESSAGE_CHARS ? message : message.substring(0, MAX_MESSAGE_CHARS));
        if (error.retryAfterMillis() >= 0) {
            item.setRetryDelay(Durations.fromMillis(error.retryAfterMillis()));
        }
        return item.build();
    }

    /** The error of the whole call where an item's refusal speaks of all items: there is no such namespace. */
    public static Optional<RpcException> errorOfAll(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.refusal() == Refusal.NAMESPACE_UNKNOWN
                ? Optional.of(PublicApi.error(refused))
                : Optional.empty();
    }
}
