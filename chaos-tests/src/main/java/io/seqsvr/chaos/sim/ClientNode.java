package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.front.RouteBook;
import io.seqsvr.core.guard.Guards;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A client that asks about few users again and again: half of the time through a router, half of the time as a smart
 * client. What it receives is judged as it comes, however late; it gives up waiting when it asks the next time.
 */
final class ClientNode {
    /** More than the delays and pauses that a request meets on its way, but for some that pauses queue up for. */
    private static final long LOST_NANOS = 120 * Nanos.SECOND;

    private final World world;
    private final int place;
    private final Machine machine;
    private final SplittableRandom random;
    private final Caller caller;
    private final Queue<Judge.Operation> underWay = new ArrayDeque<>();
    private boolean stopped;
    private boolean steady;
    private long turn;

    ClientNode(World world, int place, int number, Machine machine, SplittableRandom random, Guards guards) {
        this.world = world;
        this.place = place;
        this.machine = machine;
        this.random = random;
        this.caller = new Caller(world, place, number, machine, new RouteBook(guards));
    }

    void start() {
        world.agenda().after(random.nextLong(Nanos.SECOND), this::operate);
    }

    void stop() {
        stopped = true;
    }

    /** From now on every operation takes one sequence, user after user: so one can tell that all are served. */
    void steady() {
        steady = true;
    }

    private void operate() {
        if (stopped) {
            return;
        }
        var mix = world.mix();
        if (caller.book().outdated() || random.nextInt(16) == 0) {
            fetch();
        }
        forget();
        operate(ask());
        world.agenda().after(mix.operationNanos() / 2 + random.nextLong(mix.operationNanos()), this::operate);
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
        return new Ask(Ask.Verb.NEXT, namespaceId, uid, draw < 24 ? 1 + random.nextInt(Mix.MAX_COUNT) : 1, 0);
    }

    private void operate(Ask ask) {
        var judge = world.judge();
        if (random.nextBoolean()) {
            var operation = begin(ask, caller.number());
            caller.ask(operation, answer -> judge.end(operation, answer));
            return;
        }
        var router = world.anyRouter(random);
        var operation = begin(ask, router.number());
        Consumer<Answer> reply =
                answer -> world.network().call(router.place(), place, () -> judge.end(operation, answer));
        world.network().call(place, router.place(), () -> router.ask(operation, reply));
    }

    private Judge.Operation begin(Ask ask, int asker) {
        var operation = world.judge().begin(ask, asker);
        underWay.add(operation);
        return operation;
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
        world.network()
                .call(
                        place,
                        router.place(),
                        () -> router.fetch(view -> world.network()
                                .call(
                                        router.place(),
                                        place,
                                        () -> machine.run(
                                                machine.life(),
                                                () -> caller.book().learn(view)))));
    }
}
