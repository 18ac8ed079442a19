package io.seqsvr.chaos.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MachineTest {
    private static final int MANY = 50;

    private final Agenda agenda = new Agenda();
    private final MachineClocks clocks = new MachineClocks(1, 0);
    private final Machine machine = new Machine(agenda, new SplittableRandom(1), clocks);
    private final List<Integer> happened = new ArrayList<>();

    private Runnable happens(int what) {
        return () -> happened.add(what);
    }

    private static List<Integer> upTo(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    @Test
    void aProcessThatRunsDoesThingsAtOnce() {
        machine.run(machine.life(), happens(1));
        machine.runInOrder(machine.life(), happens(2));
        assertEquals(List.of(1, 2), happened);
        assertFalse(machine.isPaused());
        assertFalse(machine.isDown());
    }

    @Test
    void aProcessThatStandsStillDoesEverythingWhenItGoesOnInNoOrder() {
        machine.pause(Nanos.SECOND);
        for (int i = 0; i < MANY; i++) {
            machine.run(machine.life(), happens(i));
        }
        agenda.runUntil(Nanos.SECOND - 1);
        assertTrue(machine.isPaused());
        assertEquals(List.of(), happened);
        agenda.runUntil(Nanos.SECOND + Nanos.MILLI);
        assertFalse(machine.isPaused());
        assertNotEquals(upTo(MANY), happened);
        assertEquals(upTo(MANY), happened.stream().sorted().toList());
    }

    @Test
    void whatIsForAnyLifeReachesTheNextProcessAndWhatWaitedForTheLastOneIsLostWithIt() {
        agenda.at(Nanos.SECOND, machine, Machine.ANY_LIFE, happens(1));
        agenda.at(Nanos.SECOND, machine, machine.life(), happens(2));
        machine.pause(Nanos.MILLI);
        machine.run(Machine.ANY_LIFE, happens(3));
        machine.die();
        machine.run(Machine.ANY_LIFE, happens(4));
        machine.start();
        agenda.runUntil(Nanos.SECOND);
        assertEquals(List.of(1), happened);
    }

    @Test
    void whatComesFromALogKeepsItsOrderThroughAPause() {
        machine.pause(Nanos.SECOND);
        for (int i = 0; i < MANY; i++) {
            machine.runInOrder(machine.life(), happens(i));
        }
        agenda.runUntil(Nanos.SECOND - 1);
        assertEquals(List.of(), happened);
        agenda.runUntil(Nanos.SECOND);
        assertEquals(upTo(MANY), happened);
    }

    @Test
    void aSecondPauseMayMakeTheFirstLongerAndNeverShorter() {
        machine.pause(2 * Nanos.SECOND);
        machine.pause(Nanos.SECOND);
        machine.run(machine.life(), happens(1));
        agenda.runUntil(Nanos.SECOND + Nanos.MILLI);
        machine.pause(3 * Nanos.SECOND);
        agenda.runUntil(2 * Nanos.SECOND + Nanos.MILLI);
        assertEquals(List.of(), happened);
        agenda.runUntil(5 * Nanos.SECOND);
        assertEquals(List.of(1), happened);
    }

    @Test
    void aTimerThatFallsIntoAPauseFiresAfterIt() {
        machine.runAfter(Nanos.MILLI, happens(1));
        machine.pause(Nanos.SECOND);
        agenda.runUntil(Nanos.SECOND - 1);
        assertEquals(List.of(), happened);
        agenda.runUntil(Nanos.SECOND + Nanos.MILLI);
        assertEquals(List.of(1), happened);
    }

    @Test
    void clocksGoOnThroughAPauseAndTheMonotonicOneDoesNotThroughASuspend() {
        var before = clocks.readAll(agenda.now());
        machine.pause(Nanos.SECOND);
        agenda.runUntil(Nanos.SECOND);
        assertEquals(Nanos.SECOND, clocks.readAll(agenda.now()).shortestSince(before));
        machine.suspend(Nanos.SECOND);
        assertTrue(machine.isPaused());
        agenda.runUntil(2 * Nanos.SECOND);
        assertEquals(Nanos.SECOND, clocks.readAll(agenda.now()).shortestSince(before));
        assertEquals(2 * Nanos.SECOND, clocks.readAll(agenda.now()).longestSince(before));
    }

    @Test
    void aMachineWhoseProcessStandsStillIsNotSuspendedOnTop() {
        var before = clocks.readAll(agenda.now());
        machine.pause(Nanos.SECOND);
        machine.suspend(5 * Nanos.SECOND);
        agenda.runUntil(Nanos.SECOND);
        assertFalse(machine.isPaused());
        assertEquals(Nanos.SECOND, clocks.readAll(agenda.now()).shortestSince(before));
    }

    @Test
    void whatWasToHappenInADeadProcessNeverHappens() {
        int life = machine.life();
        machine.runAfter(Nanos.MILLI, happens(1));
        machine.pause(Nanos.SECOND);
        machine.run(life, happens(2));
        machine.runInOrder(life, happens(3));
        machine.die();
        assertTrue(machine.isDown());
        machine.run(machine.life(), happens(4));
        machine.start();
        machine.run(life, happens(5));
        agenda.runUntil(10 * Nanos.SECOND);
        assertEquals(List.of(), happened);
        assertNotEquals(life, machine.life());
    }

    @Test
    void aNewProcessDoesNotInheritThePauseOfTheDeadOne() {
        machine.pause(Nanos.HOUR);
        machine.die();
        machine.start();
        machine.run(machine.life(), happens(1));
        assertEquals(List.of(1), happened);
    }
}
