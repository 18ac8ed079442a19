package io.seqsvr.chaos.live;

import io.seqsvr.chaos.check.Breach;
import io.seqsvr.chaos.check.OnlineChecker;
import io.seqsvr.chaos.check.Operation;
import io.seqsvr.chaos.check.PowerMeter;
import io.seqsvr.chaos.grpc.Given;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What users saw who are asked for by calls for many: each answer is judged when it comes. How long they wait is not
 * told of each, but how many were not answered. Safe for use by many threads.
 */
final class CrowdRecord {
    /** Each is asked for once in a second or so. */
    private static final int RECENT = 8;

    /** Who is told of an answer that breaks a promise. */
    @FunctionalInterface
    interface Breaches {
        /** The answer, and the one that it breaks it against, if that is still known. */
        void broken(Breach breach, Optional<Operation.Answered> before, Operation.Answered answer);
    }

    private final OnlineChecker checker;
    private final PowerMeter power;
    private final LongSupplier nanoClock;
    private final BooleanSupplier frozen;
    private final Breaches breaches;
    private final ConcurrentHashMap<Long, RecentAnswers> users = new ConcurrentHashMap<>();
    private final LongAdder answers = new LongAdder();
    private final LongAdder losses = new LongAdder();

    /**
     * A record that has seen nothing.
     *
     * @param nanoClock as {@link System#nanoTime}
     * @param frozen whether what comes counts no more
     */
    CrowdRecord(
            OnlineChecker checker,
            PowerMeter power,
            LongSupplier nanoClock,
            BooleanSupplier frozen,
            Breaches breaches) {
        this.checker = checker;
        this.power = power;
        this.nanoClock = nanoClock;
        this.frozen = frozen;
        this.breaches = breaches;
    }

    /** A user is about to be asked for; returns its floor. */
    long begin(long uid) {
        return checker.begin(uid);
    }

    /** It was answered, with an epoch of its {@code own}, or the least one of its segment, as a router may tell. */
    void answered(long uid, long floor, long begunNanos, Given given, boolean own) {
        if (frozen.getAsBoolean()) {
            return;
        }
        var recent = recentOf(uid);
        synchronized (recent) {
            long now = nanoClock.getAsLong();
            var breach = checker.end(uid, floor, given.first(), given.last());
            if (own) {
                power.answered(uid, begunNanos, now, given.epoch());
            } else {
                power.called(uid);
            }
            note(new Operation.Next(uid, given.first(), given.last(), given.epoch(), begunNanos, now), breach, recent);
        }
    }

    /** It was told its last sequence. */
    void told(long uid, long floor, long begunNanos, long seq) {
        if (frozen.getAsBoolean()) {
            return;
        }
        var recent = recentOf(uid);
        synchronized (recent) {
            var breach = checker.told(uid, floor, seq, false);
            power.called(uid);
            note(new Operation.Current(uid, seq, false, begunNanos, nanoClock.getAsLong()), breach, recent);
        }
    }

    /** Guards what belongs together: an answer is judged and remembered before the next one of its user. */
    private RecentAnswers recentOf(long uid) {
        return users.computeIfAbsent(uid, absent -> new RecentAnswers(RECENT));
    }

    private void note(Operation.Answered answer, Optional<Breach> breach, RecentAnswers recent) {
        answers.increment();
        breach.ifPresent(found -> breaches.broken(found, recent.whichBore(found.against()), answer));
        recent.remember(answer);
    }

    /** It was refused, or not answered. */
    void lost(long uid, long floor) {
        checker.abandon(uid, floor);
        if (!frozen.getAsBoolean()) {
            losses.increment();
        }
    }

    /** Users who were answered so far, each time. */
    long answers() {
        return answers.sum();
    }

    /** Users who were not. */
    long losses() {
        return losses.sum();
    }
}
