package io.seqsvr.chaos.process;

import io.seqsvr.chaos.check.History;
import io.seqsvr.client.SequenceException;
import io.seqsvr.client.SequenceRange;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call of one user after the other, each over the connection after that of the call before. */
final class CallLoop {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    private static final Duration USUAL_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
    private static final long RANGE_EVERY = 8;
    private static final long RANGE = 5;

    private final Load load;
    private final long uid;
    private long turn;

    CallLoop(Load load, long uid, long firstTurn) {
        this.load = load;
        this.uid = uid;
        this.turn = firstTurn;
    }

    void call() {
        orEnd(() -> {
            if (load.mayCall()) {
                send();
            } else {
                load.loopEnded();
            }
        });
    }

    private void send() {
        var client = load.client(turn);
        long count = turn % RANGE_EVERY == 0 ? RANGE : 1;
        turn++;
        var call = load.history().invoke(uid);
        client.next(load.plan().namespace(), uid, count)
                .whenComplete((range, failure) -> orEnd(() -> settle(call, count, range, failure)));
    }

    /** Neither the client's thread nor that of the pauses would tell anybody of an exception. */
    private void orEnd(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException defect) {
            load.madeNoSense(defect);
            load.loopEnded();
        }
    }

    private void settle(
            History.Invocation call, long count, @Nullable SequenceRange range, @Nullable Throwable failure) {
        if (range != null) {
            // Recorded first: what the caller saw belongs into the history even where it makes no sense.
            call.returned(range.first(), range.last(), range.epoch());
            requireWhatWasAskedFor(count, range);
            load.progress().answered(uid);
            var pause = load.plan().pause();
            if (pause.isZero()) {
                call();
            } else {
                load.afterPause(pause, this::call);
            }
        } else if (failure instanceof SequenceException refusal) {
            settle(call, refusal);
        } else {
            throw new IllegalStateException("the client failed otherwise than it says", failure);
        }
    }

    private void settle(History.Invocation call, SequenceException failure) {
        switch (failure.kind()) {
            case UNAVAILABLE -> call.refused();
            case UNKNOWN_OUTCOME -> {
                call.unknown();
                // A reply that is not the one asked for, or a defect that the server admits: no fault explains either.
                if (failure.reason().equals("INTERNAL_DEFECT")) {
                    throw new IllegalStateException(failure.getMessage(), failure);
                }
            }
            case INVALID, EXHAUSTED -> {
                call.refused();
                throw failure;
            }
        }
        load.progress().failed(failure);
        load.afterPause(pauseAfter(failure), this::call);
    }

    private void requireWhatWasAskedFor(long count, SequenceRange range) {
        if (range.uid() != uid || range.last() - range.first() != count - 1) {
            throw new IllegalStateException(
                    "user " + Long.toUnsignedString(uid) + " asked for " + count + " sequences and was given " + range);
        }
    }

    private static Duration pauseAfter(SequenceException failure) {
        var pause = failure.retryAfter().orElse(USUAL_PAUSE);
        if (pause.compareTo(SHORTEST_PAUSE) < 0) {
            return SHORTEST_PAUSE;
        }
        return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
}
