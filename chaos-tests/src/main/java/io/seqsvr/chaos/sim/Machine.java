package io.seqsvr.chaos.sim;

import java.util.SplittableRandom;

/**
 * One machine with one process on it: it may stand still, and it may die. What happens to a process that stands still
 * happens when it goes on; what was to happen to a process that died never happens.
 */
final class Machine {
    /** What was put down before a pause does not happen in the order of its arrival after. */
    private static final int SCATTER_NANOS = 20_000;
    /** In place of a life: whichever process runs at that time. */
    static final int ANY_LIFE = -1;

    private final Agenda agenda;
    private final SplittableRandom random;
    private final MachineClocks clocks;
    private long pausedUntil;
    private int life;
    private boolean down;

    Machine(Agenda agenda, SplittableRandom random, MachineClocks clocks) {
        this.agenda = agenda;
        this.random = random;
        this.clocks = clocks;
    }

    MachineClocks clocks() {
        return clocks;
    }

    /** Counts the processes that have run here. */
    int life() {
        return life;
    }

    boolean isDown() {
        return down;
    }

    /** Whether there is a process that does not stand still. */
    boolean runs() {
        return !down && !isPaused();
    }

    /**
     * Does something in the process of this life, now or when it goes on.
     *
     * @param inLife the life, or {@link #ANY_LIFE} for the one that there is now
     */
    void run(int inLife, Runnable action) {
        if ((inLife != life && inLife != ANY_LIFE) || down) {
            return;
        }
        if (agenda.now() < pausedUntil) {
            agenda.at(pausedUntil + random.nextInt(SCATTER_NANOS), this, life, action);
            return;
        }
        action.run();
    }

    /** The same for what happens in the order of a log, after a pause too. */
    void runInOrder(int inLife, Runnable action) {
        if (inLife != life || down) {
            return;
        }
        if (agenda.now() < pausedUntil) {
            agenda.at(pausedUntil, () -> runInOrder(inLife, action));
            return;
        }
        action.run();
    }

    /** Does something in the process of this life, in a while. */
    void runAfter(long nanos, Runnable action) {
        agenda.at(agenda.now() + nanos, this, life, action);
    }

    /** The process stands still. */
    void pause(long nanos) {
        pausedUntil = Math.max(pausedUntil, agenda.now() + nanos);
    }

    boolean isPaused() {
        return agenda.now() < pausedUntil;
    }

    /** The whole machine stands still, and its monotonic clock with it. */
    void suspend(long nanos) {
        if (!isPaused()) {
            clocks.suspend(nanos);
            pause(nanos);
        }
    }

    /** The same, and its wall clock is set back by as much. */
    void suspendAndSetBack(long nanos) {
        if (!isPaused()) {
            clocks.suspendAndSetBack(nanos);
            pause(nanos);
        }
    }

    /** The process dies, with everything that was to happen in it. */
    void die() {
        life++;
        down = true;
        pausedUntil = 0;
    }

    /** A new process starts. */
    void start() {
        down = false;
    }
}
