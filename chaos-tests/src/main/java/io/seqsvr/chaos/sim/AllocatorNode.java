package io.seqsvr.chaos.sim;

import io.seqsvr.core.alloc.Allocator;
import io.seqsvr.core.alloc.AllocatorEffect;
import io.seqsvr.core.alloc.AllocatorLimits;
import io.seqsvr.core.alloc.Answer;
import io.seqsvr.core.alloc.OpenFrame;
import io.seqsvr.core.alloc.PeerMessage;
import io.seqsvr.core.alloc.Step;
import io.seqsvr.core.frame.FrameCalls;
import io.seqsvr.core.front.Frame;
import io.seqsvr.core.guard.Guards;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.session.RoleEvent;
import io.seqsvr.core.store.StoreReply;
import io.seqsvr.core.store.StoreView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One machine with an allocator on it: the real role, driven as AllocSvr drives it. */
final class AllocatorNode implements StoreLink.Sender {
    /** One in so many frames is served as if its calls had come one by one. */
    private static final int SINGLY_ONE_IN = 4;
    /** How long a clean stop may take. */
    private static final long STOPPING_NANOS = 2 * Nanos.SECOND;

    private final World world;
    private final int place;
    private final String name;
    private final String address;
    private final Machine machine;
    private final StoreLink store;
    private final WatchLink watch;
    private final SplittableRandom random;
    private final Guards guards;
    private final Map<OpenFrame, Runnable> waiting = new HashMap<>();
    /** Who goes on with a single call that waits, by its ticket. */
    private final Map<Long, Consumer<Step>> waitingCalls = new HashMap<>();
    /** Of one frame after the other: the allocator keeps nothing of them. */
    private final FrameCalls columns = new FrameCalls();

    private final Runnable ticking = this::tick;
    private Allocator allocator;
    private long pauseBeforeAnswer;
    private boolean stopping;
    private ClockReading lookedAt;

    AllocatorNode(
            World world,
            String name,
            int place,
            Machine machine,
            StoreLink store,
            SplittableRandom random,
            Guards guards) {
        this.world = world;
        this.place = place;
        this.name = name;
        this.address = name + ":7401";
        this.machine = machine;
        this.store = store;
        this.watch = world.newWatch(place, machine, this::see);
        this.random = random;
        this.guards = guards;
        this.allocator = newProcess();
        this.lookedAt = now();
    }

    int place() {
        return place;
    }

    Machine machine() {
        return machine;
    }

    String address() {
        return address;
    }

    long session() {
        return allocator.session();
    }

    private Allocator newProcess() {
        return new Allocator(
                name, address, new AllocatorLimits(Mix.MAX_WAITING, Long.MAX_VALUE), random.split(), guards);
    }

    void start() {
        machine.start();
        watch.start();
        machine.runAfter(random.nextLong(world.mix().tickNanos()), ticking);
    }

    private ClockReading now() {
        return machine.clocks().read(world.agenda().now());
    }

    private void tick() {
        store.tick();
        watch.tick();
        lookedAt = machine.clocks().readAll(world.agenda().now());
        allocator.tick(lookedAt);
        carryOut();
        if (stopping && allocator.stopped()) {
            die(random.nextLong(500 * Nanos.MILLI));
            return;
        }
        machine.runAfter(world.mix().tickNanos(), ticking);
    }

    /** A watch shows the cluster. */
    private void see(StoreView view) {
        allocator.woken(view, now());
        carryOut();
    }

    /** Somebody wants segments handed over. */
    void handOver(Collection<SegmentId> segments, long to) {
        machine.run(Machine.ANY_LIFE, () -> {
            allocator.handOver(segments, to, now());
            carryOut();
        });
    }

    private void heard(long from, PeerMessage message) {
        machine.run(Machine.ANY_LIFE, () -> {
            allocator.heard(from, List.of(message), now());
            carryOut();
        });
    }

    private void carryOut() {
        for (var effects = allocator.takeEffects(); !effects.isEmpty(); effects = allocator.takeEffects()) {
            for (var effect : effects) {
                carryOut(effect);
            }
        }
    }

    private void carryOut(AllocatorEffect effect) {
        if (effect instanceof AllocatorEffect.Send send) {
            send(send);
        } else if (effect instanceof AllocatorEffect.Tell tell) {
            long from = allocator.session();
            world.allocatorOf(tell.to())
                    .ifPresent(to -> world.network().send(place, to.place(), () -> to.heard(from, tell.message())));
        } else if (effect instanceof AllocatorEffect.FrameEnded ended) {
            var rest = waiting.remove(ended.frame());
            if (rest == null) {
                throw new IllegalStateException("nobody waits for " + ended.frame());
            }
            rest.run();
        } else if (effect instanceof AllocatorEffect.Resume resume) {
            var goesOn = waitingCalls.remove(resume.ticket());
            if (goesOn == null) {
                throw new IllegalStateException("nobody waits with ticket " + resume.ticket());
            }
            world.tally().countResumed();
            goesOn.accept(resume.step());
        } else if (effect instanceof AllocatorEffect.WatchElsewhere) {
            world.trace().say(() -> name + " watches elsewhere");
            watch.elsewhere();
        } else if (effect instanceof AllocatorEffect.Report report) {
            report(report.event());
        } else {
            throw new IllegalStateException("unknown effect " + effect);
        }
    }

    private void report(RoleEvent event) {
        world.tally().count(event);
        world.trace().say(() -> name + " " + event);
    }

    private void send(AllocatorEffect.Send send) {
        world.trace().say(() -> name + " sends " + send.command());
        store.execute(machine, this, send.call(), send.command());
    }

    @Override
    public void answered(long call, StoreReply reply) {
        world.trace().say(() -> name + " hears " + reply);
        allocator.answered(call, reply, now());
        carryOut();
    }

    @Override
    public void unanswered(long call) {
        allocator.unanswered(call, now());
        carryOut();
    }

    /**
     * A frame arrives; to be run in the process.
     *
     * @param waitsNanos for how long its calls may wait; 0 if its caller does not say
     * @param reply takes the answers back to the caller
     */
    void ask(Frame frame, long waitsNanos, Consumer<List<Answer>> reply) {
        // Taking may go by an old look at the clocks; only the last look before an answer leaves must be fresh.
        var begun = random.nextBoolean() ? lookedAt : now();
        if (random.nextInt(SINGLY_ONE_IN) == 0) {
            takeSingly(frame, begun, waitsNanos, reply);
        } else {
            take(frame, begun, waitsNanos, reply);
        }
        settle();
    }

    private void takeSingly(Frame frame, ClockReading begun, long waitsNanos, Consumer<List<Answer>> reply) {
        var calls = new SingleCalls(allocator, frame, begun, guards);
        Runnable rest = () -> leave(frame, calls.release(now()), reply);
        var waits = new ArrayList<Step.Waiting>();
        boolean over = calls.begin(
                (call, goesOn) -> {
                    waitingCalls.put(call.ticket(), goesOn);
                    waits.add(call);
                },
                rest);
        if (over) {
            end(rest);
        } else if (waitsNanos > 0) {
            machine.runAfter(waitsNanos, () -> giveUp(waits));
        }
    }

    private void giveUp(List<Step.Waiting> calls) {
        var late = calls.stream()
                .filter(call -> waitingCalls.containsKey(call.ticket()))
                .toList();
        allocator.forget(late);
        for (var call : late) {
            var goesOn = waitingCalls.remove(call.ticket());
            if (goesOn != null) {
                goesOn.accept(Step.LATE);
            }
        }
        settle();
    }

    private void take(Frame frame, ClockReading begun, long waitsNanos, Consumer<List<Answer>> reply) {
        FrameColumns.write(frame, columns);
        var open = allocator.frame(columns, begun);
        Runnable rest = () -> leave(frame, FrameColumns.answers(frame, allocator.release(open, now())), reply);
        if (!open.ended()) {
            waiting.put(open, rest);
            if (waitsNanos > 0) {
                machine.runAfter(waitsNanos, () -> giveUp(open));
            }
        } else {
            end(rest);
        }
    }

    /** All calls that came together have ended at once: their answers leave, now or when the process goes on. */
    private void end(Runnable rest) {
        if (pauseBeforeAnswer > 0) {
            machine.pause(pauseBeforeAnswer);
            pauseBeforeAnswer = 0;
            machine.run(Machine.ANY_LIFE, () -> {
                rest.run();
                settle();
            });
        } else {
            rest.run();
        }
    }

    private void giveUp(OpenFrame open) {
        var rest = waiting.remove(open);
        if (rest != null) {
            allocator.giveUp(open);
            rest.run();
            settle();
        }
    }

    private void settle() {
        carryOut();
        if (allocator.waiting() > Mix.MAX_WAITING) {
            world.judge().accuse(Promise.BOUNDED, allocator.waiting() + " requests wait at " + name);
        }
    }

    private void leave(Frame frame, List<Answer> answers, Consumer<List<Answer>> reply) {
        for (int place = 0; place < answers.size(); place++) {
            world.judge()
                    .leaves(
                            answers.get(place),
                            world.store().maxSeq(frame.places().get(place).segment()));
        }
        reply.accept(answers);
    }

    /** The next numbers are taken, and no answer leaves for this long, as the whole process stands still. */
    void pauseBeforeAnswer(long nanos) {
        pauseBeforeAnswer = nanos;
    }

    /**
     * Its machine is suspended while it has a lease, and its wall clock set back by as much. Before anything else a
     * tick looks at the clock that counts from boot: whoever comes before it sees nothing of such a suspend.
     */
    void suspendAndSetBack(long nanos) {
        if (!machine.runs() || allocator.leaseRemainingNanos(now()) == 0) {
            return;
        }
        machine.suspendAndSetBack(nanos);
        int life = machine.life();
        world.agenda().after(nanos - 1, () -> {
            if (machine.life() == life) {
                allocator.tick(machine.clocks().readAll(world.agenda().now()));
                carryOut();
            }
        });
    }

    /** Its renewals reach nobody for a while. */
    void loseRenewals(long nanos) {
        store.loseRenewals(nanos);
    }

    /** A process starts that nobody replaces when it is gone. */
    void visit(long nanos) {
        if (machine.isDown()) {
            start();
            machine.runAfter(nanos, this::leave);
        }
    }

    /** There is no process here for now. */
    void leave() {
        machine.die();
        store.forget();
        waiting.clear();
        waitingCalls.clear();
        allocator = newProcess();
        lookedAt = now();
    }

    /**
     * The process is stopped, or dies if it stands still; after a while another one of its name starts. Stopped
     * cleanly it gives everything back, for as long as people wait for it; in a hurry it closes its session at once.
     */
    void restart(boolean cleanly, long nanos) {
        if (machine.isPaused() || machine.isDown() || stopping) {
            die(nanos);
            return;
        }
        if (cleanly) {
            stopping = true;
            allocator.stop(now());
            carryOut();
            machine.runAfter(STOPPING_NANOS, () -> hurry(nanos));
        } else {
            hurry(nanos);
        }
    }

    /**
     * Where an opening is under way its outcome is waited for; where a guard is missing it goes on. Both for the time
     * that its stopping takes.
     */
    private void hurry(long nanos) {
        allocator.close(now());
        carryOut();
        machine.runAfter(allocator.stopped() ? 0 : nanos, () -> die(nanos));
    }

    /** The process dies; after a while another one of its name starts. */
    void kill(long nanos) {
        die(nanos);
    }

    private void die(long nanos) {
        leave();
        stopping = false;
        pauseBeforeAnswer = 0;
        int life = machine.life();
        world.agenda().after(nanos, () -> {
            // Killed once more before it started: that starts another one.
            if (machine.life() == life) {
                start();
            }
        });
    }

    /** Requests that wait for StoreSvr. */
    int waiting() {
        return allocator.waiting();
    }
}
