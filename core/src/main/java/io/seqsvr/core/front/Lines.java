package io.seqsvr.core.front;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The lines to all owners: calls find their frame here, and frames their turn. */
final class Lines<T> {
    private final CallLimits limits;
    /** Takes calls back that may leave now, before those that were put down later. */
    private final Deque<OpenCall<T>> ready;

    private final Map<String, OwnerLine<T>> lines = new LinkedHashMap<>();
    private final List<Lane<T>> forming = new ArrayList<>();
    private @Nullable OwnerLine<T> lastLine;
    private long lastCorrelation;
    private long sharedReadings;

    Lines(CallLimits limits, Deque<OpenCall<T>> ready) {
        this.limits = limits;
        this.ready = ready;
    }

    Collection<OwnerLine<T>> all() {
        return lines.values();
    }

    /**
     * A call gets a place in a frame to its owner, or waits for one.
     *
     * @param sent gets a frame that leaves as it is full
     */
    void seat(OpenCall<T> call, Routing.Owner owner, long nowNanos, BiConsumer<Attempt<T>, Frame> sent) {
        var line = line(owner.address());
        var lane = line.lane(owner.segment().namespaceId(), call.call().verb());
        var frame = frameOf(lane, nowNanos, sent);
        if (frame == null) {
            line.await(lane, call);
        } else if (frame.share(call)) {
            sharedReadings++;
        } else {
            frame.add(call, owner);
        }
    }

    private OwnerLine<T> line(String address) {
        var line = lastLine;
        if (line == null || !line.address().equals(address)) {
            line = lines.computeIfAbsent(address, OwnerLine::new);
            lastLine = line;
        }
        return line;
    }

    /** The frame with room that a call may join, null if none may be begun now. */
    private @Nullable Attempt<T> frameOf(Lane<T> lane, long nowNanos, BiConsumer<Attempt<T>, Frame> sent) {
        var frame = lane.forming();
        if (frame != null && frame.size() < limits.callsPerFrame()) {
            return frame;
        }
        if (frame != null) {
            send(lane, frame, nowNanos, sent);
        }
        if (!lane.line().maySeat(lane, limits.framesInFlight())) {
            return null;
        }
        var next = new Attempt<>(++lastCorrelation, lane);
        lane.line().begin(lane, next);
        forming.add(lane);
        return next;
    }

    /** Every frame that has begun leaves. */
    void sendFormed(long nowNanos, BiConsumer<Attempt<T>, Frame> sent) {
        for (var lane : forming) {
            var attempt = lane.forming();
            if (attempt != null) {
                send(lane, attempt, nowNanos, sent);
            }
        }
        forming.clear();
        lines.values().forEach(OwnerLine::seated);
    }

    private void send(Lane<T> lane, Attempt<T> attempt, long nowNanos, BiConsumer<Attempt<T>, Frame> sent) {
        lane.line().send(lane, attempt);
        sent.accept(attempt, attempt.send(nowNanos));
    }

    /** An attempt is in flight no more: there is room for calls that wait. */
    void leave(Attempt<T> attempt) {
        var line = attempt.lane().line();
        if (line.leave(attempt)) {
            line.takeTurn(limits.callsPerFrame(), limits.framesInFlight(), ready);
        }
    }

    /** Everything that waits is to be sent to whoever is the owner by now. */
    void makeAllReady() {
        lines.values().forEach(line -> line.takeAll(ready));
    }

    /**
     * Those that were to leave may have ended, or gone to another owner: then others wait for no reply.
     *
     * @return whether any are ready now
     */
    boolean freeWaiting() {
        for (var line : lines.values()) {
            if (line.hasWaiting()) {
                line.takeTurn(limits.callsPerFrame(), limits.framesInFlight(), ready);
            }
        }
        return !ready.isEmpty();
    }

    /** Whether there are calls that wait for a reply to others. */
    boolean anybodyWaits() {
        for (var line : lines.values()) {
            if (line.hasWaiting()) {
                return true;
            }
        }
        return false;
    }

    /** Only where the guard is missing that closes a frame when it is sent. */
    boolean joinsLate(OpenCall<T> call) {
        return lines.values().stream().flatMap(line -> line.inFlight().stream()).anyMatch(sent -> sent.share(call));
    }

    void forgetEnded() {
        lines.values().forEach(OwnerLine::forgetEnded);
    }

    void forgetIdle() {
        if (lines.values().removeIf(OwnerLine::isIdle)) {
            lastLine = null;
        }
    }

    /** Readings so far that came with another call's. */
    long sharedReadings() {
        return sharedReadings;
    }
}
