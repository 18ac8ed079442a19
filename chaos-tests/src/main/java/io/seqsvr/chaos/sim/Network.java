package io.seqsvr.chaos.sim;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The links between machines, each with a direction of its own: messages are delayed, lost, doubled and overtaken, and
 * a link may be cut one way.
 */
final class Network {
    private final Agenda agenda;
    private final SplittableRandom random;
    private final Mix mix;
    private final int machines;
    private final long[] cutUntil;
    private boolean faulty = true;

    Network(Agenda agenda, SplittableRandom random, Mix mix, int machines) {
        this.agenda = agenda;
        this.random = random;
        this.mix = mix;
        this.machines = machines;
        this.cutUntil = new long[machines * machines];
    }

    /**
     * Sends a message.
     *
     * @param arrival what it does where it arrives; never, once or twice
     */
    void send(int from, int to, Runnable arrival) {
        send(from, to, null, Machine.ANY_LIFE, arrival);
    }

    /**
     * The same with a process in which it arrives.
     *
     * @param life of that process, as in {@link Machine#run}
     */
    void send(int from, int to, @Nullable Machine machine, int life, Runnable arrival) {
        if (agenda.now() < cutUntil[from * machines + to]) {
            return;
        }
        if (!faulty) {
            agenda.at(agenda.now() + delay(), machine, life, arrival);
            return;
        }
        int draw = random.nextInt(Mix.WHOLE);
        if (draw < mix.loss()) {
            return;
        }
        agenda.at(agenda.now() + delay(), machine, life, arrival);
        if (draw < mix.loss() + mix.duplication()) {
            long late = delay() + random.nextLong(3 * Nanos.SECOND);
            agenda.at(agenda.now() + late, machine, life, arrival);
        }
    }

    /**
     * Sends one of the two messages of a call, which the transport below never doubles.
     *
     * @param arrival what it does where it arrives; never or once
     * @return whether it will arrive
     */
    boolean call(int from, int to, Runnable arrival) {
        return call(from, to, null, Machine.ANY_LIFE, arrival);
    }

    /**
     * The same with a process in which it arrives.
     *
     * @param life of that process, as in {@link Machine#run}
     */
    boolean call(int from, int to, @Nullable Machine machine, int life, Runnable arrival) {
        if (agenda.now() < cutUntil[from * machines + to] || (faulty && random.nextInt(Mix.WHOLE) < mix.loss())) {
            return false;
        }
        agenda.at(agenda.now() + delay(), machine, life, arrival);
        return true;
    }

    /** Whether a sender is told of a failure although its message is delivered. */
    boolean failsFalsely() {
        return faulty && random.nextInt(Mix.WHOLE) < mix.falseErrors();
    }

    /** Mostly short; now and then so long that what was sent later comes first. */
    private long delay() {
        long delay = 100 * Nanos.MICRO + random.nextLong(400 * Nanos.MICRO);
        if (faulty && random.nextInt(Mix.WHOLE) < mix.longDelay()) {
            delay += random.nextLong(mix.longestDelayNanos());
        }
        return delay;
    }

    /** Cuts a link in one direction. */
    void cut(int from, int to, long nanos) {
        int link = from * machines + to;
        cutUntil[link] = Math.max(cutUntil[link], agenda.now() + nanos);
    }

    /** Whether nothing is lost, doubled or late but by the links that are cut. */
    void rest(boolean from) {
        faulty = !from;
    }

    /** All links are whole again, and lose nothing from now on. */
    void heal() {
        faulty = false;
        Arrays.fill(cutUntil, 0);
    }
}
