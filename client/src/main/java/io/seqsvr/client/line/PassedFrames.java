package io.seqsvr.client.line;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.proto.codec.FrameReply;
import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Frames that others have made. Each is waited for as long as they said, and longer for an owner that says something
 * meanwhile: it is there, and may be about to answer; asked again it would take other numbers, and as long again.
 */
final class PassedFrames {
    private final OwnerStreams streams;
    /** Who is due first comes first. */
    private final Queue<Passed> underWay = new PriorityQueue<>(by(FrameTimes::dueNanos));
    /** Those for which is waited longer. */
    private final Queue<Passed> worthWaiting = new PriorityQueue<>(by(FrameTimes::lastNanos));

    PassedFrames(OwnerStreams streams) {
        this.streams = streams;
    }

    /** By a time of the clock that only differences of are known. */
    private static Comparator<Passed> by(ToLongFunction<FrameTimes> time) {
        return (one, other) -> Long.signum(time.applyAsLong(one.times) - time.applyAsLong(other.times));
    }

    /** Sends a frame. */
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

    private static void end(Queue<Passed> frames) {
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
