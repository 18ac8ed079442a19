package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.report.Bystanders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongBinaryOperator;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Counts what becomes of the calls that a fault is not to touch, as neither their users' owners nor the doors that they
 * go through are struck, beside the record of all calls. Safe for many threads.
 */
public final class BystanderCalls implements Recorder {
    /** What was under way when the asking program stood still may be given up as late as that. */
    private static final Duration GIVEN_UP_WITHIN = Duration.ofSeconds(1);
    /** Of one user's calls. */
    private static final int MOST_EXCUSED = 1_000;

    private final Recorder record;
    private final LongSupplier nanoClock;
    private volatile Watch newest;

    /**
     * Counts nobody's calls yet.
     *
     * @param record what every call is told to
     * @param nanoClock a clock that never goes back
     */
    public BystanderCalls(Recorder record, LongSupplier nanoClock) {
        this.record = record;
        this.nanoClock = nanoClock;
        this.newest = new Watch(Set.of(), Set.of(), nanoClock);
    }

    /**
     * From now on calls for these users count, and those that count so far no more.
     *
     * @param struckDoors calls through these do not count
     */
    public Watch watch(Collection<Long> uids, Collection<String> struckDoors) {
        newest.end();
        newest = new Watch(uids, struckDoors, nanoClock);
        return newest;
    }

    @Override
    public Call invoke(long uid) {
        return invoke(uid, "");
    }

    @Override
    public Call invoke(long uid, String door) {
        var call = record.invoke(uid, door);
        var watch = newest;
        return watch.begin(uid, door) ? new Counted(uid, call, watch) : call;
    }

    /** The calls for some users that begin between two moments. */
    public static final class Watch {
        private final Set<Long> uids;
        private final Set<String> struckDoors;
        private final LongSupplier nanoClock;
        private final long since;
        /** Of those who have asked, and were not left out since. Guarded by this. */
        private final Map<Long, Seen> users = new HashMap<>();

        /** What one user has seen. */
        private static final class Seen {
            long begun;
            long ended;
            long inARow;
            long mostInARow;
            Failures failures = Failures.NONE;
            long firstNanos;
            long lastNanos;
            final List<Long> failedAtNanos = new ArrayList<>();
            long epochBefore;
            long epochAfter;

            boolean isHarmed() {
                return failures.calls() > 0;
            }
        }

        private Watch(Collection<Long> uids, Collection<String> struckDoors, LongSupplier nanoClock) {
            this.uids = new HashSet<>(uids);
            this.struckDoors = Set.copyOf(struckDoors);
            this.nanoClock = nanoClock;
            this.since = nanoClock.getAsLong();
        }

        private synchronized boolean begin(long uid, String door) {
            boolean counts = uids.contains(uid) && !struckDoors.contains(door);
            if (counts) {
                users.computeIfAbsent(uid, unseen -> new Seen()).begun++;
            }
            return counts;
        }

        private synchronized void ended(long uid, Consumer<Seen> how) {
            var seen = users.get(uid);
            if (seen != null) {
                seen.ended++;
                how.accept(seen);
            }
        }

        private void answered(long uid) {
            ended(uid, seen -> seen.inARow = 0);
        }

        private void returned(long uid, long epoch) {
            ended(uid, seen -> {
                seen.inARow = 0;
                if (seen.isHarmed()) {
                    seen.epochAfter = epoch;
                } else {
                    seen.epochBefore = epoch;
                }
            });
        }

        private void failed(long uid, UnaryOperator<Failures> how) {
            ended(uid, seen -> {
                seen.inARow++;
                seen.mostInARow = Math.max(seen.mostInARow, seen.inARow);
                long now = nanoClock.getAsLong();
                seen.lastNanos = now - since;
                seen.firstNanos = seen.isHarmed() ? seen.firstNanos : seen.lastNanos;
                if (seen.failedAtNanos.size() < MOST_EXCUSED) {
                    seen.failedAtNanos.add(now);
                }
                seen.failures = how.apply(seen.failures);
            });
        }

        /** These are none of them after all: neither what they have seen counts nor what they will. */
        public synchronized void leaveOut(Collection<Long> others) {
            uids.removeAll(others);
            others.forEach(users::remove);
        }

        /** No further call counts; those under way still do. */
        public synchronized void end() {
            uids.clear();
        }

        /** Whether none of them is under way. */
        public synchronized boolean isSettled() {
            return users.values().stream().allMatch(seen -> seen.begun == seen.ended);
        }

        /**
         * What has become of them so far without the calls that failed while whoever asks stood still, or soon after.
         *
         * @param pausedNanos for how much of a span, by the clock of the calls, it did
         */
        public synchronized Bystanders seenAwake(LongBinaryOperator pausedNanos) {
            long ended = 0;
            long failed = 0;
            long mostInARow = 0;
            for (var seen : users.values()) {
                long excused = seen.failedAtNanos.stream()
                        .filter(at -> pausedNanos.applyAsLong(at - GIVEN_UP_WITHIN.toNanos(), at) > 0)
                        .count();
                ended += seen.ended;
                failed += seen.failures.calls() - excused;
                mostInARow = Math.max(mostInARow, Math.min(seen.mostInARow, seen.failures.calls() - excused));
            }
            return new Bystanders(ended, failed, mostInARow);
        }

        /** What has become of them so far. */
        public synchronized Bystanders seen() {
            long ended = 0;
            long failed = 0;
            long mostInARow = 0;
            for (var seen : users.values()) {
                ended += seen.ended;
                failed += seen.failures.calls();
                mostInARow = Math.max(mostInARow, seen.mostInARow);
            }
            return new Bystanders(ended, failed, mostInARow);
        }

        /** Those of whose calls some have failed so far, the most harmed first. */
        public synchronized List<HarmedUser> harmed() {
            return users.entrySet().stream()
                    .filter(user -> user.getValue().isHarmed())
                    .map(user -> harmed(user.getKey(), user.getValue()))
                    .sorted(Comparator.comparingLong(
                                    (HarmedUser user) -> user.failures().calls())
                            .reversed()
                            .thenComparingLong(HarmedUser::uid))
                    .toList();
        }

        private static HarmedUser harmed(long uid, Seen seen) {
            return new HarmedUser(
                    uid,
                    seen.failures,
                    Duration.ofNanos(seen.firstNanos),
                    Duration.ofNanos(seen.lastNanos),
                    new Epochs(seen.epochBefore, seen.epochAfter));
        }
    }

    private record Counted(long uid, Call call, Watch watch) implements Call {
        @Override
        public void takesAtMost(long numbers) {
            call.takesAtMost(numbers);
        }

        @Override
        public void returned(long first, long last, long epoch) {
            watch.returned(uid, epoch);
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
        public void refused(String said) {
            watch.failed(uid, failures -> failures.plusRefused(said));
            call.refused(said);
        }

        @Override
        public void notSent(String said) {
            watch.failed(uid, failures -> failures.plusUnanswered(said));
            call.notSent(said);
        }

        @Override
        public void refusedByNonOwner(String said) {
            watch.failed(uid, failures -> failures.plusRefused(said));
            call.refusedByNonOwner(said);
        }

        @Override
        public void unknown(String said) {
            watch.failed(uid, failures -> failures.plusUnanswered(said));
            call.unknown(said);
        }
    }
}
