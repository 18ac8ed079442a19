package io.seqsvr.core.front;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** All places where calls are that have not ended. */
final class Whereabouts<T> {
    private final Deque<OpenCall<T>> ready;
    private final RestingCalls<T> resting;
    private final Lines<T> lines;

    Whereabouts(Deque<OpenCall<T>> ready, RestingCalls<T> resting, Lines<T> lines) {
        this.ready = ready;
        this.resting = resting;
        this.lines = lines;
    }

    /** The calls at all of them, with some that have ended. */
    List<OpenCall<T>> all() {
        var all = new ArrayList<>(ready);
        all.addAll(resting.all());
        for (var line : lines.all()) {
            all.addAll(line.waiting());
            line.inFlight().forEach(attempt -> all.addAll(attempt.joined()));
        }
        return all;
    }

    /** Those that have ended are nowhere any more, but in frames that were sent. */
    void forgetEnded() {
        // Before the first picture nobody else takes them out.
        ready.removeIf(OpenCall::hasEnded);
        resting.forgetEnded();
        lines.forgetEnded();
    }
}
