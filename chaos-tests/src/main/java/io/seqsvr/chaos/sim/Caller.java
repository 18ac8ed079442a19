package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.Call;
import io.seqsvr.core.front.CallEffect;
import io.seqsvr.core.front.CallLimits;
import io.seqsvr.core.front.Calls;
import io.seqsvr.core.front.Frame;
import io.seqsvr.core.front.RouteBook;
import io.seqsvr.core.front.Verifier;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What a router and a smart client have in common: the real calls of a caller, driven as both drive them. */
final class Caller {
    /** Few, so that the bound is met. */
    private static final int OPEN_CALLS = 24;

    private final World world;
    private final int place;
    private final int number;
    private final Machine machine;
    private final SplittableRandom random;
    private final Guards guards;
    /** Those that have not ended: a few. */
    private final List<Asked> asked = new ArrayList<>();

    private Calls<Asked> calls;
    private Optional<StoreView> view = Optional.empty();
    private long disbelieved;
    private long lateReplies;
    /** For how long an owner may let a frame wait; 0 where it is not told. */
    private long saysItWaits;

    private long sharedReadings;

    /** An operation that was put down, what its caller had seen of the user then, and who waits for its end. */
    private static final class Asked {
        private final Judge.Operation operation;
        private final Call call;
        private final long seen;
        private final BiConsumer<Judge.Operation, Optional<Answer>> reply;
        private boolean sent;

        private Asked(
                Judge.Operation operation, Call call, long seen, BiConsumer<Judge.Operation, Optional<Answer>> reply) {
            this.operation = operation;
            this.call = call;
            this.seen = seen;
            this.reply = reply;
        }
    }

    /**
     * A caller.
     *
     * @param place in the network
     * @param number among all callers, from 0
     */
    Caller(World world, int place, int number, Machine machine, SplittableRandom random, Guards guards) {
        this.number = number;
        this.world = world;
        this.place = place;
        this.machine = machine;
        this.random = random;
        this.guards = guards;
        this.calls = newProcess();
    }

    private Calls<Asked> newProcess() {
        long patience = Nanos.SECOND / 2 + random.nextLong(2 * Nanos.SECOND);
        saysItWaits = number % 2 == 0 ? patience - patience / 10 : 0;
        var limits = new CallLimits(1 + random.nextInt(3), 1 + random.nextInt(4), OPEN_CALLS, patience);
        return new Calls<>(limits, random.split(), Verifier.NONE, guards);
    }

    int number() {
        return number;
    }

    /** The newest picture that it was shown. */
    Optional<StoreView> view() {
        return view;
    }

    RouteBook book() {
        return calls.book();
    }

    /** A watch, or somebody who was asked, shows the cluster. */
    void learn(StoreView shown) {
        if (calls.learn(shown)) {
            view = Optional.of(shown);
        }
        carryOut();
    }

    /** A new process knows nothing. */
    void forget() {
        world.judge().forget(number);
        asked.clear();
        calls = newProcess();
        view = Optional.empty();
        disbelieved = 0;
        lateReplies = 0;
        sharedReadings = 0;
    }

    /** Calls that have not ended. */
    int open() {
        return asked.size();
    }

    /** Time passes. */
    void tick() {
        if (calls.open() > 0) {
            calls.tick(world.agenda().now());
            carryOut();
        }
    }

    /**
     * Asks the owners of some users.
     *
     * @param reply gets the end of each operation, if that comes while this process lives: an answer, or nothing
     */
    void ask(List<Judge.Operation> operations, BiConsumer<Judge.Operation, Optional<Answer>> reply) {
        for (var operation : operations) {
            long timeout = 2 * Nanos.SECOND + random.nextLong(6 * Nanos.SECOND);
            var asking =
                    new Asked(operation, operation.ask().call(), world.judge().seenByCaller(operation), reply);
            asked.add(asking);
            calls.put(asking, asking.call, 0, timeout, world.agenda().now());
        }
        carryOut();
    }

    private void carryOut() {
        for (var effect : calls.takeEffects(world.agenda().now())) {
            if (effect instanceof CallEffect.Send<Asked> send) {
                send(send.frame());
            } else if (effect instanceof CallEffect.Answered<Asked> answered) {
                end(answered.ticket(), Optional.of(answered.answer()));
            } else if (effect instanceof CallEffect.Unanswered<Asked> unanswered) {
                end(unanswered.ticket(), Optional.empty());
            }
        }
    }

    private void send(Frame frame) {
        var allocator = world.allocatorAt(frame.address(), random);
        int life = machine.life();
        long[] floors = world.judge().sent(frame);
        world.tally().count(frame);
        frame.places().forEach(this::countSending);
        Consumer<List<Answer>> reply = answers -> {
            world.judge().left(frame, floors, answers);
            if (allocator == world.twin()) {
                world.tally().countOfTwin(answers);
            }
            world.network().call(allocator.place(), place, machine, life, () -> answered(frame, floors, answers));
        };
        long waits = Math.min(saysItWaits, frame.timeLeftNanos());
        Runnable arrival = () -> {
            if (allocator.machine().isDown()) {
                world.judge().lost(frame, floors);
            } else {
                allocator.machine().run(Machine.ANY_LIFE, () -> allocator.ask(frame, waits, reply));
            }
        };
        if (!world.network().call(place, allocator.place(), arrival)) {
            world.judge().lost(frame, floors);
        }
    }

    private void countSending(Frame.Place sending) {
        for (var asking : asked) {
            if (asking.call == sending.call()) {
                if (asking.sent) {
                    world.tally().countRetry();
                }
                asking.sent = true;
            }
        }
    }

    private void answered(Frame frame, long[] floors, List<Answer> answers) {
        world.judge().arrived(frame, floors, answers);
        calls.answered(frame.correlation(), answers, world.agenda().now());
        count();
        carryOut();
    }

    private void count() {
        world.tally()
                .count(
                        calls.disbelieved() - disbelieved,
                        calls.lateReplies() - lateReplies,
                        calls.sharedReadings() - sharedReadings);
        disbelieved = calls.disbelieved();
        lateReplies = calls.lateReplies();
        sharedReadings = calls.sharedReadings();
    }

    private void end(Asked end, Optional<Answer> answer) {
        if (!asked.remove(end)) {
            world.judge().accuse(Promise.SOUND, "a call ended twice: " + end.call + " with " + answer);
            return;
        }
        if (answer.isPresent() && answer.get().epoch() > 0) {
            world.judge().believed(end.operation, end.seen, answer.get());
        }
        end.reply.accept(end.operation, answer);
    }
}
