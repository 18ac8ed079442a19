package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.History;
import io.seqsvr.chaos.check.HistoryChecker;
import io.seqsvr.chaos.check.OnlineChecker;
import io.seqsvr.chaos.check.Operation;
import io.seqsvr.chaos.check.PowerMeter;
import io.seqsvr.chaos.check.Recorder;
import io.seqsvr.chaos.check.Verdict;
import io.seqsvr.chaos.process.LoadPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.UnaryOperator;

/**
 * The record of a run that may be too long to keep: every call is judged when it ends, and forgotten. Of some users the
 * first calls are kept as well, to be judged as a whole.
 *
 * <p>Judged is what servers say: it must be told by clients that hold nothing back.
 */
public final class LiveRecord implements Recorder {
    /** How many calls of the sample are kept. */
    private static final long SAMPLE = 100_000;

    private static final long NOT_YET = Long.MIN_VALUE;

    private final LongPredicate alone;
    private final FaultLog faults;
    private final LongSupplier nanoClock;
    private final Set<Long> sampledUids;
    private final ConcurrentHashMap<Long, UserRecord> users = new ConcurrentHashMap<>();
    private final Ways ways;
    private final OnlineChecker checker = new OnlineChecker();
    private final PowerMeter power = new PowerMeter();
    private final History sample = new History();
    private final CrowdRecord crowd;
    private final LongAdder operations = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final Violations violations = new Violations();

    private volatile long frozenAtNanos = NOT_YET;
    private volatile Timeline timeline;

    /**
     * A record that has seen nothing.
     *
     * @param faults what explains silences and gaps
     * @param nanoClock as {@link System#nanoTime}
     * @param sampledUids whose first calls are kept
     * @param alone whether a user begins at 0 and nobody else takes its numbers: else no gap is told
     */
    public LiveRecord(FaultLog faults, LongSupplier nanoClock, Set<Long> sampledUids, LongPredicate alone) {
        this.alone = alone;
        this.faults = faults;
        this.ways = new Ways(faults);
        this.nanoClock = nanoClock;
        this.timeline = new Timeline(nanoClock.getAsLong());
        this.sampledUids = Set.copyOf(sampledUids);
        this.crowd = new CrowdRecord(checker, power, nanoClock, this::isFrozen, violations::add);
    }

    /** Calls on which nobody relies: how long they take does not count. */
    @Override
    public Call invoke(long uid) {
        return new LiveCall(uid, Optional.empty(), GivesUp.NOBODY, LiveRecord::nobodyIsFormer);
    }

    /** The same, of which somebody gives up something. */
    Recorder late(GivesUp givesUp) {
        return uid -> new LiveCall(uid, Optional.empty(), givesUp, LiveRecord::nobodyIsFormer);
    }

    /** Tells whether who refuses a call is a former owner: whoever never owned its user cannot know of its numbers. */
    @FunctionalInterface
    interface FormerOwners {
        boolean isFormer(long uid, String door);
    }

    private static boolean nobodyIsFormer() {
        return false;
    }

    /** Calls at owners, the former ones among them. */
    Recorder atOwners(GivesUp givesUp, FormerOwners formers) {
        return new Recorder() {
            @Override
            public Call invoke(long uid) {
                return new LiveCall(uid, Optional.empty(), givesUp, LiveRecord::nobodyIsFormer);
            }

            @Override
            public Call invoke(long uid, String door) {
                // When it refuses: it may have become one while the call waited there.
                return new LiveCall(uid, Optional.empty(), givesUp, () -> formers.isFormer(uid, door));
            }
        };
    }

    /** Calls through routers: users have to be answered in time. */
    public Recorder throughRouters() {
        return uid -> new LiveCall(
                uid, Optional.of(ways.of(uid, Ways.Way.ROUTERS)), GivesUp.ROUTER, LiveRecord::nobodyIsFormer);
    }

    /** A call of the Java client begins; what it gives is not judged here, but it has to be answered in time. */
    ClientCall byClient(long uid) {
        return new ClientCall(ways.of(uid, Ways.Way.CLIENT), nanoClock, this::isFrozen);
    }

    private final class LiveCall implements Call {
        private final long uid;
        private final UserRecord user;
        private final Optional<UserWay> way;
        private final GivesUp givesUp;
        /** Whether who refuses it has owned its user before. */
        private final BooleanSupplier byFormer;

        private final long number;
        private final long floor;
        private final long begunNanos;
        private final Optional<Call> kept;
        private volatile long most = LoadPlan.MOST_AT_ONCE;

        private LiveCall(long uid, Optional<UserWay> way, GivesUp givesUp, BooleanSupplier byFormer) {
            this.byFormer = byFormer;
            this.uid = uid;
            this.givesUp = givesUp;
            this.user = users.computeIfAbsent(uid, absent -> new UserRecord(uid, faults, alone.test(uid)));
            this.way = way;
            synchronized (user) {
                floor = checker.begin(uid);
                kept = sampledUids.contains(uid) && sample.counts().invoked() < SAMPLE
                        ? Optional.of(sample.invoke(uid))
                        : Optional.empty();
                begunNanos = nanoClock.getAsLong();
                number = user.begin();
                onWay(asked -> asked.begin(begunNanos));
            }
        }

        @Override
        public void takesAtMost(long numbers) {
            most = numbers;
        }

        private void onWay(Consumer<UserWay> seen) {
            way.ifPresent(asked -> {
                synchronized (asked) {
                    seen.accept(asked);
                }
            });
        }

        @Override
        public void returned(long first, long last, long epoch) {
            synchronized (user) {
                if (isFrozen()) {
                    return;
                }
                if (first < 1 || first > last) {
                    user.lost(number, most, nanoClock.getAsLong());
                    onWay(asked -> asked.failed(failures -> failures.plusUnanswered("an answer that makes no sense")));
                    throw new IllegalArgumentException("user " + Long.toUnsignedString(uid) + " was answered from "
                            + first + " to " + last + ", which is no range of sequences");
                }
                long now = nanoClock.getAsLong();
                var breach = checker.end(uid, floor, first, last);
                if (givesUp != GivesUp.APPLICATION) {
                    power.answered(uid, begunNanos, now, epoch);
                }
                if (givesUp == GivesUp.ROUTER) {
                    user.brokenOff(number, most, now - begunNanos, now);
                    user.answeredAfter(number, most, now - begunNanos, now);
                }
                user.answered(number, begunNanos, now, first, last, epoch);
                onWay(asked -> asked.answered(begunNanos, now, epoch));
                operations.increment();
                timeline.answered(now, now - begunNanos);
                var answer = new Operation.Next(uid, first, last, epoch, begunNanos, now);
                breach.ifPresent(found -> violations.add(found, user.recent().whichBore(found.against()), answer));
                user.recent().remember(answer);
                kept.ifPresent(call -> call.returned(first, last, epoch));
            }
        }

        @Override
        public void told(long seq, boolean exact) {
            told(seq, exact, () -> {});
        }

        @Override
        public void lifted(long known, long floor, long seq) {
            told(seq, false, () -> user.lifted(known, floor));
        }

        private void told(long seq, boolean exact, Runnable first) {
            synchronized (user) {
                if (isFrozen()) {
                    return;
                }
                first.run();
                long now = nanoClock.getAsLong();
                var breach = checker.told(uid, floor, seq, exact);
                power.called(uid);
                user.told(number, now);
                onWay(asked -> asked.told(begunNanos));
                operations.increment();
                timeline.answered(now, now - begunNanos);
                var reading = new Operation.Current(uid, seq, exact, begunNanos, now);
                breach.ifPresent(found -> violations.add(found, user.recent().whichBore(found.against()), reading));
                user.recent().remember(reading);
                kept.ifPresent(call -> call.told(seq, exact));
            }
        }

        @Override
        public void refused(String said) {
            refused(said, true, call -> call.refused(said));
        }

        @Override
        public void notSent(String said) {
            lose(unknown, false, Timeline::unknown, all -> all.plusUnanswered(said), call -> call.notSent(said));
        }

        private void refused(String said, boolean mayHaveTaken, Consumer<Call> how) {
            lose(refused, mayHaveTaken, Timeline::refused, failures -> failures.plusRefused(said), how);
        }

        @Override
        public void refusedByNonOwner(String said) {
            if (byFormer.getAsBoolean()) {
                power.refusedByNonOwner(uid);
            }
            // An owner that finds in the end that it is none may have taken some, but before the next one began.
            refused(said, givesUp == GivesUp.ROUTER, call -> call.refusedByNonOwner(said));
        }

        @Override
        public void unknown(String said) {
            lose(unknown, true, Timeline::unknown, all -> all.plusUnanswered(said), call -> call.unknown(said));
        }

        private void lose(
                LongAdder counter,
                boolean mayHaveTaken,
                ObjLongConsumer<Timeline> inTime,
                UnaryOperator<Failures> failed,
                Consumer<Call> how) {
            synchronized (user) {
                if (isFrozen()) {
                    return;
                }
                long now = nanoClock.getAsLong();
                checker.abandon(uid, floor);
                power.called(uid);
                if (mayHaveTaken && givesUp == GivesUp.ROUTER) {
                    user.brokenOff(number, most, now - begunNanos, now);
                }
                if (mayHaveTaken && givesUp != GivesUp.NOBODY) {
                    user.lostAfter(number, most, now - begunNanos, now);
                } else if (mayHaveTaken) {
                    user.lost(number, most, now);
                } else {
                    user.tookNothing(number);
                }
                onWay(asked -> asked.failed(failed));
                counter.increment();
                inTime.accept(timeline, now);
                kept.ifPresent(how);
            }
        }
    }

    /** Users of whom many are asked for in one call; what they are answered is judged like all that is answered. */
    CrowdRecord crowd() {
        return crowd;
    }

    /** Something was broken that a checker of ranges does not see. */
    public void violated(String rule, String words) {
        violations.add(rule, words);
    }

    /** A server said what no server may say, which ended the load; told as often as one likes, it counts once. */
    public void nonsense(String words) {
        violations.addNonsense(words);
    }

    boolean isQuick() {
        return timeline.isQuick();
    }

    /** How long users wait counts from now on, the timeline, and who asks former owners: before that it warmed up. */
    public void forgetSilences() {
        timeline = new Timeline(nanoClock.getAsLong());
        power.forgetDeposed();
        ways.forget(nanoClock.getAsLong());
    }

    /**
     * Whether every user was given a number by a call that began at this time or later, on each way on which it must
     * be: what a user is told of its last one gives it none.
     */
    public boolean everybodyIsServedSince(long nanos) {
        return ways.everybodyIsServedSince(nanos);
    }

    /** What comes from now on counts no more: the cluster is being taken down. */
    public void freeze() {
        frozenAtNanos = nanoClock.getAsLong();
    }

    private boolean isFrozen() {
        return frozenAtNanos != NOT_YET;
    }

    /** Of each user of whom a reply came, the crowd too, the greatest sequence that any had shown. */
    public Map<Long, Long> greatest() {
        return checker.greatest();
    }

    /** A round begins: pairs that straddle changes which users have seen already are none of its own. */
    public void beginRound() {
        power.mark();
    }

    /** How many straddling pairs there were, of changes of owner that users saw since the round began. */
    public long straddlesOfRound() {
        return power.straddlesSinceMark();
    }

    /** How many calls a former owner answered so far. */
    public long deposed() {
        return power.power().deposed();
    }

    /** How many rules were broken so far. */
    public long broken() {
        return violations.count();
    }

    /** What was seen so far, the sample not yet judged as a whole: cheap enough to be shown all the time. */
    public Findings soFar() {
        return findings(new Verdict(0, 0, List.of()));
    }

    /** What was seen so far. */
    public Findings findings() {
        return findings(HistoryChecker.check(sample.operations()));
    }

    private Findings findings(Verdict whole) {
        var gaps = new Gaps();
        var silences = new Silences();
        for (var user : users.values()) {
            synchronized (user) {
                user.addTo(gaps);
            }
        }
        ways.addTo(silences, isFrozen() ? frozenAtNanos : nanoClock.getAsLong());
        return new Findings(
                operations.sum(),
                crowd.answers(),
                crowd.losses(),
                refused.sum(),
                unknown.sum(),
                violations.stepsBack(),
                violations.duplicates(),
                violations.words(whole),
                Math.max(violations.count(), whole.violations().size()),
                checker.unjudged(),
                whole.operations(),
                power.power(),
                silences.longest(),
                silences.byCause(),
                silences.byEpisode(),
                gaps.byCause(),
                gaps.byEpisode(),
                gaps.givenUpByEpisode(),
                gaps.unexplained(timeline.begunNanos()),
                timeline.seconds(),
                violations.witnesses(whole).since(timeline.begunNanos()));
    }
}
