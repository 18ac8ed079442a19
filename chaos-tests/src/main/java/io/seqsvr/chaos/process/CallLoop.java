package io.seqsvr.chaos.process;

import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.grpc.CallFailure;
import io.seqsvr.chaos.grpc.Given;
import io.seqsvr.chaos.grpc.Told;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call of one user after the other, each through the door, and over the connection, that its turn says. */
final class CallLoop {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    private static final Duration USUAL_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
    private static final long RANGE_EVERY = 7;

    /** By how much a user is lifted. */
    private static final long LIFT = 3;

    private final Load load;
    private final long uid;
    private long turn;
    /** The last number that this loop was given. */
    private long known;
    /** Whether the last call was refused, or not answered. */
    private boolean waits;

    private boolean owesReading;
    /** Of the call that is under way: which door it asks, and when it began. */
    private int door;

    private long begun;

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
        door = load.door(uid, turn);
        begun = System.nanoTime();
        var client = load.client(door, turn);
        long count = turn % RANGE_EVERY == 0 ? LoadPlan.MOST_AT_ONCE : 1;
        var plan = load.plan();
        owesReading |= isReadingsTurn(plan.readsEvery());
        // Who waits for a number asks for nothing else: else it would wait for longer than it is refused.
        boolean reads = owesReading && !waits;
        owesReading &= !reads;
        boolean lifts = !reads && !waits && known > 0 && plan.liftsEvery() > 0 && turn % plan.liftsEvery() == 2;
        turn++;
        var call = load.recorder().invoke(uid, load.address(door));
        call.takesAtMost(reads ? 0 : lifts ? LIFT : count);
        if (reads) {
            client.current(plan.namespace(), uid)
                    .whenComplete((told, failure) -> orEnd(() -> settleReading(call, told, failure)));
        } else if (lifts) {
            long from = known;
            client.raiseFloor(plan.namespace(), uid, from + LIFT)
                    .whenComplete((told, failure) -> orEnd(() -> settleLift(call, from, told, failure)));
        } else {
            client.next(plan.namespace(), uid, count)
                    .whenComplete((reply, failure) -> orEnd(() -> settle(call, count, reply, failure)));
        }
    }

    /** One call of so many, by and by at another place among them: else the same door might only ever be read. */
    private boolean isReadingsTurn(int every) {
        return every > 0 && (turn + turn / every / every) % every == 1;
    }

    private void settleLift(Recorder.Call call, long from, @Nullable Told told, @Nullable Throwable failure) {
        if (told == null) {
            settleFailure(call, failure);
            return;
        }
        call.lifted(from, from + LIFT, told.seq());
        if (told.uid() != uid || told.seq() < from + LIFT) {
            throw new IllegalStateException("asked for user " + Long.toUnsignedString(uid) + " to be lifted to "
                    + (from + LIFT) + ", but the server told " + told);
        }
        goOn();
    }

    /**
     * Not judged as EXACT, whatever it was called: a router tries again by itself, and nobody sees what the first try
     * took in vain, so nothing that is seen would explain a reading of that.
     */
    private void settleReading(Recorder.Call call, @Nullable Told told, @Nullable Throwable failure) {
        if (told == null) {
            settleFailure(call, failure);
            return;
        }
        call.told(told.seq(), false);
        if (told.uid() != uid) {
            throw new IllegalStateException(
                    "asked for user " + Long.toUnsignedString(uid) + ", but the server told " + told);
        }
        goOn();
    }

    private void goOn() {
        waits = false;
        load.progress().answered(uid);
        var pause = load.plan().pause();
        if (pause.isZero()) {
            call();
        } else {
            load.afterPause(pause, this::call);
        }
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
            known = reply.last();
            load.gave(door, begun);
            goOn();
        } else {
            settleFailure(call, failure);
        }
    }

    private void settleFailure(Recorder.Call call, @Nullable Throwable failure) {
        if (failure instanceof CallFailure typed) {
            settle(call, typed);
        } else {
            throw new IllegalStateException("the client failed otherwise than it says", failure);
        }
    }

    private void settle(Recorder.Call call, CallFailure failure) {
        var said = String.valueOf(failure.getMessage());
        switch (failure.kind()) {
            case UNSENT -> call.notSent(said);
            case REFUSED -> call.refused(said);
            case NOT_OWNER -> call.refusedByNonOwner(said);
            case UNKNOWN -> call.unknown(said);
            case FINAL -> {
                call.refused(said);
                throw failure;
            }
            case DEFECT -> {
                call.unknown(said);
                // No fault explains it.
                throw failure;
            }
        }
        waits = true;
        load.progress().failed(failure);
        var pause = pauseAfter(failure);
        // Who asks at leisure goes on at leisure.
        load.afterPause(
                load.plan().pause().compareTo(LONGEST_PAUSE) > 0 ? load.plan().pause() : pause, this::call);
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
