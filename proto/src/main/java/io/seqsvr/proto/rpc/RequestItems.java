package io.seqsvr.proto.rpc;

import io.seqsvr.proto.codec.FieldCount;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.grpc.common.GrpcStatus;

/** The items of a call for many users: how many there may be, which is looked at before any is parsed. */
public final class RequestItems {
    /** Items of one request at most. */
    public static final int MOST = 10_000;

    private RequestItems() {}

    static void check(int field, byte[] bytes, int from, int length) throws RpcException {
        // Each has a tag and a length at least.
        if (length > 2 * MOST) {
            check(FieldCount.of(bytes, from, from + length, field));
        }
    }

    /** Whether there are few enough. */
    public static void check(int items) throws RpcException {
        if (items > MOST) {
            throw RpcException.ofField(
                    GrpcStatus.INVALID_ARGUMENT,
                    ErrorReason.TOO_MANY_ITEMS,
                    "items",
                    "items are " + items + "; there must be at most " + MOST);
        }
    }
}
