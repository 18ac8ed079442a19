package io.seqsvr.router.grpc;

import io.seqsvr.client.line.CallLoop;
import io.seqsvr.core.alloc.FrameRules;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.front.FrameSplit;
import io.seqsvr.node.api.FrameReader;
import io.seqsvr.node.api.RefusedCalls;
import io.seqsvr.node.server.StreamHandler;
import io.seqsvr.node.server.StreamReplies;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.rpc.RpcException;

/** One stream of frames at a router: each is split by owner, and answered when all its parts were. */
final class FrameProxy implements StreamHandler.Receiver {
    private final StreamReplies replies;
    private final CallLoop owners;
    private final FrameReader reader;
    private final RefusedCalls refused;

    /**
     * A stream without a frame.
     *
     * @param reader shared by the streams of one event loop
     * @param refused counts
     */
    FrameProxy(StreamReplies replies, CallLoop owners, FrameReader reader, RefusedCalls refused) {
        this.replies = replies;
        this.owners = owners;
        this.reader = reader;
        this.refused = refused;
    }

    @Override
    public void message(byte[] bytes, int from, int to) throws RpcException {
        var calls = reader.read(bytes, from, to);
        var problem = FrameRules.problem(calls);
        if (problem.isPresent()) {
            write(ProxiedFrame.refused(calls, problem.get()));
            return;
        }
        replies.hold();
        var verb = FrameVerb.of(calls.verb()).orElseThrow();
        new ProxiedFrame(calls, owners, replies, this::answered).begin(FrameSplit.of(owners.book(), calls, verb));
    }

    private void answered(FrameReply reply) {
        if (!replies.over()) {
            write(reply);
        }
        replies.release();
    }

    private void write(FrameReply reply) {
        for (var refusal : reply.refusals()) {
            // One without places speaks of the whole frame.
            refused.add(refusal.reason(), Math.max(1, refusal.places().size()));
        }
        reader.codec().writeReply(reply, replies.begin());
        replies.sent();
    }
}
