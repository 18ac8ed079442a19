package io.seqsvr.node.api;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.proto.rpc.RpcException;
import io.vertx.core.Future;
import java.util.List;

/** Who answers the calls of the public API: an allocator for what it owns, or a router for all. */
public interface Answering {
    /**
     * Answers one call.
     *
     * @param timeoutMillis when its caller waits no more, above 0
     * @param caller once it is gone, what has not left for it need not leave any more
     * @return the answer; fails with an {@link RpcException} if there is none
     */
    Future<Answer> answer(Wanted wanted, long timeoutMillis, Caller caller);

    /**
     * Answers calls that came together, in order.
     *
     * @param wanted one at least
     * @param timeoutMillis when their caller waits no more, above 0
     * @param caller of all of them, as of {@link #answer}
     * @return as many as were asked, all complete, each as of {@link #answer}; fails with what is true of all of them
     */
    Future<List<Future<Answer>>> together(List<Wanted> wanted, long timeoutMillis, Caller caller);
}
