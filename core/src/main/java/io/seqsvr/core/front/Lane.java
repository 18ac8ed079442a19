package io.seqsvr.core.front;

import io.seqsvr.core.frame.FrameVerb;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What of a line may share a frame: calls of one namespace and one verb. */
final class Lane<T> {
    private final OwnerLine<T> line;
    private final int namespaceId;
    private final FrameVerb verb;
    /** Small at first: in most lanes nobody waits. */
    private final Deque<OpenCall<T>> waiting = new ArrayDeque<>(1);

    private @Nullable Attempt<T> forming;
    private int lastSize;
    private int inFlight;

    Lane(OwnerLine<T> line, int namespaceId, FrameVerb verb) {
        this.line = line;
        this.namespaceId = namespaceId;
        this.verb = verb;
    }

    OwnerLine<T> line() {
        return line;
    }

    boolean isOf(int namespace, FrameVerb wanted) {
        return namespaceId == namespace && verb == wanted;
    }

    /** Calls that wait for a frame, the one that waits longest first. */
    Deque<OpenCall<T>> waiting() {
        return waiting;
    }

    /** The frame that leaves next, null if there is none. */
    @Nullable
    Attempt<T> forming() {
        return forming;
    }

    void form(@Nullable Attempt<T> attempt) {
        forming = attempt;
    }

    int namespaceId() {
        return namespaceId;
    }

    /** How many calls the frame had that was sent last: likely the next one has as many. */
    int lastSize() {
        return lastSize;
    }

    /** A frame of so many calls was sent. */
    void sent(int size) {
        lastSize = size;
        inFlight++;
    }

    /** A frame is in flight no more. */
    void left() {
        inFlight--;
    }

    /** The frame of its own that was sent last of those in flight; another one if there is none. */
    Attempt<T> newestInFlight(Attempt<T> another) {
        var newest = another;
        for (var sent : line.inFlight()) {
            newest = sent.lane() == this ? sent : newest;
        }
        return newest;
    }

    /** Whether no frame of its own has begun or is in flight. */
    boolean isIdle() {
        return forming == null && inFlight == 0;
    }
}
