package io.seqsvr.client;

import io.vertx.core.Context;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The calls of a {@link SequenceClient} in blocking form: each waits for its answer. Calls of several threads share
 * frames as ever. Every one throws a {@link SequenceException} where the stage would bear it, and an {@link
 * IllegalStateException} on an event loop, as the one that completes calls is. A thread that is interrupted waits on,
 * until the call has ended, and is interrupted still.
 */
public final class BlockingSequences {
    private final SequenceClient client;

    BlockingSequences(SequenceClient client) {
        this.client = client;
    }

    /** Takes the next sequence of a user in the default namespace. */
    public SequenceRange next(long uid) {
        return wait(() -> client.next(uid));
    }

    /** Takes the next {@code count} sequences of a user in the default namespace. */
    public SequenceRange next(long uid, long count) {
        return wait(() -> client.next(uid, count));
    }

    /** Takes the next {@code count} sequences of a user. */
    public SequenceRange next(String namespace, long uid, long count) {
        return wait(() -> client.next(namespace, uid, count));
    }

    /** Takes the next sequences of a user, within the bounds of the call. */
    public SequenceRange next(String namespace, NextCall wanted) {
        return wait(() -> client.next(namespace, wanted));
    }

    /** Takes sequences of many users; one outcome for each, in order. */
    public List<ItemOutcome<SequenceRange>> nextMany(String namespace, List<NextCall> wanted) {
        return wait(() -> client.nextMany(namespace, wanted));
    }

    /** Tells the last sequence of a user in the default namespace. */
    public CurrentSequence current(long uid) {
        return wait(() -> client.current(uid));
    }

    /** Tells the last sequence of a user. */
    public CurrentSequence current(String namespace, long uid) {
        return wait(() -> client.current(namespace, uid));
    }

    /** Tells the last sequences of many users; one outcome for each, in order. */
    public List<ItemOutcome<CurrentSequence>> currentMany(String namespace, List<Long> uids) {
        return wait(() -> client.currentMany(namespace, uids));
    }

    /** Lifts a user: every sequence that it gets from now on is above the floor. */
    public RaisedFloor raiseFloor(String namespace, long uid, long floor) {
        return wait(() -> client.raiseFloor(namespace, uid, floor));
    }

    /** Throws where nobody may wait. */
    static void requireWaiting() {
        if (Context.isOnEventLoopThread()) {
            throw new IllegalStateException("an event loop completes calls, and must not wait for one; go on from the"
                    + " stage by thenCompose, or on another thread by thenApplyAsync");
        }
    }

    /** Where nobody may wait nothing is asked. */
    private static <T> T wait(Supplier<CompletionStage<T>> call) {
        requireWaiting();
        return SequenceClient.join(call.get());
    }
}
