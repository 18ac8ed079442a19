package io.seqsvr.allocsvr.role;

import io.seqsvr.core.alloc.OpenFrame;
import io.seqsvr.node.api.CallerTime;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Frames with calls that wait: each ends with its last call, or when the time of its caller is over. For one event
 * loop.
 */
final class WaitingFrames {
    private final Vertx vertx;
    private final Consumer<OpenFrame> over;
    private final Map<OpenFrame, Waiting> waiting = new HashMap<>();

    /** Who goes on with a frame, and what ends it; no timer for a caller that did not say how long it waits. */
    private record Waiting(
            Consumer<OpenFrame> goesOn, @Nullable Long timer) {}

    /**
     * None yet.
     *
     * @param over is told of a frame whose time is over; to give it up, and call {@link #ended}
     */
    WaitingFrames(Vertx vertx, Consumer<OpenFrame> over) {
        this.vertx = vertx;
        this.over = over;
    }

    /**
     * A frame begins to wait.
     *
     * @param timeoutMillis how long its caller waits; 0 if it did not say
     * @param goesOn is given the frame when all its calls have ended, once
     */
    void put(OpenFrame frame, long timeoutMillis, Consumer<OpenFrame> goesOn) {
        waiting.put(frame, new Waiting(goesOn, timeoutMillis == 0 ? null : endIn(frame, timeoutMillis)));
    }

    private long endIn(OpenFrame frame, long timeoutMillis) {
        long usable = TimeUnit.NANOSECONDS.toMillis(CallerTime.usableNanos(timeoutMillis));
        return vertx.setTimer(Math.max(1, usable), fired -> over.accept(frame));
    }

    /** All calls of a frame that waited have ended. */
    void ended(OpenFrame frame) {
        var one = waiting.remove(frame);
        if (one == null) {
            throw new IllegalStateException("nobody waits for " + frame);
        }
        if (one.timer() != null) {
            vertx.cancelTimer(one.timer());
        }
        one.goesOn().accept(frame);
    }
}
