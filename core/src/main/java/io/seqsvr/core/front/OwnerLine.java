package io.seqsvr.core.front;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What goes to one address: the frames in flight, the one that is being filled, and the calls that wait for one. */
final class OwnerLine {
    private final String address;
    private final Deque<OpenCall> waiting = new ArrayDeque<>();
    private final List<Attempt> inFlight = new ArrayList<>();
    private @Nullable Attempt forming;

    OwnerLine(String address) {
        this.address = address;
    }

    String address() {
        return address;
    }

    Deque<OpenCall> waiting() {
        return waiting;
    }

    /** Sent and neither answered nor given up, the oldest first. */
    List<Attempt> inFlight() {
        return inFlight;
    }

    /** The frame that leaves next, null if there is none. */
    @Nullable
    Attempt forming() {
        return forming;
    }

    void form(@Nullable Attempt attempt) {
        forming = attempt;
    }

    boolean isIdle() {
        return waiting.isEmpty() && inFlight.isEmpty() && forming == null;
    }
}
