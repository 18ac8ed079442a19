package io.seqsvr.client;

import java.util.List;

/**
 * The calls of a {@link SequenceClient} in blocking form: each waits for its answer. Calls of several threads share
 * frames as ever. Every one throws a {@link SequenceException} where the stage would bear it.
 */
public final class BlockingSequences {
    private final SequenceClient client;

    BlockingSequences(SequenceClient client) {
        this.client = client;
    }

    /** Takes the next sequence of a user in the default namespace. */
    public SequenceRange next(long uid) {
        return SequenceClient.join(client.next(uid));
    }

    /** Takes the next {@code count} sequences of a user in the default namespace. */
    public SequenceRange next(long uid, long count) {
        return SequenceClient.join(client.next(uid, count));
    }

    /** Takes the next {@code count} sequences of a user. */
    public SequenceRange next(String namespace, long uid, long count) {
        return SequenceClient.join(client.next(namespace, uid, count));
    }

    /** Takes the next sequences of a user, within the bounds of the call. */
    public SequenceRange next(String namespace, NextCall wanted) {
        return SequenceClient.join(client.next(namespace, wanted));
    }

    /** Takes sequences of many users; one outcome for each, in order. */
    public List<ItemOutcome<SequenceRange>> nextMany(String namespace, List<NextCall> wanted) {
        return SequenceClient.join(client.nextMany(namespace, wanted));
    }

    /** Tells the last sequence of a user in the default namespace. */
    public CurrentSequence current(long uid) {
        return SequenceClient.join(client.current(uid));
    }

    /** Tells the last sequence of a user. */
    public CurrentSequence current(String namespace, long uid) {
        return SequenceClient.join(client.current(namespace, uid));
    }

    /** Tells the last sequences of many users; one outcome for each, in order. */
    public List<ItemOutcome<CurrentSequence>> currentMany(String namespace, List<Long> uids) {
        return SequenceClient.join(client.currentMany(namespace, uids));
    }

    /** Lifts a user: every sequence that it gets from now on is above the floor. */
    public RaisedFloor raiseFloor(String namespace, long uid, long floor) {
        return SequenceClient.join(client.raiseFloor(namespace, uid, floor));
    }
}
