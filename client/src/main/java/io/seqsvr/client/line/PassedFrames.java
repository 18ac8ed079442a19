package io.seqsvr.client.line;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.proto.codec.FrameReply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Frames that others have made, each waited for as long as they said. */
final class PassedFrames {
    private final OwnerStreams streams;
    /** In the order in which they were sent. */
    private final Deque<Passed> underWay = new ArrayDeque<>();

    PassedFrames(OwnerStreams streams) {
        this.streams = streams;
    }

    /**
     * Sends a frame.
     *
     * @param dueNanos when it is waited for no more; never earlier than of the frame sent before it
     */
    void send(String address, OutgoingFrame frame, long dueNanos, long nowNanos) {
        var passed = new Passed(address, frame, dueNanos);
        underWay.add(passed);
        streams.send(address, passed, nowNanos);
    }

    boolean isEmpty() {
        return underWay.isEmpty();
    }

    void tick(long nowNanos) {
        for (var next = underWay.peek(); next != null && next.isPast(nowNanos); next = underWay.peek()) {
            underWay.remove();
            next.unanswered(next.address + " did not answer in time");
        }
    }

    /** None of them is waited for any more. */
    void endAll() {
        for (var next = underWay.poll(); next != null; next = underWay.poll()) {
            next.unanswered("the client is closed");
        }
    }

    /** Tells its frame the first thing that is heard of it: what comes later comes too late. */
    private static final class Passed implements OutgoingFrame {
        private final String address;
        private final long dueNanos;
        /** Null once it is told. */
        private @Nullable OutgoingFrame frame;

        Passed(String address, OutgoingFrame frame, long dueNanos) {
            this.address = address;
            this.frame = frame;
            this.dueNanos = dueNanos;
        }

        /** Whether it is told already, or due by then. */
        boolean isPast(long nowNanos) {
            return frame == null || dueNanos - nowNanos <= 0;
        }

        @Override
        public FrameCalls calls() {
            // Asked for once, as it is sent; until it is told, and not as long as its owner hangs, its columns are
            // kept.
            return Objects.requireNonNull(frame, "it was told before it was sent")
                    .calls();
        }

        @Override
        public void answered(FrameReply reply) throws BadReplyException {
            var waiting = frame;
            if (waiting != null) {
                waiting.answered(reply);
                frame = null;
            }
        }

        @Override
        public void unanswered(String why) {
            var waiting = frame;
            if (waiting != null) {
                frame = null;
                waiting.unanswered(why);
            }
        }
    }
}
