package io.seqsvr.chaos.fault;

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

    /**
     * Undoes it; what comes of that takes its time.
     *
     * @throws io.seqsvr.chaos.process.NodeFailure if it cannot be undone
     */
    void stop();
}
