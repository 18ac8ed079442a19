package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.failover.Controller;
import io.seqsvr.core.front.RouteBook;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.store.StoreView;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One machine with a router on it: the real controller, and the real book of routes for its proxy. */
final class RouterNode {
    private final World world;
    private final int place;
    private final Machine machine;
    private final StoreLink store;
    private final SplittableRandom random;
    private final Guards guards;
    private final Caller caller;
    private Controller controller = new Controller();

    RouterNode(
            World world,
            int place,
            int number,
            Machine machine,
            StoreLink store,
            SplittableRandom random,
            Guards guards) {
        this.world = world;
        this.place = place;
        this.machine = machine;
        this.store = store;
        this.random = random;
        this.guards = guards;
        this.caller = new Caller(world, place, number, machine, new RouteBook(guards));
    }

    int place() {
        return place;
    }

    /** Number of its caller. */
    int number() {
        return caller.number();
    }

    Machine machine() {
        return machine;
    }

    void start() {
        machine.start();
        machine.runAfter(random.nextLong(world.mix().tickNanos()), this::tick);
    }

    private void tick() {
        store.tick();
        plan();
        machine.runAfter(2 * world.mix().tickNanos(), this::tick);
    }

    /** A watch shows the cluster. */
    void see(StoreView view) {
        machine.run(machine.life(), () -> {
            controller.viewed(view);
            caller.book().learn(view);
            // Not all controllers at the same moment; the table's version keeps their plans apart in any case.
            machine.runAfter(random.nextLong(20 * Nanos.MILLI), this::plan);
        });
    }

    private void plan() {
        controller.plan(machine.clocks().read(world.agenda().now())).ifPresent(publish -> {
            world.trace().say(() -> "router-" + place + " plans " + publish);
            var mine = controller;
            store.execute(
                    machine,
                    publish,
                    reply -> mine.published(Optional.of(reply)),
                    () -> mine.published(Optional.empty()));
        });
    }

    /** A thin client's request arrives. */
    void ask(Judge.Operation operation, Consumer<Answer> reply) {
        machine.run(machine.life(), () -> caller.ask(operation, reply));
    }

    /** A smart client wants the newest picture. */
    void fetch(Consumer<StoreView> reply) {
        machine.run(machine.life(), () -> caller.book().view().ifPresent(reply));
    }

    /** The process dies; after a while another one starts, which knows nothing. */
    void restart(long nanos) {
        machine.die();
        store.forget();
        controller = new Controller();
        caller.forget(new RouteBook(guards));
        world.agenda().after(nanos, this::start);
    }
}
