package io.seqsvr.chaos.sim;

import java.util.Locale;

/**
 * A promise that was not kept.
 *
 * @param promise which
 * @param nanos when, in simulated time
 * @param words what happened
 */
public record BrokenPromise(Promise promise, long nanos, String words) {
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s after %.3f s: %s", promise, nanos / 1e9, words);
    }
}
