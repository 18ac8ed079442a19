package io.seqsvr.router.grpc;

import io.seqsvr.client.line.CallLoop;
import io.seqsvr.core.alloc.FrameRules;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.FrameVerb;
import io.seqsvr.core.front.FrameSplit;
import io.seqsvr.node.api.FrameApi;
import io.seqsvr.node.server.StreamHandler;
import io.seqsvr.node.server.StreamReplies;
import io.seqsvr.proto.codec.FrameCodec;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.rpc.RpcException;

/** One stream of frames at a router: each is split by owner, and answered when all its parts were. */
final class FrameProxy implements StreamHandler.Receiver {
    private final StreamReplies replies;
    private final CallLoop owners;
    private final FrameCodec codec = new FrameCodec();
    /** The frame that is being read; what waits keeps nothing of it. */
    private final FrameCalls calls = new FrameCalls();

    FrameProxy(StreamReplies replies, CallLoop owners) {
        this.replies = replies;
        this.owners = owners;
    }

    @Override
    public void message(byte[] bytes, int from, int to) throws RpcException {
        FrameApi.read(codec, bytes, from, to, calls);
        var problem = FrameRules.problem(calls);
        if (problem.isPresent()) {
            write(ProxiedFrame.refused(calls, problem.get()));
            return;
        }
        replies.hold();
        var verb = FrameVerb.of(calls.verb()).orElseThrow();
        new ProxiedFrame(calls, owners, this::answered).begin(FrameSplit.of(owners.book(), calls, verb));
    }

    private void answered(FrameReply reply) {
        if (!replies.over()) {
            write(reply);
        }
        replies.release();
    }

    private void write(FrameReply reply) {
        codec.writeReply(reply, replies.begin());
        replies.sent();
    }
}
