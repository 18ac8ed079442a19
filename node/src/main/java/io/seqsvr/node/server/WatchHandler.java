package io.seqsvr.node.server;

import com.google.protobuf.Message;

/** Answers a request with replies for as long as the caller stays. */
@FunctionalInterface
public interface WatchHandler<Q extends Message> {
    /** Takes a request; whoever asked reads {@code replies} until it goes or is told that they end. */
    void begin(Q request, ReplyStream replies);
}
