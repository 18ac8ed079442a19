package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Recorder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Finds, beside the record of all calls, those that waited at a process when it went on after it had stood still, and
 * that it then answered or refused. An old number of an owner that was deposed meanwhile would come by one of these:
 * where there was none, it could not have shown. Safe for many threads.
 */
public final class WokenCalls implements Recorder {
    /** Whoever does not stand still needs less. */
    private static final long WAITED_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** More than end in a minute. */
    private static final int KEPT = 10_000;

    private final Recorder record;
    private final LongSupplier nanoClock;
    /** The last calls that were answered or refused; guarded by itself. */
    private final Deque<Span> ended = new ArrayDeque<>();

    private record Span(long begun, long ended) {}

    /**
     * None so far.
     *
     * @param record what every call is told to
     * @param nanoClock a clock that never goes back
     */
    public WokenCalls(Recorder record, LongSupplier nanoClock) {
        this.record = record;
        this.nanoClock = nanoClock;
    }

    /** How many calls had waited for a while at this moment, and were answered or refused after it. */
    public long across(long nanos) {
        synchronized (ended) {
            return ended.stream()
                    .filter(call -> call.begun() + WAITED_NANOS <= nanos && call.ended() >= nanos)
                    .count();
        }
    }

    @Override
    public Call invoke(long uid) {
        return new Timed(record.invoke(uid), nanoClock.getAsLong());
    }

    private void ended(long begun) {
        synchronized (ended) {
            ended.addLast(new Span(begun, nanoClock.getAsLong()));
            if (ended.size() > KEPT) {
                ended.removeFirst();
            }
        }
    }

    private final class Timed implements Call {
        private final Call call;
        private final long begun;

        Timed(Call call, long begun) {
            this.call = call;
            this.begun = begun;
        }

        @Override
        public void returned(long first, long last, long epoch) {
            ended(begun);
            call.returned(first, last, epoch);
        }

        @Override
        public void told(long seq, boolean exact) {
            ended(begun);
            call.told(seq, exact);
        }

        @Override
        public void lifted(long known, long floor, long seq) {
            ended(begun);
            call.lifted(known, floor, seq);
        }

        @Override
        public void refused(String said) {
            ended(begun);
            call.refused(said);
        }

        @Override
        public void refusedByNonOwner(String said) {
            ended(begun);
            call.refusedByNonOwner(said);
        }

        @Override
        public void unknown(String said) {
            call.unknown(said);
        }
    }
}
