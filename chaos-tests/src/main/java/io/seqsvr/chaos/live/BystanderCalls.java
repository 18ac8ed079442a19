package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.report.Bystanders;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what becomes of the calls for users whom a fault is not to touch, beside the record of all calls. Safe for
 * many threads.
 */
public final class BystanderCalls implements Recorder {
    private final Recorder record;
    private volatile Tally tally = new Tally(Set.of());

    /** The calls for some users, from one moment to another. */
    private static final class Tally {
        private final Set<Long> uids;
        private final LongAdder answered = new LongAdder();
        private final LongAdder failed = new LongAdder();

        private Tally(Collection<Long> uids) {
            this.uids = Set.copyOf(uids);
        }
    }

    /**
     * Counts nobody's calls yet.
     *
     * @param record what every call is told to
     */
    BystanderCalls(Recorder record) {
        this.record = record;
    }

    /** From now on calls for these users count, and those that count so far no more. */
    public void watch(Collection<Long> uids) {
        tally = new Tally(uids);
    }

    /** Those that began since, and have ended. */
    public Bystanders seen() {
        var now = tally;
        long failed = now.failed.sum();
        return new Bystanders(now.answered.sum() + failed, failed);
    }

    @Override
    public Call invoke(long uid) {
        var now = tally;
        var call = record.invoke(uid);
        return now.uids.contains(uid) ? new Counted(call, now) : call;
    }

    private record Counted(Call call, Tally tally) implements Call {
        @Override
        public void returned(long first, long last, long epoch) {
            call.returned(first, last, epoch);
            tally.answered.increment();
        }

        @Override
        public void told(long seq, boolean exact) {
            call.told(seq, exact);
            tally.answered.increment();
        }

        @Override
        public void lifted(long known, long floor, long seq) {
            call.lifted(known, floor, seq);
            tally.answered.increment();
        }

        @Override
        public void refused() {
            call.refused();
            tally.failed.increment();
        }

        @Override
        public void refusedByNonOwner() {
            call.refusedByNonOwner();
            tally.failed.increment();
        }

        @Override
        public void unknown() {
            call.unknown();
            tally.failed.increment();
        }
    }
}
