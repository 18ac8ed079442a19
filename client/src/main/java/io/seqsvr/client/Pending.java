package io.seqsvr.client;

import io.seqsvr.client.line.CallEnd;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import java.util.concurrent.CompletableFuture;

/** A call and its stage in one object: there are millions of them. */
abstract class Pending<T> extends CompletableFuture<T> implements CallEnd {
    private final Call call;
    private final long timeoutNanos;
    private final long madeAtNanos = System.nanoTime();

    Pending(Call call, long timeoutNanos) {
        this.call = call;
        this.timeoutNanos = timeoutNanos;
    }

    /**
     * What the caller gets for an answer.
     *
     * @throws SequenceException if it is none to this call
     */
    abstract T value(Answer answer);

    @Override
    public Call call() {
        return call;
    }

    @Override
    public long madeAtNanos() {
        return madeAtNanos;
    }

    @Override
    public long timeoutNanos() {
        return timeoutNanos;
    }

    @Override
    public void answered(Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            completeExceptionally(Errors.refused(call, refused));
            return;
        }
        try {
            complete(value(answer));
        } catch (SequenceException wrong) {
            completeExceptionally(wrong);
        }
    }

    @Override
    public void unanswered(String why) {
        completeExceptionally(Errors.unknown(call, timeoutNanos, why));
    }

    /** The next sequences of a user. */
    static final class Next extends Pending<SequenceRange> {
        private final long minEpoch;

        Next(Call.Next call, long minEpoch, long timeoutNanos) {
            super(call, timeoutNanos);
            this.minEpoch = minEpoch;
        }

        @Override
        public long leastEpoch() {
            return minEpoch;
        }

        @Override
        SequenceRange value(Answer answer) {
            if (!(answer instanceof Answer.Range range)) {
                throw Errors.defect(call(), answer);
            }
            return new SequenceRange(range.uid(), range.first(), range.last(), range.epoch());
        }
    }

    /** The last sequence of a user. */
    static final class Current extends Pending<CurrentSequence> {
        Current(Call.Current call, long timeoutNanos) {
            super(call, timeoutNanos);
        }

        @Override
        CurrentSequence value(Answer answer) {
            if (!(answer instanceof Answer.Reading reading)) {
                throw Errors.defect(call(), answer);
            }
            var exactness = reading.exact() ? CurrentSequence.Exactness.EXACT : CurrentSequence.Exactness.UPPER_BOUND;
            return new CurrentSequence(reading.uid(), reading.seq(), exactness, reading.epoch());
        }
    }

    /** A user lifted. */
    static final class Lift extends Pending<RaisedFloor> {
        Lift(Call.RaiseFloor call, long timeoutNanos) {
            super(call, timeoutNanos);
        }

        @Override
        RaisedFloor value(Answer answer) {
            if (!(answer instanceof Answer.Lifted lifted)) {
                throw Errors.defect(call(), answer);
            }
            return new RaisedFloor(lifted.uid(), lifted.seq(), lifted.epoch());
        }
    }
}
