package io.seqsvr.storeclient;

import io.seqsvr.proto.rpc.RpcException;

/** A command that did not reach the log: nothing happened, and the same command may be tried again. */
public final class NotSubmittedException extends Exception {
    private static final long serialVersionUID = 1L;

    NotSubmittedException(String message) {
        super(message, null, false, false);
    }

    /** Whether a command that failed so has not reached the log, and never will. */
    public static boolean isMeantBy(Throwable failure) {
        return failure instanceof NotSubmittedException || (failure instanceof RpcException call && call.isUnsent());
    }
}
