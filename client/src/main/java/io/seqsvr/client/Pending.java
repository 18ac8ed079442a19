package io.seqsvr.client;

import io.seqsvr.client.line.CallEnd;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.Caller;
import io.seqsvr.core.front.OpenShare;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call and its stage in one object: there are millions of them. Whoever ends the stage by itself, as by cancel() or
 * orTimeout(), is a caller that is gone.
 */
abstract class Pending<T> extends CompletableFuture<T> implements CallEnd, Caller {
    private final Call call;
    private final Terms terms;
    private final long madeAtNanos = System.nanoTime();

    /**
     * What the calls of a client have in common.
     *
     * @param timeoutNanos how long each may take
     * @param callerLeft told, on any thread, that a caller is gone
     */
    record Terms(long timeoutNanos, Runnable callerLeft) {}

    Pending(Call call, Terms terms) {
        this.call = call;
        this.terms = terms;
    }

    @Override
    public Caller caller() {
        return this;
    }

    @Override
    public boolean isGone() {
        return isDone();
    }

    @Override
    public @Nullable OpenShare share() {
        return null;
    }

    @Override
    public boolean complete(T value) {
        return left(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable why) {
        return left(super.completeExceptionally(why));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return left(super.cancel(mayInterruptIfRunning));
    }

    private boolean left(boolean byItsCaller) {
        if (byItsCaller) {
            terms.callerLeft().run();
        }
        return byItsCaller;
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
        return terms.timeoutNanos();
    }

    @Override
    public void answered(Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            super.completeExceptionally(Errors.refused(call, refused));
            return;
        }
        try {
            super.complete(value(answer));
        } catch (SequenceException wrong) {
            super.completeExceptionally(wrong);
        }
    }

    @Override
    public void unanswered(String why) {
        super.completeExceptionally(Errors.unknown(call, terms.timeoutNanos(), why));
    }

    /** The next sequences of a user. */
    static final class Next extends Pending<SequenceRange> {
        private final long minEpoch;

        Next(Call.Next call, long minEpoch, Terms terms) {
            super(call, terms);
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
        Current(Call.Current call, Terms terms) {
            super(call, terms);
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
        Lift(Call.RaiseFloor call, Terms terms) {
            super(call, terms);
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
