package io.seqsvr.router.grpc;

import io.seqsvr.client.line.BadReplyException;
import io.seqsvr.client.line.CallLoop;
import io.seqsvr.client.line.FrameTimes;
import io.seqsvr.client.line.OutgoingFrame;
import io.seqsvr.client.line.ReplyPlaces;
import io.seqsvr.client.line.SegmentPlaces;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.Refusal;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.frame.IntColumn;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.FramePart;
import io.seqsvr.core.front.FrameSplit;
import io.seqsvr.core.front.Wanted;
import io.seqsvr.node.api.CallerTime;
import io.seqsvr.node.api.FrameApi;
import io.seqsvr.node.api.PublicApi;
import io.seqsvr.proto.codec.FrameRefusal;
import io.seqsvr.proto.codec.FrameReply;
import io.seqsvr.proto.rpc.RpcException;
import io.seqsvr.proto.v1.ErrorReason;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A frame at a router until it is answered. Its parts go to their owners as columns. A call that comes to nothing there
 * goes on alone, as every call of a thin client does, until the frame's time is over; but not once nobody is there who
 * would hear of it.
 *
 * <p>Invariant: every call has a sequence in its place or is in a refusal when the frame is answered, which happens
 * once. A segment is told with the greatest epoch under which any call of it was answered: its caller is taken back by
 * nobody from there.
 */
final class ProxiedFrame {
    /**
     * How long a part waits where the caller says how long it does, as every call of a thin client: asked again
     * earlier, those that wait for StoreSvr would take other numbers. Then they go on alone, as long as there is time.
     */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /**
     * How long a frame waits for an owner that says nothing where its caller does not say: its calls are answered
     * together, and those of an owner that hangs must not hold the others up. Their callers send them again.
     */
    private static final long UNSAID_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** And for one that answers others: it may confirm each frame through the log, or wait for StoreSvr. */
    private static final long UNSAID_LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
    /** Who has waited for StoreSvr in vain waits no more in less time than this. */
    private static final long WORTH_WAITING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Until when calls go on alone. */
    private final long dueNanos;
    /** Of its parts. */
    private final FrameTimes times;

    private final CallLoop owners;
    private final Caller caller;
    private final Consumer<FrameReply> answered;
    private final FrameReply reply = new FrameReply();
    private final String namespaceName;
    private final SegmentPlaces segments = new SegmentPlaces();
    private final Map<ErrorKey, FrameRefusal> refusals = new HashMap<>();
    /** Parts and single calls that are open, and 1 while it begins. */
    private int open = 1;

    /**
     * A frame of which nothing was sent yet.
     *
     * @param caller gone when its stream is over
     * @param answered is given the reply, once, also if its caller is gone
     */
    ProxiedFrame(FrameCalls calls, CallLoop owners, Caller caller, Consumer<FrameReply> answered) {
        long now = System.nanoTime();
        if (calls.timeoutMillis() == 0) {
            this.dueNanos = now + UNSAID_NANOS;
            this.times = new FrameTimes(dueNanos, now + UNSAID_LONGEST_NANOS);
        } else {
            long usable = CallerTime.usableNanos(calls.timeoutMillis());
            long patience = now + Math.min(PATIENCE_NANOS, usable);
            this.dueNanos = now + usable;
            this.times = new FrameTimes(patience, patience);
        }
        this.owners = owners;
        this.caller = caller;
        this.answered = answered;
        this.namespaceName = calls.namespaceName();
        reply.correlation(calls.correlation());
        reply.seqs().extend(calls.uids().size());
    }

    /** What may be told together. */
    private record ErrorKey(ErrorReason reason, long retryAfterMillis) {}

    /** The reply to a frame that is refused as a whole. */
    static FrameReply refused(FrameCalls calls, Answer.Refused problem) {
        var reply = new FrameReply().correlation(calls.correlation());
        reply.refusals().add(FrameApi.refusal(problem, new IntColumn()));
        return reply;
    }

    /** Sends everything on its way. */
    void begin(FrameSplit split) {
        open += split.parts().size();
        for (var part : split.parts()) {
            owners.pass(part.address(), new SentPart(part), part.throughLog(), times);
        }
        for (var unrouted : split.unrouted()) {
            goAlone(unrouted.place(), unrouted.call(), unrouted.leastEpoch());
        }
        ended();
    }

    private void ended() {
        if (--open > 0) {
            return;
        }
        // Calls that went alone came back in any order.
        reply.bounds().sort();
        refusals.values().forEach(refusal -> refusal.places().sort());
        reply.refusals().addAll(refusals.values());
        answered.accept(reply);
    }

    private void goAlone(int place, Call call, long leastEpoch) {
        goAlone(place, call, leastEpoch, PassedCall.unknown("the time of its frame is over"));
    }

    /** A call is asked for again, or ends with what was heard of it if there is no time any more, or nobody. */
    private void goAlone(int place, Call call, long leastEpoch, RpcException heard) {
        long leftNanos = dueNanos - System.nanoTime();
        // What is asked for when its caller is gone would take numbers for nobody, and the room of others.
        if (caller.isGone() || leftNanos <= (heard.reason() == ErrorReason.DEADLINE_PASSED ? WORTH_WAITING_NANOS : 0)) {
            refuse(place, heard);
            return;
        }
        open++;
        var alone = new PassedCall(new Wanted(call, leastEpoch), leftNanos, caller);
        alone.future().onComplete(end -> {
            if (end.failed()) {
                refuse(place, (RpcException) end.cause());
            } else {
                take(place, call, end.result());
            }
            ended();
        });
        owners.callHere(alone);
    }

    private void take(int place, Call call, Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            refuse(place, PublicApi.error(refused));
            return;
        }
        if (answer instanceof Answer.Range range) {
            reply.seqs().set(place, range.first());
        } else if (answer instanceof Answer.Lifted lifted) {
            reply.seqs().set(place, lifted.seq());
        } else if (answer instanceof Answer.Reading reading) {
            reply.seqs().set(place, reading.seq());
            if (!reading.exact()) {
                reply.bounds().add(place);
            }
        }
        tellEpoch(owners.book().segmentIndex(namespaceName, call.uid()), answer.epoch());
    }

    /** Under which epoch answers of a segment were given. */
    private void tellEpoch(int segment, long epoch) {
        int known = segments.get(segment);
        if (known >= 0) {
            reply.epochs().set(known, Math.max(epoch, reply.epochs().get(known)));
        } else {
            segments.put(segment, reply.segments().size());
            reply.segments().add(segment);
            reply.epochs().add(epoch);
        }
    }

    private void refuse(int place, RpcException error) {
        var key = new ErrorKey(error.reason(), error.retryAfterMillis());
        refusals.computeIfAbsent(key, first -> FrameApi.refusal(error, new IntColumn()))
                .places()
                .add(place);
    }

    /** One part on its way. */
    private final class SentPart implements OutgoingFrame {
        private final FramePart part;

        SentPart(FramePart part) {
            this.part = part;
        }

        @Override
        public FrameCalls calls() {
            long leftNanos = times.lastNanos() - System.nanoTime();
            return part.calls().timeoutMillis(Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNanos)));
        }

        @Override
        public void answered(FrameReply told) throws BadReplyException {
            var places = ReplyPlaces.of(told, part.size());
            part.answered(told.segments(), told.epochs());
            for (int i = 0; i < told.segments().size(); i++) {
                int segment = told.segments().get(i);
                long epoch = part.epochOfSegment(segment);
                if (epoch > 0) {
                    tellEpoch(segment, epoch);
                }
            }
            for (int i = 0; i < part.size(); i++) {
                var refusal = places.refusal(i);
                if (refusal != null) {
                    refused(i, refusal);
                } else {
                    took(i, told.seqs().get(i), places.isExact(i));
                }
            }
            ended();
        }

        private void took(int place, long seq, boolean exact) {
            int placeInFrame = part.placeInFrame(place);
            if (part.epochOf(place, seq) == 0) {
                goAlone(placeInFrame, part.call(place), 0);
                return;
            }
            reply.seqs().set(placeInFrame, seq);
            if (!exact) {
                reply.bounds().add(placeInFrame);
            }
        }

        private void refused(int place, Answer.Refused refusal) {
            if (refusal.refusal() == Refusal.NOT_OWNER) {
                part.notOwner(place);
            }
            // An owner that does not know a namespace of which the picture tells has not heard of it yet.
            if (refusal.refusal().passes() || refusal.refusal() == Refusal.NAMESPACE_UNKNOWN) {
                goAlone(part.placeInFrame(place), part.call(place), 0, PublicApi.error(refusal));
            } else {
                refuse(part.placeInFrame(place), PublicApi.error(refusal));
            }
        }

        @Override
        public void unanswered(String why) {
            for (int i = 0; i < part.size(); i++) {
                goAlone(part.placeInFrame(i), part.call(i), 0);
            }
            ended();
        }
    }
}
