package io.seqsvr.chaos.sim;

import io.seqsvr.core.guard.Guards;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One seed's run: a pure function of these values.
 *
 * @param seed everything that is drawn is drawn from it
 * @param hours simulated hours with faults
 * @param guards which guards are in force
 * @param aim to what it is limited or bent
 * @param watched promises whose breach counts
 */
public record Simulation(long seed, double hours, Guards guards, Aim aim, Collection<Promise> watched) {
    /**
     * How a run ended.
     *
     * @param tally what happened
     * @param hash all that happened as one number: two runs of one seed share it
     * @param mix what the seed had drawn
     * @param broken the first promise that was not kept, if any
     */
    public record Outcome(Tally tally, long hash, Mix mix, Optional<BrokenPromise> broken) {}

    /** A run of the protocol as it is, in which every promise counts. */
    public static Simulation of(long seed, double hours) {
        return new Simulation(seed, hours, Guards.ALL, Aim.ANYWHERE, EnumSet.allOf(Promise.class));
    }

    /** Runs it. */
    public Outcome run() {
        return run(Optional.empty());
    }

    /** Runs it and tells the story, line by line. */
    public Outcome run(Consumer<String> reader) {
        return run(Optional.of(reader));
    }

    private Outcome run(Optional<Consumer<String>> reader) {
        var random = new SplittableRandom(seed);
        var mix = Mix.draw(random, aim);
        var world = new World(random.nextLong(), mix, guards, watched, reader);
        world.run((long) (hours * Nanos.HOUR));
        return new Outcome(
                world.tally(), world.trace().hash(), mix, world.judge().broken());
    }
}
