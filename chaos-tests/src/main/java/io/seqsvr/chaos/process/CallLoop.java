package io.seqsvr.chaos.process;

import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.grpc.CallFailure;
import io.seqsvr.chaos.grpc.Given;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call of one user after the other, each through the door, and over the connection, that its turn says. */
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
        var client = load.client(uid, turn);
        long count = turn % RANGE_EVERY == 0 ? RANGE : 1;
        turn++;
        var call = load.recorder().invoke(uid);
        client.next(load.plan().namespace(), uid, count)
                .whenComplete((reply, failure) -> orEnd(() -> settle(call, count, reply, failure)));
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

    private void settle(Recorder.Call call, long count, @Nullable Given reply, @Nullable Throwable failure) {
        if (reply != null) {
            // Recorded first: what the caller saw belongs into the history even where it makes no sense.
            call.returned(reply.first(), reply.last(), reply.epoch());
            requireWhatWasAskedFor(count, reply);
            load.progress().answered(uid);
            var pause = load.plan().pause();
            if (pause.isZero()) {
                call();
            } else {
                load.afterPause(pause, this::call);
            }
        } else if (failure instanceof CallFailure typed) {
            settle(call, typed);
        } else {
            throw new IllegalStateException("the client failed otherwise than it says", failure);
        }
    }

    private void settle(Recorder.Call call, CallFailure failure) {
        switch (failure.kind()) {
            case REFUSED -> call.refused();
            case NOT_OWNER -> call.refusedByNonOwner();
            case UNKNOWN -> call.unknown();
            case FINAL -> {
                call.refused();
                throw failure;
            }
            case DEFECT -> {
                call.unknown();
                // No fault explains it.
                throw failure;
            }
        }
        load.progress().failed(failure);
        load.afterPause(pauseAfter(failure), this::call);
    }

    private void requireWhatWasAskedFor(long count, Given reply) {
        if (reply.uid() != uid || reply.last() - reply.first() != count - 1) {
            throw new IllegalStateException("asked for " + count + " sequences of user " + Long.toUnsignedString(uid)
                    + ", but the server answered " + reply);
        }
    }

    private static Duration pauseAfter(CallFailure failure) {
        var pause = failure.retryAfter().orElse(USUAL_PAUSE);
        if (pause.compareTo(SHORTEST_PAUSE) < 0) {
            return SHORTEST_PAUSE;
        }
        return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
}
