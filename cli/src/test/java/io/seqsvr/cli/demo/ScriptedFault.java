package io.seqsvr.cli.demo;

import io.seqsvr.chaos.fault.Fault;
import io.seqsvr.chaos.process.NodeFailure;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Something that is done to a node, and how that goes. */
final class ScriptedFault implements Fault {
    private final String name;
    private final List<String> story;
    private final LongSupplier nanoClock;
    boolean shows = true;
    long showsAtNanos;
    Optional<String> cannot = Optional.empty();
    Optional<String> cannotBeUndone = Optional.empty();
    Optional<String> breach = Optional.empty();
    boolean leavesWhatItMust = true;
    int keptUp;

    /**
     * It goes well.
     *
     * @param story is told of what is asked of it
     * @param nanoClock what time it is
     */
    ScriptedFault(String name, List<String> story, LongSupplier nanoClock) {
        this.name = name;
        this.story = story;
        this.nanoClock = nanoClock;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start() {
        story.add("start " + name);
        cannot.ifPresent(why -> {
            throw new NodeFailure(why);
        });
    }

    @Override
    public boolean isInEffect() {
        return shows && nanoClock.getAsLong() >= showsAtNanos;
    }

    @Override
    public void keepUp() {
        keptUp++;
    }

    @Override
    public Optional<String> breach() {
        return breach;
    }

    @Override
    public boolean hasShown() {
        return leavesWhatItMust;
    }

    @Override
    public void stop() {
        story.add("stop " + name);
        cannotBeUndone.ifPresent(why -> {
            throw new NodeFailure(why);
        });
    }
}
