package io.seqsvr.node.api;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.CurrentRequest;
import io.seqsvr.proto.v1.ErrorReason;
import io.seqsvr.proto.v1.NextRequest;
import io.seqsvr.proto.v1.RaiseFloorRequest;
import io.vertx.grpc.common.GrpcStatus;

/** Fields that must be there, and refusals as errors: the same at every router and AllocSvr. */
public final class PublicApi {
    private static final long RETRY_SOON_MILLIS = 50;

    private PublicApi() {}

    /** Checks that a request names namespace and user. */
    public static void check(NextRequest request) throws RpcException {
        check(request.getNamespace(), request.hasUid());
    }

    /** Checks that a request names namespace and user. */
    public static void check(CurrentRequest request) throws RpcException {
        check(request.getNamespace(), request.hasUid());
    }

    /** Checks that a request names namespace, user and floor. */
    public static void check(RaiseFloorRequest request) throws RpcException {
        check(request.getNamespace(), request.hasUid());
        if (!request.hasFloor()) {
            throw missing("floor");
        }
    }

    private static void check(String namespace, boolean hasUid) throws RpcException {
        checkName(namespace);
        if (!hasUid) {
            throw missing("uid");
        }
    }

    /** Checks that a namespace is named, and by what may be a name: what waits would keep all of it. */
    static void checkName(String namespace) throws RpcException {
        if (namespace.isEmpty()) {
            throw missing("namespace");
        }
        if (Namespace.isTooLong(namespace)) {
            throw error(Answer.Refused.namespaceUnknown(namespace));
        }
    }

    /** The error of a call without a required field. */
    public static RpcException missing(String field) {
        return RpcException.ofField(
                GrpcStatus.INVALID_ARGUMENT, ErrorReason.FIELD_MISSING, field, field + " is missing; it must be given");
    }

    /** A refusal of the rules as an error of the API; of Next, where it is about a lift. */
    public static RpcException error(Answer.Refused refused) {
        return error(refused, "at_least");
    }

    /**
     * A refusal of the rules as an error of the API.
     *
     * @param lift the field by which the call asked for a lift of its user
     */
    public static RpcException error(Answer.Refused refused, String lift) {
        var message = refused.message();
        return switch (refused.refusal()) {
            case NAMESPACE_UNKNOWN ->
                RpcException.ofField(GrpcStatus.NOT_FOUND, ErrorReason.NAMESPACE_UNKNOWN, "namespace", message);
            case UID_OUT_OF_RANGE ->
                RpcException.ofField(GrpcStatus.OUT_OF_RANGE, ErrorReason.UID_OUT_OF_RANGE, "uid", message);
            case FRAME_MALFORMED -> RpcException.of(GrpcStatus.INVALID_ARGUMENT, ErrorReason.FRAME_MALFORMED, message);
            case COUNT_OUT_OF_BOUNDS ->
                RpcException.ofField(GrpcStatus.INVALID_ARGUMENT, ErrorReason.COUNT_OUT_OF_BOUNDS, "count", message);
            case JUMP_OUT_OF_BOUNDS ->
                RpcException.ofField(GrpcStatus.INVALID_ARGUMENT, ErrorReason.JUMP_OUT_OF_BOUNDS, lift, message);
            case SEQUENCE_EXHAUSTED ->
                RpcException.of(GrpcStatus.OUT_OF_RANGE, ErrorReason.SEQUENCE_EXHAUSTED, message);
            case NOT_OWNER ->
                RpcException.retryable(
                        GrpcStatus.FAILED_PRECONDITION, ErrorReason.NOT_OWNER, message, RETRY_SOON_MILLIS);
            case LEASE_EXPIRED ->
                RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.LEASE_EXPIRED, message, RETRY_SOON_MILLIS);
            case NOT_READY ->
                RpcException.retryable(GrpcStatus.UNAVAILABLE, ErrorReason.NOT_READY, message, RETRY_SOON_MILLIS);
            case TOO_MANY_WAITING ->
                RpcException.retryable(
                        GrpcStatus.RESOURCE_EXHAUSTED, ErrorReason.TOO_MANY_WAITING, message, RETRY_SOON_MILLIS);
            case TOO_MANY_USERS -> RpcException.of(GrpcStatus.RESOURCE_EXHAUSTED, ErrorReason.TOO_MANY_USERS, message);
            case DEADLINE_PASSED ->
                RpcException.retryable(
                        GrpcStatus.DEADLINE_EXCEEDED, ErrorReason.DEADLINE_PASSED, message, RETRY_SOON_MILLIS);
        };
    }
}
