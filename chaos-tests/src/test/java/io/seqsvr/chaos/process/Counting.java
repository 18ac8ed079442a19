package io.seqsvr.chaos.process;

import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.NextReply;
import io.seqsvr.proto.v1.NextRequest;

/** How a server answers. */
interface Counting {
    /**
     * One call.
     *
     * @param connection number of the connection that it came over, from 0
     * @param request what it asks
     */
    NextReply answer(int connection, NextRequest request) throws RpcException;

    /** A reply to a request. */
    static NextReply reply(NextRequest request, long last) {
        return NextReply.newBuilder()
                .setUid(request.getUid())
                .setFirst(last - request.getCount() + 1)
                .setLast(last)
                .setEpoch(1)
                .build();
    }
}
