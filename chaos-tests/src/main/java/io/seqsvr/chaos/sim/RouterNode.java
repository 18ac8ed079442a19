package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.failover.BalancePlan;
import io.seqsvr.core.failover.Controller;
import io.seqsvr.core.failover.ControllerEffect;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One machine with a router on it: the real controller, and the real book of routes for its proxy. */
final class RouterNode implements StoreLink.Sender {
    /** By then the turns of the controllers have come: there are few, and a dead one's session counts too. */
    private static final long TURNS_NANOS = 150 * Nanos.MILLI;

    private final World world;
    private final int place;
    private final Machine machine;
    private final StoreLink store;
    private final WatchLink watch;
    private final SplittableRandom random;
    private final Guards guards;
    private final Caller caller;
    private final Runnable ticking = this::tick;
    private Controller controller;

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
        this.watch = world.newWatch(place, machine, this::see);
        this.controller = newProcess();
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

    /** Calls that have not ended. */
    int open() {
        return caller.open();
    }

    private Controller newProcess() {
        return new Controller("router-" + place, "router-" + place + ":7700", random.split(), guards);
    }

    void start() {
        machine.start();
        watch.start();
        machine.runAfter(random.nextLong(world.mix().tickNanos()), ticking);
    }

    private void tick() {
        store.tick();
        watch.tick();
        caller.tick();
        act();
        machine.runAfter(2 * world.mix().tickNanos(), ticking);
    }

    /** A watch shows the cluster. */
    private void see(StoreView view) {
        caller.learn(view);
        controller.woken(view, now());
        carryOut();
        machine.runAfter(random.nextLong(TURNS_NANOS), this::act);
    }

    private ClockReading now() {
        return machine.clocks().read(world.agenda().now());
    }

    private void act() {
        controller.tick(now());
        carryOut();
    }

    private void carryOut() {
        for (var effects = controller.takeEffects(); !effects.isEmpty(); effects = controller.takeEffects()) {
            effects.forEach(this::carryOut);
        }
    }

    private void carryOut(ControllerEffect effect) {
        if (effect instanceof ControllerEffect.Send send) {
            world.trace().say(() -> "router-" + place + " sends " + send.command());
            store.execute(machine, this, send.call(), send.command());
        } else if (effect instanceof ControllerEffect.Order ordered) {
            order(ordered.order());
        } else if (effect instanceof ControllerEffect.WatchElsewhere) {
            world.trace().say(() -> "router-" + place + " watches elsewhere");
            watch.elsewhere();
        } else if (effect instanceof ControllerEffect.Report report) {
            world.trace().say(() -> "router-" + place + " " + report.event());
        }
    }

    @Override
    public void answered(long call, StoreReply reply) {
        controller.answered(call, reply, now());
        carryOut();
    }

    @Override
    public void unanswered(long call) {
        controller.unanswered(call, now());
        carryOut();
    }

    private void order(BalancePlan.Order order) {
        world.trace().say(() -> "router-" + place + " orders " + order);
        var segments = new ArrayList<SegmentId>();
        for (var range : order.segments()) {
            for (int index = range.first(); index <= range.last(); index++) {
                segments.add(new SegmentId(range.namespaceId(), index));
            }
        }
        long to = order.to().id();
        world.allocatorOf(order.owner().id())
                .ifPresent(owner -> world.network().send(place, owner.place(), () -> owner.handOver(segments, to)));
    }

    /** Requests of a thin client, which arrive in whichever process runs then. */
    void ask(int from, List<Judge.Operation> operations, BiConsumer<Judge.Operation, Optional<Answer>> reply) {
        world.network().call(from, place, machine, Machine.ANY_LIFE, () -> caller.ask(operations, reply));
    }

    /** A smart client wants the newest picture. */
    void fetch(int from, Consumer<StoreView> reply) {
        world.network()
                .call(
                        from,
                        place,
                        machine,
                        Machine.ANY_LIFE,
                        () -> caller.view().ifPresent(reply));
    }

    /** The process dies; after a while another one starts, which knows nothing. */
    void restart(long nanos) {
        machine.die();
        store.forget();
        controller = newProcess();
        caller.forget();
        int life = machine.life();
        world.agenda().after(nanos, () -> {
            // Killed once more before it started: that starts another one.
            if (machine.life() == life) {
                start();
            }
        });
    }
}
