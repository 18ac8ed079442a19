package io.seqsvr.client.line;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.proto.codec.FrameReply;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Frames that others have made. Each is waited for as long as they said, and longer for an owner that says something
 * meanwhile: it is there, and may be about to answer; asked again it would take other numbers, and as long again.
 */
final class PassedFrames {
    private final OwnerStreams streams;
    /** In the order in which they were sent. */
    private final Deque<Passed> underWay = new ArrayDeque<>();
    /** Those for which is waited longer, in the same order. */
    private final Deque<Passed> worthWaiting = new ArrayDeque<>();

    PassedFrames(OwnerStreams streams) {
        this.streams = streams;
    }

    /**
     * Sends a frame.
     *
     * @param times never earlier than of the frame sent before it
     */
    void send(String address, OutgoingFrame frame, FrameTimes times, long nowNanos) {
        var passed = new Passed(address, frame, times, nowNanos);
        underWay.add(passed);
        streams.send(address, passed, nowNanos);
    }

    boolean isEmpty() {
        return underWay.isEmpty() && worthWaiting.isEmpty();
    }

    void tick(long nowNanos) {
        for (var next = underWay.peek(); next != null && next.isPast(nowNanos); next = underWay.peek()) {
            underWay.remove();
            if (next.frame != null && streams.heardSince(next.address, next.sentAtNanos)) {
                worthWaiting.add(next);
            } else {
                next.unanswered(next.address + " did not answer in time");
            }
        }
        for (var next = worthWaiting.peek(); next != null && next.isOver(nowNanos); next = worthWaiting.peek()) {
            worthWaiting.remove();
            next.unanswered(next.address + " answers others, and took too long for this");
        }
    }

    /** None of them is waited for any more. */
    void endAll() {
        end(underWay);
        end(worthWaiting);
    }

    private static void end(Deque<Passed> frames) {
        for (var next = frames.poll(); next != null; next = frames.poll()) {
            next.unanswered("the client is closed");
        }
    }

    /** Tells its frame the first thing that is heard of it: what comes later comes too late. */
    private static final class Passed implements OutgoingFrame {
        private final String address;
        private final FrameTimes times;
        private final long sentAtNanos;
        /** Null once it is told. */
        private @Nullable OutgoingFrame frame;

        Passed(String address, OutgoingFrame frame, FrameTimes times, long sentAtNanos) {
            this.address = address;
            this.frame = frame;
            this.times = times;
            this.sentAtNanos = sentAtNanos;
        }

        /** Whether it is told already, or due by then. */
        boolean isPast(long nowNanos) {
            return frame == null || times.dueNanos() - nowNanos <= 0;
        }

        /** Whether it is told already, or waited for no more by then, whatever its owner says. */
        boolean isOver(long nowNanos) {
            return frame == null || times.lastNanos() - nowNanos <= 0;
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
