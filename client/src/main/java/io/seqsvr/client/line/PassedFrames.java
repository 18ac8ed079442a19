package io.seqsvr.client.line;

import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.route.Picture;
import io.seqsvr.proto.codec.FrameReply;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Frames that others have made. Each is waited for as long as they said, and longer for an owner that says something
 * meanwhile: it is there, and may be about to answer; asked again it would take other numbers, and as long again.
 *
 * <p>An owner reads no further from a stream while it keeps some frames of it, and how many others send is not for
 * this loop to say. So they have streams of their own, on which calls of this loop do not wait behind them; and those
 * that go through the log have their own among these: an election keeps them for seconds, while the others are
 * answered from memory.
 */
final class PassedFrames {
    private final Context context;
    private final OwnerStreams fromMemory;
    private final OwnerStreams throughLog;
    /** Who is due first comes first. */
    private final Queue<Passed> underWay = new PriorityQueue<>(by(FrameTimes::dueNanos));
    /** Those for which is waited longer. */
    private final Queue<Passed> worthWaiting = new PriorityQueue<>(by(FrameTimes::lastNanos));

    private boolean flushing;

    /**
     * No frame yet.
     *
     * @param context on which everything here is called
     * @param streams makes streams of which nobody else knows
     */
    PassedFrames(Context context, Supplier<OwnerStreams> streams) {
        this.context = context;
        this.fromMemory = streams.get();
        this.throughLog = streams.get();
    }

    /** By a time of the clock that only differences of are known. */
    private static Comparator<Passed> by(ToLongFunction<FrameTimes> time) {
        return (one, other) -> Long.signum(time.applyAsLong(one.times) - time.applyAsLong(other.times));
    }

    /**
     * Sends a frame. Those that are sent in one turn leave together.
     *
     * @param confirmed whether its owner confirms it through the log before it answers
     */
    void send(String address, OutgoingFrame frame, boolean confirmed, FrameTimes times, long nowNanos) {
        var streams = confirmed ? throughLog : fromMemory;
        var passed = new Passed(address, frame, times, nowNanos);
        underWay.add(passed);
        streams.send(address, passed, nowNanos);
        if (!flushing) {
            flushing = true;
            context.runOnContext(turn -> flush());
        }
    }

    private void flush() {
        flushing = false;
        fromMemory.flush();
        throughLog.flush();
    }

    /** As {@link OwnerStreams#keep}. */
    void keep(String ofCluster, Picture picture, long named) {
        fromMemory.keep(ofCluster, picture, named);
        throughLog.keep(ofCluster, picture, named);
    }

    boolean isEmpty() {
        return underWay.isEmpty() && worthWaiting.isEmpty();
    }

    void tick(long nowNanos) {
        fromMemory.tick(nowNanos);
        throughLog.tick(nowNanos);
        for (var next = underWay.peek(); next != null && next.isPast(nowNanos); next = underWay.peek()) {
            underWay.remove();
            if (next.frame != null && heardSince(next.address, next.sentAtNanos)) {
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

    /** Whether an owner has said anything since then, of whatever frame. */
    private boolean heardSince(String address, long nanos) {
        return fromMemory.heardSince(address, nanos) || throughLog.heardSince(address, nanos);
    }

    /** None of them is waited for any more. */
    void endAll() {
        end(underWay);
        end(worthWaiting);
    }

    Future<Void> close() {
        return Future.join(fromMemory.close(), throughLog.close()).mapEmpty();
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
