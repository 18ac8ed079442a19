package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.report.Bystanders;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts what becomes of the calls for users whom a fault is not to touch, beside the record of all calls. Safe for
 * many threads.
 */
public final class BystanderCalls implements Recorder {
    private final Recorder record;
    private volatile Watch newest = new Watch(Set.of());

    /**
     * Counts nobody's calls yet.
     *
     * @param record what every call is told to
     */
    public BystanderCalls(Recorder record) {
        this.record = record;
    }

    /** From now on calls for these users count, and those that count so far no more. */
    public Watch watch(Collection<Long> uids) {
        newest.end();
        newest = new Watch(uids);
        return newest;
    }

    @Override
    public Call invoke(long uid) {
        var call = record.invoke(uid);
        var watch = newest;
        return watch.begin(uid) ? new Counted(uid, call, watch) : call;
    }

    /** The calls for some users that begin between two moments. */
    public static final class Watch {
        private final Set<Long> uids;
        /** Guarded by this, as all below: by user, how many of its calls have failed one after the other. */
        private final Map<Long, Long> inARow = new HashMap<>();

        private long begun;
        private long answered;
        private long failed;
        private long mostInARow;

        private Watch(Collection<Long> uids) {
            this.uids = new HashSet<>(uids);
        }

        private synchronized boolean begin(long uid) {
            boolean counts = uids.contains(uid);
            begun += counts ? 1 : 0;
            return counts;
        }

        private synchronized void answered(long uid) {
            answered++;
            inARow.remove(uid);
        }

        private synchronized void failed(long uid) {
            failed++;
            mostInARow = Math.max(mostInARow, inARow.merge(uid, 1L, Long::sum));
        }

        /** No further call counts; those under way still do. */
        public synchronized void end() {
            uids.clear();
        }

        /** Whether none of them is under way. */
        public synchronized boolean isSettled() {
            return begun == answered + failed;
        }

        /** What has become of them so far. */
        public synchronized Bystanders seen() {
            return new Bystanders(answered + failed, failed, mostInARow);
        }
    }

    private record Counted(long uid, Call call, Watch watch) implements Call {
        @Override
        public void returned(long first, long last, long epoch) {
            watch.answered(uid);
            call.returned(first, last, epoch);
        }

        @Override
        public void told(long seq, boolean exact) {
            watch.answered(uid);
            call.told(seq, exact);
        }

        @Override
        public void lifted(long known, long floor, long seq) {
            watch.answered(uid);
            call.lifted(known, floor, seq);
        }

        @Override
        public void refused() {
            watch.failed(uid);
            call.refused();
        }

        @Override
        public void refusedByNonOwner() {
            watch.failed(uid);
            call.refusedByNonOwner();
        }

        @Override
        public void unknown() {
            watch.failed(uid);
            call.unknown();
        }
    }
}
