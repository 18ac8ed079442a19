package io.seqsvr.node.api;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.codec.FrameRefusal;
import io.seqsvr.proto.codec.MalformedMessageException;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import io.vertx.grpc.common.GrpcStatus;

/** What frames share at every router and AllocSvr: how they are read, and errors as refusals of calls. */
public final class FrameApi {
    /** As the wire has it. */
    private static final int WAITING_DOES_NOT_HELP = 0;
    /** Of a refusal that a single call may answer by calling again: for a whole frame that is soon. */
    private static final int AT_ONCE_MILLIS = 50;

    private FrameApi() {}

    /**
     * Reads a message of Allocate.
     *
     * @param into gets its calls, in place of what it held
     * @throws RpcException if it is none, which ends the stream
     */
    public static void read(FrameCodec codec, byte[] bytes, int from, int to, FrameCalls into) throws RpcException {
        try {
            codec.readRequest(bytes, from, to, into);
        } catch (MalformedMessageException malformed) {
            throw RpcException.of(
                    GrpcStatus.INVALID_ARGUMENT,
                    ErrorReason.MALFORMED_REQUEST,
                    "a message is no AllocateRequest: " + malformed.message());
        }
    }

    /** Why calls got nothing, as the reply says it; places that are empty mean the whole frame. */
    public static FrameRefusal refusal(Answer.Refused refused, IntColumn places) {
        return refusal(PublicApi.error(refused), places);
    }

    /** The same of an error. */
    public static FrameRefusal refusal(RpcException error, IntColumn places) {
        return new FrameRefusal(error.reason().getNumber(), error.message(), delayMillis(error), places);
    }

    private static int delayMillis(RpcException error) {
        if (error.retryAfterMillis() < 0) {
            return WAITING_DOES_NOT_HELP;
        }
        return error.retryAfterMillis() == 0 ? AT_ONCE_MILLIS : (int) error.retryAfterMillis();
    }
}
