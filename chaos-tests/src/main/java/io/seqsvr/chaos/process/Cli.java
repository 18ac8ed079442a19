package io.seqsvr.chaos.process;

import java.time.Duration;
import java.util.List;

/**
 * The command line of seqsvr, for commands that come to an end.
 *
 * @param launcher what starts them
 * @param within how long each may take
 */
public record Cli(Launcher launcher, Duration within) {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    /** The command line of the tree that the caller runs in; each command may take a minute. */
    public static Cli find() {
        return new Cli(Launcher.find(), WITHIN);
    }

    /**
     * Runs {@code ./seqsvr arguments...}.
     *
     * @throws IllegalStateException if it takes too long; it is then killed
     */
    public Finished run(String... arguments) {
        return Finished.run(launcher.command(List.of(arguments)), within);
    }
}
