package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.guard.Guards;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/**
 * A client that asks about few users again and again: half of the time through a router, half of the time as a smart
 * client. What it receives is judged as it comes, however late; it gives up waiting when it asks the next time.
 */
final class ClientNode {
    /** More than the delays and pauses that a request meets on its way, but for some that pauses queue up for. */
    private static final long LOST_NANOS = 60 * Nanos.SECOND;

    private static final long TURNS_APART = 5;

    private final World world;
    private final int place;
    private final Machine machine;
    private final SplittableRandom random;
    private final Caller caller;
    private final Queue<Judge.Operation> underWay = new ArrayDeque<>();
    private final Runnable operating = this::operate;
    private boolean resting;
    private boolean steady;
    private long turn;

    ClientNode(World world, int place, int number, Machine machine, SplittableRandom random, Guards guards) {
        this.world = world;
        this.place = place;
        this.machine = machine;
        this.random = random;
        // Another one than the others begin with: so all users are asked for soon.
        this.turn = number * TURNS_APART;
        this.caller = new Caller(world, place, number, machine, random.split(), guards);
    }

    void start() {
        world.agenda().after(random.nextLong(Nanos.SECOND), operating);
    }

    /** Whether it asks for nothing: what it has asked for still ends. */
    void rest(boolean from) {
        resting = from;
    }

    /** Operations begun since a time that are not over, and calls that have not ended. */
    long open(long since) {
        return caller.open()
                + underWay.stream()
                        .filter(operation -> !operation.isOver() && operation.begunAt() >= since)
                        .count();
    }

    /** Whether every operation takes one sequence, user after user: so one can tell that all are served. */
    void steady(boolean from) {
        steady = from;
    }

    private void operate() {
        var mix = world.mix();
        if (resting) {
            // What it has asked for still ends, by its timeout at the latest.
            caller.tick();
            world.agenda().after(mix.operationNanos(), operating);
            return;
        }
        if (caller.book().doubtful() || random.nextInt(16) == 0) {
            fetch();
        }
        forget();
        caller.tick();
        operate(asks());
        // Longer than between two operations, as there are often several at once.
        long pause = 19 * mix.operationNanos() / 10;
        world.agenda().after(pause / 2 + random.nextLong(pause), operating);
    }

    /** One, or a few that leave together. */
    private List<Ask> asks() {
        int several = steady ? 2 : Math.max(1, random.nextInt(7) - 2);
        var asks = new ArrayList<Ask>(several);
        for (int i = 0; i < several; i++) {
            asks.add(ask());
        }
        return asks;
    }

    private Ask ask() {
        var mix = world.mix();
        long users = (long) mix.segments() * mix.usersPerSegment();
        long user = steady ? turn++ % (users * mix.namespaces()) : random.nextLong(users * mix.namespaces());
        int namespaceId = 1 + (int) (user / users);
        long uid = user % users;
        int draw = steady ? Mix.WHOLE : random.nextInt(100);
        if (draw < 10) {
            return new Ask(Ask.Verb.CURRENT, namespaceId, uid, 0, 0);
        }
        if (draw < 12) {
            long floor = world.judge().highest(namespaceId, uid) + random.nextLong(5 * mix.step());
            return new Ask(Ask.Verb.RAISE_FLOOR, namespaceId, uid, 0, floor);
        }
        if (draw < 14) {
            long atLeast = world.judge().highest(namespaceId, uid) + random.nextLong(mix.step());
            return new Ask(Ask.Verb.NEXT, namespaceId, uid, 1, atLeast);
        }
        if (draw < 16 && mix.greatest()) {
            int count = 2 + random.nextInt(Mix.MAX_COUNT - 1);
            // All but one of them there are.
            return new Ask(Ask.Verb.NEXT, namespaceId, uid, count, Long.MAX_VALUE - count + 2);
        }
        return new Ask(Ask.Verb.NEXT, namespaceId, uid, draw < 24 ? 1 + random.nextInt(Mix.MAX_COUNT) : 1, 0);
    }

    private void operate(List<Ask> asks) {
        if (random.nextBoolean()) {
            caller.ask(begin(asks, caller.number()), this::end);
            return;
        }
        var router = world.anyRouter(random);
        var operations = begin(asks, router.number());
        BiConsumer<Judge.Operation, Optional<Answer>> reply =
                (operation, answer) -> world.network().call(router.place(), place, () -> end(operation, answer));
        router.ask(place, operations, reply);
    }

    private List<Judge.Operation> begin(List<Ask> asks, int asker) {
        var operations = new ArrayList<Judge.Operation>(asks.size());
        for (var ask : asks) {
            operations.add(world.judge().begin(ask, asker));
        }
        underWay.addAll(operations);
        return operations;
    }

    private void end(Judge.Operation operation, Optional<Answer> answer) {
        if (answer.isPresent()) {
            world.judge().end(operation, answer.get());
        } else if (!operation.isOver()) {
            world.judge().giveUp(operation);
        }
    }

    /** Nobody waits for an answer to a request so old: what was to bring it is lost, but for a few. */
    private void forget() {
        for (var oldest = underWay.peek(); oldest != null && isSettled(oldest); oldest = underWay.peek()) {
            underWay.remove();
            if (!oldest.isOver()) {
                world.judge().giveUp(oldest);
            }
        }
    }

    private boolean isSettled(Judge.Operation operation) {
        return operation.isOver() || world.agenda().now() - operation.begunAt() > LOST_NANOS;
    }

    private void fetch() {
        var router = world.anyRouter(random);
        router.fetch(
                place,
                view -> world.network()
                        .call(router.place(), place, machine, Machine.ANY_LIFE, () -> caller.learn(view)));
    }
}
