package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.failover.Controller;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.store.StoreView;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One machine with a router on it: the real controller, and the real book of routes for its proxy. */
final class RouterNode {
    private final World world;
    private final int place;
    private final Machine machine;
    private final StoreLink store;
    private final SplittableRandom random;
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
        this.caller = new Caller(world, place, number, machine, random.split(), guards);
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
        caller.tick();
        plan();
        machine.runAfter(2 * world.mix().tickNanos(), this::tick);
    }

    /** A watch shows the cluster. */
    void see(StoreView view) {
        machine.run(machine.life(), () -> {
            controller.viewed(view);
            caller.learn(view);
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

    /** Requests of a thin client arrive. */
    void ask(List<Judge.Operation> operations, BiConsumer<Judge.Operation, Optional<Answer>> reply) {
        machine.run(machine.life(), () -> caller.ask(operations, reply));
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
        caller.forget();
        world.agenda().after(nanos, this::start);
    }
}
