package io.seqsvr.chaos.sim;

import io.seqsvr.chaos.check.Breach;
import io.seqsvr.chaos.check.LeanChecker;
import io.seqsvr.chaos.check.Rule;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Frame;
import io.seqsvr.core.namespace.SegmentId;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Holds every answer against what a cluster promises, and counts what gives a run its power to see a broken promise.
 * Their order is for {@link LeanChecker} to judge, and what was read as EXACT for {@link SendingsOfUser}.
 */
final class Judge {
    /** Answers of a user that may be on their way together. */
    private static final int UNDER_WAY = 256;

    private final Mix mix;
    private final Agenda agenda;
    private final Tally tally;
    private final Trace trace;
    private final Set<Promise> watched;
    private final int users;
    private final LeanChecker checker;
    /** For EXACT readings, of which this says more than the checker could. */
    private final Sendings sendings;

    private final Received received;
    private final long[] highest;
    private final long[] promised;
    private final long[] newestEpoch;
    private final long[] straddledEpoch;
    private final long[] served;
    private final long[][] seenByCaller;
    private Optional<BrokenPromise> broken = Optional.empty();

    /**
     * A judge who has seen nothing.
     *
     * @param watched promises whose breach counts
     */
    Judge(Mix mix, Agenda agenda, Tally tally, Trace trace, Collection<Promise> watched) {
        this.mix = mix;
        this.agenda = agenda;
        this.tally = tally;
        this.trace = trace;
        this.watched = EnumSet.copyOf(watched);
        this.users = mix.segments() * mix.usersPerSegment();
        int all = users * mix.namespaces();
        this.checker = new LeanChecker(all, UNDER_WAY);
        this.sendings = new Sendings(all, this::user);
        this.received = new Received(all);
        this.highest = new long[all];
        this.promised = new long[all];
        this.newestEpoch = new long[all];
        this.straddledEpoch = new long[all];
        this.served = new long[all];
        this.seenByCaller = new long[mix.routers() + mix.clients()][all];
    }

    /** A request under way, or one that will never be answered. */
    static final class Operation {
        private final Ask ask;
        private final int caller;
        private final int user;
        private final long floor;
        private final long promised;
        private final long epoch;
        private final long begunAt;
        private boolean over;
        private boolean givenUp;

        /**
         * An operation that begins.
         *
         * @param caller who asks allocators
         * @param user number of the user
         * @param floor what had been received of the user when it was sent
         * @param promised above which an operator had been told that everything would be
         * @param epoch the newest epoch under which the user had been answered then
         */
        private Operation(Ask ask, int caller, int user, long floor, long promised, long epoch, long begunAt) {
            this.ask = ask;
            this.caller = caller;
            this.user = user;
            this.floor = floor;
            this.promised = promised;
            this.epoch = epoch;
            this.begunAt = begunAt;
        }

        Ask ask() {
            return ask;
        }

        long begunAt() {
            return begunAt;
        }

        boolean isOver() {
            return over;
        }

        @Override
        public String toString() {
            return ask + " above " + floor;
        }
    }

    private int user(int namespaceId, long uid) {
        return (namespaceId - 1) * users + (int) uid;
    }

    private int user(Frame.Place place) {
        return user(place.segment().namespaceId(), place.call().uid());
    }

    /**
     * A request is about to be sent.
     *
     * @param caller number of the router or smart client that will ask an allocator
     */
    Operation begin(Ask ask, int caller) {
        int user = user(ask.namespaceId(), ask.uid());
        tally.countBegun();
        return new Operation(ask, caller, user, checker.begin(user), promised[user], newestEpoch[user], agenda.now());
    }

    /** Nobody waits any more. A later answer is not judged: what it could collide with is forgotten. */
    void giveUp(Operation operation) {
        operation.over = true;
        operation.givenUp = true;
        checker.abandon(operation.user, operation.floor);
    }

    /** Its answer has been received. */
    void end(Operation operation, Answer answer) {
        trace.mix(answer instanceof Answer.Refused refused ? refused.message().hashCode() : answer.hashCode());
        trace.say(() -> "received " + answer + " for " + operation);
        if (operation.over) {
            if (!operation.givenUp) {
                accuse(Promise.SOUND, answer + " is a second answer to " + operation);
            }
            return;
        }
        operation.over = true;
        tally.countOutcome(answer);
        if (answer instanceof Answer.Range range) {
            judge(operation, range);
        } else if (answer instanceof Answer.Reading reading) {
            judge(operation, reading.uid(), reading.seq(), reading);
        } else if (answer instanceof Answer.Lifted lifted) {
            check(
                    Promise.EXACTLY_ASKED,
                    lifted.seq() >= operation.ask.bound(),
                    () -> lifted + " is below the floor of " + operation);
            judge(operation, lifted.uid(), lifted.seq(), lifted);
        } else {
            checker.abandon(operation.user, operation.floor);
            return;
        }
        served[operation.user]++;
        straddles(operation, answer.epoch());
    }

    private void judge(Operation operation, Answer.Range range) {
        var ask = operation.ask;
        check(
                Promise.EXACTLY_ASKED,
                range.uid() == ask.uid()
                        && range.first() >= Math.max(1, ask.bound())
                        && range.last() - range.first() + 1 == ask.count(),
                () -> range + " is not what was asked by " + operation);
        requireAbove(operation, range.first() - 1, range);
        note(checker.end(operation.user, operation.floor, range.first(), range.last()), range, operation);
        highest[operation.user] = Math.max(highest[operation.user], range.last());
    }

    private void judge(Operation operation, long uid, long seq, Answer answer) {
        check(
                Promise.EXACTLY_ASKED,
                uid == operation.ask.uid(),
                () -> answer + " is not what was asked by " + operation);
        requireAbove(operation, seq, answer);
        note(checker.told(operation.user, operation.floor, seq, false), answer, operation);
        highest[operation.user] = Math.max(highest[operation.user], seq);
    }

    private void requireAbove(Operation operation, long bound, Answer answer) {
        check(
                Promise.ORDERED,
                bound >= operation.promised,
                () -> answer + " though the floor of its segment was " + operation.promised);
    }

    private void note(Optional<Breach> breach, Answer answer, Operation operation) {
        breach.ifPresent(found -> check(
                found.rule() == Rule.UNIQUE ? Promise.UNIQUE : Promise.ORDERED,
                false,
                () -> found.rule() + ": " + answer + " for " + operation + ", against " + found.against()));
    }

    /** A pair of answers, one received under an older epoch before the other was asked for: a breach would show. */
    private void straddles(Operation operation, long epoch) {
        int user = operation.user;
        if (operation.epoch > 0 && epoch > operation.epoch && epoch > straddledEpoch[user]) {
            straddledEpoch[user] = epoch;
            tally.countStraddle();
        }
        newestEpoch[user] = Math.max(newestEpoch[user], epoch);
    }

    /** An answer leaves an allocator, whether or not anybody will receive it. */
    void leaves(Answer answer, long durable) {
        if (answer instanceof Answer.Range range) {
            check(Promise.DURABLE, range.last() <= durable, () -> range + " left above max_seq " + durable);
        } else if (answer instanceof Answer.Reading reading) {
            check(Promise.DURABLE, reading.seq() <= durable, () -> reading + " left above max_seq " + durable);
        } else if (answer instanceof Answer.Lifted lifted) {
            check(Promise.DURABLE, lifted.seq() <= durable, () -> lifted + " left above max_seq " + durable);
        }
    }

    /** What has been received of the user of each call of a frame. */
    private long[] floors(Frame frame) {
        long[] floors = new long[frame.places().size()];
        for (int i = 0; i < floors.length; i++) {
            floors[i] = checker.floor(user(frame.places().get(i)));
        }
        return floors;
    }

    /** A frame is about to be sent: what had been received then of the user of each of its calls. */
    long[] sent(Frame frame) {
        long[] floors = floors(frame);
        sendings.sent(frame, floors);
        return floors;
    }

    /** It is lost on its way, or there is nobody where it arrives. */
    void lost(Frame frame, long[] floors) {
        sendings.lost(frame, floors);
        requireTakers(frame);
    }

    /** Its answers leave its owner, whether or not anybody will receive them. */
    void left(Frame frame, long[] floors, List<Answer> answers) {
        sendings.left(frame, floors, answers, floors(frame));
        requireTakers(frame);
    }

    /** Its answers were received, however late, and whether or not anybody still waits for what they bring. */
    void arrived(Frame frame, long[] floors, List<Answer> answers) {
        for (int i = 0; i < floors.length; i++) {
            var answer = answers.get(i);
            var place = frame.places().get(i);
            if (answer.epoch() > 0) {
                long floor = floors[i];
                check(
                        Promise.ORDERED,
                        lowest(answer) >= floor,
                        () -> answer + " for " + place.call() + " that left above " + floor);
                sendings.arrived(frame, i, floor, answer, lowest(answer));
            }
            received.takeIn(user(place), answer)
                    .ifPresent(same -> check(Promise.UNIQUE, false, () -> answer + " overlaps " + same));
        }
        requireTakers(frame);
    }

    private void requireTakers(Frame frame) {
        for (int i = 0; i < frame.places().size(); i++) {
            long seq = sendings.takenByNobody(frame, i);
            var call = frame.places().get(i).call();
            check(Promise.ORDERED, seq == 0, () -> Rule.EXACT_WAS_HANDED_OUT + ": " + seq + ", of the user of " + call);
        }
    }

    /** What an answer was not to be below; of a range, what it was to be above. */
    private static long lowest(Answer answer) {
        if (answer instanceof Answer.Range range) {
            return range.first() - 1;
        }
        if (answer instanceof Answer.Reading reading) {
            return reading.seq();
        }
        return answer instanceof Answer.Lifted lifted ? lifted.seq() : Long.MAX_VALUE;
    }

    /** A caller is about to ask an allocator: what it has seen of the user. */
    long seenByCaller(Operation operation) {
        return seenByCaller[operation.caller][operation.user];
    }

    /**
     * The caller has an answer that it believes.
     *
     * @param seen what it had seen of the user when it asked
     */
    void believed(Operation operation, long seen, Answer answer) {
        long least = answer instanceof Answer.Range range ? range.first() - 1 : Long.MAX_VALUE;
        long most = answer instanceof Answer.Range range ? range.last() : 0;
        if (answer instanceof Answer.Reading reading) {
            least = reading.seq();
            most = reading.seq();
        }
        check(
                Promise.ONE_CALLER_FORWARD,
                least >= seen,
                () -> answer + " though caller " + operation.caller + " had seen " + seen);
        long[] known = seenByCaller[operation.caller];
        known[operation.user] = Math.max(known[operation.user], most);
    }

    /** The caller is a new process that has seen nothing. */
    void forget(int caller) {
        Arrays.fill(seenByCaller[caller], 0);
    }

    /** An operator was told that nobody of a segment will get anything up to this floor any more. */
    void floorRaised(int namespaceId, int segment, long floor) {
        var namespace = mix.namespace(namespaceId);
        for (long uid = 0; uid < users; uid++) {
            if (namespace.segmentOf(uid) != segment) {
                continue;
            }
            int user = user(namespaceId, uid);
            promised[user] = Math.max(promised[user], floor);
            highest[user] = Math.max(highest[user], floor);
        }
    }

    /** Greatest sequence that was received or promised of a user. */
    long highest(int namespaceId, long uid) {
        return highest[user(namespaceId, uid)];
    }

    /** Nothing fails any more; and once more when nothing is under way that began while something did. */
    void calm() {
        received.mark();
    }

    /** Nothing is under way; somebody has owned these since {@link #calm} to whom they were not handed over. */
    void requireNoGap(Set<SegmentId> taken) {
        // In the second namespace others of the same key take numbers too.
        for (int user = 0; user < users; user++) {
            if (!received.isCounted(user)
                    || taken.contains(new SegmentId(1, mix.namespace(1).segmentOf(user)))) {
                continue;
            }
            var words =
                    received.missing(user) + " sequences of user " + user + " reached nobody, though nothing failed";
            check(Promise.GAPLESS, received.missing(user) == 0, () -> words);
            tally.countCalmUser();
        }
    }

    /** Since then every user must have been answered. */
    void requireServed(long[] before, String when) {
        for (int user = 0; user < before.length; user++) {
            var words = "user " + user + " was not served " + when;
            check(Promise.ALIVE, served[user] > before[user], () -> words);
        }
    }

    /** How often each user was answered so far. */
    long[] served() {
        return Arrays.copyOf(served, served.length);
    }

    private void check(Promise promise, boolean holds, Supplier<String> words) {
        if (!holds && watched.contains(promise) && broken.isEmpty()) {
            var found = new BrokenPromise(promise, agenda.now(), words.get());
            broken = Optional.of(found);
            trace.say(() -> "BROKEN: " + found);
        }
    }

    /** Something else than an answer went wrong. */
    void accuse(Promise promise, String words) {
        check(promise, false, () -> words);
    }

    /** The first promise that was not kept. */
    Optional<BrokenPromise> broken() {
        return broken;
    }

    /** Answers that were compared with a part only of what they could collide with. */
    long unjudged() {
        return checker.unjudged() + sendings.unjudged() + received.unjudged();
    }
}
