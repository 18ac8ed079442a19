package io.seqsvr.chaos.proxy;

/** The time of an event loop; used on that loop only. */
interface Timers {
    /** As {@link System#nanoTime}. */
    long nanoTime();

    /**
     * Runs something later, on the loop.
     *
     * @param delayNanos at least 0
     * @return takes it back; does nothing once it has run
     */
    Runnable after(long delayNanos, Runnable work);
}
