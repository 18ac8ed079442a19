package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Recorder;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    /** Whoever has waited no longer has time left to be answered in. */
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    /** More than end in a minute. */
    private static final int KEPT = 10_000;

    private final Recorder record;
    private final LongSupplier nanoClock;
    /** The last calls that were answered or refused; guarded by itself. */
    private final Deque<Span> ended = new ArrayDeque<>();

    /** Calls under way. */
    private final Set<Timed> open = ConcurrentHashMap.newKeySet();

    private record Span(long uid, String door, long begun, long ended) {}

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

    /**
     * How many calls had waited for a while at this moment, and were answered or refused after it.
     *
     * @param door where they waited: HOST:PORT of whoever went on then
     * @param uids for whom: those that it owned before it stood still, as it never had numbers of others
     */
    public long across(long nanos, String door, Collection<Long> uids) {
        synchronized (ended) {
            return ended.stream()
                    .filter(call -> call.door().equals(door) && uids.contains(call.uid()))
                    .filter(call -> call.begun() + WAITED_NANOS <= nanos && call.ended() >= nanos)
                    .count();
        }
    }

    /** Whether a call for one of these waits there at a process that stands still, and would go on to for a while. */
    public boolean somebodyWaits(String door, Collection<Long> uids) {
        long now = nanoClock.getAsLong();
        return open.stream()
                .filter(call -> call.door.equals(door) && uids.contains(call.uid))
                .anyMatch(call -> now - call.begun >= WAITED_NANOS && now - call.begun <= FRESH_NANOS);
    }

    @Override
    public Call invoke(long uid) {
        return invoke(uid, "");
    }

    @Override
    public Call invoke(long uid, String door) {
        var call = new Timed(uid, door, record.invoke(uid, door), nanoClock.getAsLong());
        open.add(call);
        return call;
    }

    private void ended(Timed call) {
        open.remove(call);
        synchronized (ended) {
            ended.addLast(new Span(call.uid, call.door, call.begun, nanoClock.getAsLong()));
            if (ended.size() > KEPT) {
                ended.removeFirst();
            }
        }
    }

    private final class Timed implements Call {
        private final long uid;
        private final String door;
        private final Call call;
        private final long begun;

        Timed(long uid, String door, Call call, long begun) {
            this.uid = uid;
            this.door = door;
            this.call = call;
            this.begun = begun;
        }

        @Override
        public void takesAtMost(long numbers) {
            call.takesAtMost(numbers);
        }

        @Override
        public void returned(long first, long last, long epoch) {
            ended(this);
            call.returned(first, last, epoch);
        }

        @Override
        public void told(long seq, boolean exact) {
            ended(this);
            call.told(seq, exact);
        }

        @Override
        public void lifted(long known, long floor, long seq) {
            ended(this);
            call.lifted(known, floor, seq);
        }

        @Override
        public void refused(String said) {
            ended(this);
            call.refused(said);
        }

        /** It waited nowhere. */
        @Override
        public void notSent(String said) {
            open.remove(this);
            call.notSent(said);
        }

        @Override
        public void refusedByNonOwner(String said) {
            ended(this);
            call.refusedByNonOwner(said);
        }

        @Override
        public void unknown(String said) {
            open.remove(this);
            call.unknown(said);
        }
    }
}
