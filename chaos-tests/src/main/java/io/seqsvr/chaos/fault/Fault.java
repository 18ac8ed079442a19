package io.seqsvr.chaos.fault;

import java.util.Optional;

/**
 * Something that is done to a running cluster, and undone. It is started once and stopped once; use it from one thread.
 */
public interface Fault {
    /** What is done to whom, in two words: {@code kill alloc-2}. */
    String name();

    /**
     * Does it; blocks until it is done.
     *
     * @throws io.seqsvr.chaos.process.NodeFailure if it cannot be done
     */
    void start();

    /** Whether it shows from outside, now: a fault that does not proves nothing. Only between start and stop. */
    boolean isInEffect();

    /** Sees to it that it goes on, and remembers how; asked for again and again between start and stop. */
    default void keepUp() {}

    /**
     * A promise that the struck node breaks before our eyes, in words, if it does: it goes on though its data is in
     * doubt. Users may never notice. Only between start and stop.
     */
    default Optional<String> breach() {
        return Optional.empty();
    }

    /** Whether it has shown as a whole, where that is seen in the end only, or in what it leaves. Only after stop. */
    default boolean hasShown() {
        return true;
    }

    /**
     * Undoes it; what comes of that takes its time.
     *
     * @throws io.seqsvr.chaos.process.NodeFailure if it cannot be undone
     */
    void stop();
}
