package io.seqsvr.core.alloc;

import io.seqsvr.core.SkewedClocks;
import io.seqsvr.core.lease.ClockReading;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One machine with an allocator on it that ticks, pauses, is cut off, dies and comes back under the same name. */
final class RandomNode {
    private static final long MILLI = 1_000_000;
    private static final long COMMAND_TIMEOUT = 400 * MILLI;

    private final RandomWorld world;
    private final SplittableRandom random;
    private final String name;
    private final SkewedClocks clocks;
    private final Map<Long, Consumer<Step>> waiting = new HashMap<>();
    private Allocator allocator;
    private ClockReading lookedAt;
    private int life;
    private long pausedUntil;
    private long cutOffUntil;

    RandomNode(RandomWorld world, String name, double mostRate) {
        this.world = world;
        this.random = world.random();
        this.name = name;
        this.clocks = SkewedClocks.random(random, mostRate);
        this.allocator = start();
        this.lookedAt = now();
        world.agenda()
                .about(
                        5 * MILLI,
                        random,
                        () -> run(() -> {
                            lookedAt = now();
                            allocator.tick(lookedAt);
                        }));
    }

    private Allocator start() {
        return new Allocator(name, name + ":7401", new AllocatorLimits(4, Long.MAX_VALUE), random.split());
    }

    ClockReading now() {
        return clocks.at(world.agenda().now());
    }

    /** Does something in the process as it is now: not while it is paused, and never in its next life. */
    void run(Runnable action) {
        run(action, life);
    }

    private void run(Runnable action, int inLife) {
        if (inLife != life) {
            return;
        }
        if (world.agenda().now() < pausedUntil) {
            world.agenda().at(pausedUntil, () -> run(action, inLife));
            return;
        }
        action.run();
        carryOut();
    }

    private void carryOut() {
        for (var effect : allocator.takeEffects()) {
            if (effect instanceof AllocatorEffect.Send send) {
                send(send);
            } else if (effect instanceof AllocatorEffect.Resume resume) {
                var rest = waiting.remove(resume.ticket());
                if (rest == null) {
                    throw new AssertionError("nobody waits for " + resume);
                }
                rest.accept(resume.step());
            } else if (effect instanceof AllocatorEffect.Tell tell) {
                if (!cutOff()) {
                    world.tell(allocator.session(), tell);
                }
            } else if (effect instanceof AllocatorEffect.Report report) {
                world.count(report.event().getClass().getSimpleName());
            }
        }
    }

    long session() {
        return allocator.session();
    }

    void hear(long from, PeerMessage message) {
        if (!cutOff()) {
            run(() -> allocator.heard(from, List.of(message), now()));
        }
    }

    void handOver(int segment, long to) {
        run(() -> allocator.handOver(List.of(new SegmentId(1, segment)), to, now()));
    }

    /**
     * A request arrives.
     *
     * @param above by how much the user is to be lifted, or 0
     */
    void ask(long uid, long count, long above) {
        run(() -> {
            long seen = world.handedOut().highest(uid);
            int kind = random.nextInt(16);
            long floor = seen + (kind < 2 ? 0 : above);
            // Taking may go by an old look at the clocks; only release() must not.
            var now = random.nextBoolean() ? lookedAt : now();
            var step = kind < 2
                    ? allocator.current("messages", uid, 0, now)
                    : kind < 4 && above > 0
                            ? allocator.raiseFloor("messages", uid, floor, 0, now)
                            : allocator.next("messages", uid, count, above > 0 ? floor + 1 : 0, 0, now);
            int inLife = life;
            if (step instanceof Step.Waiting wait) {
                waiting.put(wait.ticket(), later -> finish(later, uid, floor, inLife));
            } else {
                finish(step, uid, floor, inLife);
            }
        });
    }

    /**
     * From the numbers taken to the answer that leaves: mostly at once, sometimes after a pause of this thread alone.
     */
    private void finish(Step step, long uid, long floor, int inLife) {
        if (step instanceof Step.Taken taken) {
            boolean slow = random.nextInt(20) == 0;
            long pause = slow ? random.nextLong(2_500 * MILLI) : 0;
            if (pause == 0) {
                leave(allocator.release(taken, now()), uid, floor);
            } else {
                world.agenda()
                        .after(pause, () -> run(() -> leave(allocator.release(taken, now()), uid, floor), inLife));
            }
        } else if (step instanceof Step.Confirmed confirmed) {
            leave(confirmed.answer(), uid, floor);
        } else if (step instanceof Step.Refused refused) {
            leave(refused.answer(), uid, floor);
        }
    }

    private void leave(Answer answer, long uid, long floor) {
        world.leaves(answer, uid, floor);
    }

    private void send(AllocatorEffect.Send send) {
        int inLife = life;
        var agenda = world.agenda();
        agenda.after(COMMAND_TIMEOUT, () -> run(() -> allocator.unanswered(send.call(), now()), inLife));
        int copies = world.faulty(6) ? 0 : world.faulty(12) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            agenda.after(world.delay(), () -> arrive(send, inLife));
        }
    }

    private void arrive(AllocatorEffect.Send send, int inLife) {
        if (cutOff()) {
            return;
        }
        var reply = world.store().execute(send.command());
        world.showChanges();
        if (reply.isPresent() && !world.faulty(12)) {
            world.agenda().after(world.delay(), () -> answer(send, reply.get(), inLife));
        }
    }

    private void answer(AllocatorEffect.Send send, StoreReply reply, int inLife) {
        if (!cutOff()) {
            run(() -> allocator.answered(send.call(), reply, now()), inLife);
        }
    }

    private boolean cutOff() {
        return world.agenda().now() < cutOffUntil;
    }

    void see() {
        var view = world.store().rows().view();
        if (!cutOff()) {
            world.agenda().after(world.delay(), () -> run(() -> allocator.woken(view, now())));
        }
    }

    void pause() {
        pausedUntil = world.agenda().now() + random.nextLong(3_000 * MILLI);
    }

    void cutOff(long nanos) {
        cutOffUntil = world.agenda().now() + nanos;
    }

    void failClocks() {
        clocks.fail(world.agenda().now(), random);
        pausedUntil = Math.max(pausedUntil, clocks.suspendedUntil());
    }

    /** Stops cleanly, for as long as it is given, or dies; another process of the same name starts a little later. */
    void restart(boolean clean) {
        if (!clean || world.agenda().now() < pausedUntil) {
            replace();
            return;
        }
        if (random.nextBoolean()) {
            allocator.stop(now());
            carryOut();
        }
        int stopping = life;
        world.agenda().after(random.nextLong(500 * MILLI), () -> {
            if (life == stopping) {
                allocator.close(now());
                carryOut();
                replace();
            }
        });
    }

    private void replace() {
        life++;
        waiting.clear();
        pausedUntil = world.agenda().now() + random.nextLong(300 * MILLI);
        allocator = start();
    }
}
